#ifndef CPARTICLES_DIGEST_H
#define CPARTICLES_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// SHA-256 (FIPS 180-4) and MD5 (RFC 1321), piece by piece. SHA-256 uses the instructions that a processor has for it. They are
// several times as fast as general instructions.

typedef enum { CPARTICLES_SHA256, CPARTICLES_MD5 } cparticles_digest_kind;

/// A digest that was begun.
typedef struct {
  uint32_t state[8];
  /// The bytes that were added.
  uint64_t count;
  /// The bytes of the block that is not full.
  uint8_t rest[64];
  cparticles_digest_kind kind;
  bool uses_instructions;
} cparticles_digest;

/// Begins a digest of no bytes. With `plain` no special instructions are used, which tests compare.
void cparticles_digest_begin(cparticles_digest *_Nonnull digest, cparticles_digest_kind kind, bool plain);
/// Adds `count` bytes.
void cparticles_digest_add(cparticles_digest *_Nonnull digest, const uint8_t *_Nonnull bytes, size_t count);
/// Writes the digest: 32 bytes for SHA-256, 16 for MD5. Nothing can be added after it.
void cparticles_digest_end(cparticles_digest *_Nonnull digest, uint8_t *_Nonnull output);

#endif
