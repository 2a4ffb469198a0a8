#ifndef CPARTICLES_COMPRESSION_H
#define CPARTICLES_COMPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Compression by deflate (RFC 1951), and the checksums around it. With the macro FastLibraries, libdeflate compresses and
// computes CRC-32. `isPlain` asks for our own code all the same, which builds without libdeflate have, as pages do.

/// Decodes a deflate stream (RFC 1951) that unpacks to exactly `size` bytes and has no bytes after it. Returns false
/// for any other stream. Then the contents of the output are undefined.
///
/// Accepts the streams that zlib accepts. libdeflate accepts more: codes that are not assigned, and codes for symbols
/// without a meaning. A check for these besides libdeflate takes as long as decoding, because the codes of a block are
/// found only by decoding the block before it.
bool particles_inflate(
    const uint8_t *_Nonnull stream, size_t count, uint8_t *_Nonnull output, size_t size);

/// A deflate stream of unknown size that is decoded in pieces.
typedef struct particles_inflater particles_inflater;

/// Returns a decoder at the beginning of a stream, or NULL if there is no memory.
particles_inflater *_Nullable particles_inflater_new(void);

void particles_inflater_free(particles_inflater *_Nonnull inflater);

/// The next need of a decoder.
typedef enum {
  /// Nothing: a piece was decoded.
  PARTICLES_INFLATER_PIECE,
  /// More of the stream, of which all bytes that can be decoded were taken.
  PARTICLES_INFLATER_INPUT,
  /// Nothing: a piece was decoded, which is the last.
  PARTICLES_INFLATER_END,
  /// The stream is damaged.
  PARTICLES_INFLATER_DAMAGED,
  /// The stream ends too early.
  PARTICLES_INFLATER_CUT,
} particles_inflater_state;

/// Decodes the next bytes.
/// - stream: the bytes that were not taken before, and bytes after them.
/// - count: their number, and on return the number of the bytes that were taken.
/// - isAll: whether there are no more.
/// - piece, size: on return, the decoded bytes, valid up to the next call.
particles_inflater_state particles_inflater_run(
    particles_inflater *_Nonnull inflater, const uint8_t *_Nonnull stream, size_t *_Nonnull count,
    bool isAll, const uint8_t *_Nullable *_Nonnull piece, size_t *_Nonnull size);

/// A compressor of bytes in memory.
typedef struct particles_deflater particles_deflater;

/// Returns a compressor of a level from 0 (blocks of plain bytes) to 12, or NULL if there is no memory or no such level.
particles_deflater *_Nullable particles_deflater_new(int level, bool isPlain);

void particles_deflater_free(particles_deflater *_Nonnull deflater);

/// The header and the trailer around a deflate stream.
typedef enum {
  PARTICLES_BARE,
  /// RFC 1950.
  PARTICLES_ZLIB,
  /// RFC 1952, without name and time.
  PARTICLES_GZIP,
} particles_wrapping;

/// Writes a stream of bytes to the output and returns its length, or 0 if it does not fit.
size_t particles_deflate(
    particles_deflater *_Nonnull deflater, const uint8_t *_Nullable bytes, size_t count,
    particles_wrapping wrapping, uint8_t *_Nullable output, size_t room);

/// The most bytes that a stream of `count` bytes has.
size_t particles_deflate_bound(size_t count);

/// Returns the Adler-32 of bytes (RFC 1950, section 8.2) after others, whose checksum is `before`: 1 if there are none.
uint32_t particles_adler32(uint32_t before, const uint8_t *_Nullable bytes, size_t size);

/// Returns the CRC-32 (ISO 3309) of bytes after others, whose checksum is `before`: 0 if there are none.
uint32_t particles_crc32(
    uint32_t before, const uint8_t *_Nullable bytes, size_t size, bool isPlain);

/// Returns the CRC-32 of bytes with checksum `first`, followed by `size` bytes with checksum `second`.
uint32_t particles_crc32_combine(uint32_t first, uint32_t second, uint64_t size);

#endif
