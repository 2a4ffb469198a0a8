#include "CParticlesCompression.h"

// The largest prime below 2^16 (RFC 1950, section 8.2).
enum { MODULUS = 65521 };

// So many bytes are summed before a remainder is taken: the second sum stays below 2^32 (zlib has 5,552).
enum { PIECE = 5536, BLOCK = 32 };

/// Adds whole blocks. The loops over a block have no branches, so that the compiler makes vectors of them.
__attribute__((always_inline)) static inline void sumBlocks(
    const uint8_t *bytes, size_t count, uint32_t *first, uint32_t *second) {
  uint32_t a = *first, b = *second;
  for (; count > 0; count -= BLOCK, bytes += BLOCK) {
    uint32_t sum = 0, weighted = 0;
    for (int i = 0; i < BLOCK; i++) {
      sum += bytes[i];
      weighted += (uint32_t)((uint16_t)(BLOCK - i) * (uint16_t)bytes[i]);
    }
    b += BLOCK * a + weighted;
    a += sum;
  }
  *first = a;
  *second = b;
}

#if defined(__x86_64__) && defined(__linux__)
__attribute__((target("avx2"))) static void addWide(
    const uint8_t *bytes, size_t count, uint32_t *first, uint32_t *second) {
  sumBlocks(bytes, count, first, second);
}

static void addBlocks(const uint8_t *bytes, size_t count, uint32_t *first, uint32_t *second) {
  if (__builtin_cpu_supports("avx2")) return addWide(bytes, count, first, second);
  sumBlocks(bytes, count, first, second);
}
#else
#define addBlocks sumBlocks
#endif

uint32_t particles_adler32(uint32_t before, const uint8_t *bytes, size_t size) {
  uint32_t a = before & 0xFFFF, b = before >> 16;
  while (size > 0) {
    const size_t piece = size < PIECE ? size : PIECE, blocks = piece / BLOCK * BLOCK;
    addBlocks(bytes, blocks, &a, &b);
    for (size_t i = blocks; i < piece; i++) {
      a += bytes[i];
      b += a;
    }
    a %= MODULUS;
    b %= MODULUS;
    bytes += piece;
    size -= piece;
  }
  return b << 16 | a;
}
