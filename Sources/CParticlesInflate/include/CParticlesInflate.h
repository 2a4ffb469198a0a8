#ifndef CPARTICLES_INFLATE_H
#define CPARTICLES_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Decodes a deflate stream (RFC 1951) that unpacks to exactly `size` bytes and has no bytes after it. Returns false
/// for any other stream. Then the contents of the output are undefined.
///
/// Accepts the streams that zlib accepts. libdeflate accepts more: codes that are not assigned, and codes for symbols
/// without a meaning. A check for these besides libdeflate takes as long as decoding, because the codes of a block are
/// found only by decoding the block before it.
bool particles_inflate(
    const uint8_t *_Nonnull stream, size_t count, uint8_t *_Nonnull output, size_t size);

/// Returns the Adler-32 of bytes (RFC 1950, section 8.2).
uint32_t particles_adler32(const uint8_t *_Nullable bytes, size_t size);

#endif
