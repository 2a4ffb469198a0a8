#ifndef CPARTICLES_DIGEST_H
#define CPARTICLES_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// SHA-256 by the instructions that a processor has for it, several times as fast as by others.

/// The fractions of the cube roots of the first 64 primes, which every way to compute it needs.
extern const uint32_t cparticles_sha256_constants[64];
/// Their address, for Swift, which takes an array for 64 values.
static inline const uint32_t *_Nonnull cparticles_sha256_table(void) {
  return cparticles_sha256_constants;
}
/// Whether this processor has the instructions.
bool cparticles_sha256_is_supported(void);
/// Adds `count` blocks of 64 bytes to a state. Only for processors that are supported.
void cparticles_sha256_add(uint32_t *_Nonnull state, const uint8_t *_Nonnull blocks, size_t count);

#endif
