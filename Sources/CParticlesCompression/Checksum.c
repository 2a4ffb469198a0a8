#include "CParticlesCompression.h"
#include "Fast.h"

// The polynomial of CRC-32 (ISO 3309), its highest power in the lowest bit.
#define POLYNOMIAL 0xEDB88320u

// The checksum of a byte is the sum of the checksums of its bits, so that the compiler makes the tables from these.
#define ENTRY(n, a, b, c, d, e, f, g, h)                                                             \
  (((n) & 1 ? a : 0u) ^ ((n) & 2 ? b : 0u) ^ ((n) & 4 ? c : 0u) ^ ((n) & 8 ? d : 0u)                 \
   ^ ((n) & 16 ? e : 0u) ^ ((n) & 32 ? f : 0u) ^ ((n) & 64 ? g : 0u) ^ ((n) & 128 ? h : 0u))
#define FOUR(n, ...) \
  ENTRY(n, __VA_ARGS__), ENTRY(n + 1, __VA_ARGS__), ENTRY(n + 2, __VA_ARGS__), ENTRY(n + 3, __VA_ARGS__)
#define SIXTEEN(n, ...) \
  FOUR(n, __VA_ARGS__), FOUR(n + 4, __VA_ARGS__), FOUR(n + 8, __VA_ARGS__), FOUR(n + 12, __VA_ARGS__)
#define QUARTER(n, ...)                                                                        \
  SIXTEEN(n, __VA_ARGS__), SIXTEEN(n + 16, __VA_ARGS__), SIXTEEN(n + 32, __VA_ARGS__), \
      SIXTEEN(n + 48, __VA_ARGS__)
#define TABLE(...) \
  {QUARTER(0, __VA_ARGS__), QUARTER(64, __VA_ARGS__), QUARTER(128, __VA_ARGS__), QUARTER(192, __VA_ARGS__)}

/// The checksums of a byte that 0 to 7 zeros follow.
static const uint32_t tables[8][256] = {
    TABLE(0x77073096, 0xEE0E612C, 0x076DC419, 0x0EDB8832, 0x1DB71064, 0x3B6E20C8, 0x76DC4190, 0xEDB88320),
    TABLE(0x191B3141, 0x32366282, 0x646CC504, 0xC8D98A08, 0x4AC21251, 0x958424A2, 0xF0794F05, 0x3B83984B),
    TABLE(0x01C26A37, 0x0384D46E, 0x0709A8DC, 0x0E1351B8, 0x1C26A370, 0x384D46E0, 0x709A8DC0, 0xE1351B80),
    TABLE(0xB8BC6765, 0xAA09C88B, 0x8F629757, 0xC5B428EF, 0x5019579F, 0xA032AF3E, 0x9B14583D, 0xED59B63B),
    TABLE(0x3D6029B0, 0x7AC05360, 0xF580A6C0, 0x30704BC1, 0x60E09782, 0xC1C12F04, 0x58F35849, 0xB1E6B092),
    TABLE(0xCB5CD3A5, 0x4DC8A10B, 0x9B914216, 0xEC53826D, 0x03D6029B, 0x07AC0536, 0x0F580A6C, 0x1EB014D8),
    TABLE(0xA6770BB4, 0x979F1129, 0xF44F2413, 0x33EF4E67, 0x67DE9CCE, 0xCFBD399C, 0x440B7579, 0x8816EAF2),
    TABLE(0xCCAA009E, 0x4225077D, 0x844A0EFA, 0xD3E51BB5, 0x7CBB312B, 0xF9766256, 0x299DC2ED, 0x533B85DA),
};

static uint32_t plainChecksum(uint32_t before, const uint8_t *bytes, size_t size) {
  uint32_t sum = ~before;
  for (; size >= 8; size -= 8, bytes += 8) {
    const uint32_t low = sum ^ ((uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16
                                | (uint32_t)bytes[3] << 24);
    sum = tables[7][low & 255] ^ tables[6][low >> 8 & 255] ^ tables[5][low >> 16 & 255]
          ^ tables[4][low >> 24] ^ tables[3][bytes[4]] ^ tables[2][bytes[5]] ^ tables[1][bytes[6]]
          ^ tables[0][bytes[7]];
  }
  for (; size > 0; size--) sum = sum >> 8 ^ tables[0][(sum ^ *bytes++) & 255];
  return ~sum;
}

/// The powers of x with the exponents 1, 2, 4, 8 … modulo the polynomial.
static const uint32_t powers[32] = {
    0x40000000, 0x20000000, 0x08000000, 0x00800000, 0x00008000, 0xEDB88320, 0xB1E6B092, 0xA06A2517,
    0xED627DAE, 0x88D14467, 0xD7BBFE6A, 0xEC447F11, 0x8E7EA170, 0x6427800E, 0x4D47BAE0, 0x09FE548F,
    0x83852D0F, 0x30362F1A, 0x7B5A9CC3, 0x31FEC169, 0x9FEC022A, 0x6C8DEDC4, 0x15D6874D, 0x5FDE7A4E,
    0xBAD90E37, 0x2E4E5EEF, 0x4EABA214, 0xA8A472C0, 0x429A969E, 0x148D302A, 0xC40BA6D0, 0xC4E22C3C};

static uint32_t product(uint32_t a, uint32_t b) {
  uint32_t sum = 0;
  for (; a != 0; a <<= 1) {
    if (a & 1u << 31) sum ^= b;
    b = b >> 1 ^ (b & 1 ? POLYNOMIAL : 0);
  }
  return sum;
}

uint32_t particles_crc32_combine(uint32_t first, uint32_t second, uint64_t size) {
  // The first checksum is shifted by the bits of the second bytes: 8 for each.
  for (unsigned power = 3; size != 0; size >>= 1, power++) {
    if (size & 1) first = product(powers[power & 31], first);
  }
  return first ^ second;
}

uint32_t particles_crc32(uint32_t before, const uint8_t *bytes, size_t size, bool isPlain) {
  uint32_t sum = before;
  if (size == 0 || (!isPlain && fast_crc32(&sum, bytes, size))) return sum;
  return plainChecksum(before, bytes, size);
}
