#include "CParticlesDigest.h"

#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#include <stdatomic.h>
#endif

enum { BLOCK = 64 };

static inline uint32_t turned(uint32_t word, unsigned bits) { return word << bits | word >> (32 - bits); }

// MARK: SHA-256 (FIPS 180-4)

// The fractions of the cube roots of the first 64 primes (FIPS 180-4).
static const uint32_t sha256_constants[64] __attribute__((aligned(16))) = {
    0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1, 0x923F82A4, 0xAB1C5ED5,
    0xD807AA98, 0x12835B01, 0x243185BE, 0x550C7DC3, 0x72BE5D74, 0x80DEB1FE, 0x9BDC06A7, 0xC19BF174,
    0xE49B69C1, 0xEFBE4786, 0x0FC19DC6, 0x240CA1CC, 0x2DE92C6F, 0x4A7484AA, 0x5CB0A9DC, 0x76F988DA,
    0x983E5152, 0xA831C66D, 0xB00327C8, 0xBF597FC7, 0xC6E00BF3, 0xD5A79147, 0x06CA6351, 0x14292967,
    0x27B70A85, 0x2E1B2138, 0x4D2C6DFC, 0x53380D13, 0x650A7354, 0x766A0ABB, 0x81C2C92E, 0x92722C85,
    0xA2BFE8A1, 0xA81A664B, 0xC24B8B70, 0xC76C51A3, 0xD192E819, 0xD6990624, 0xF40E3585, 0x106AA070,
    0x19A4C116, 0x1E376C08, 0x2748774C, 0x34B0BCB5, 0x391C0CB3, 0x4ED8AA4A, 0x5B9CCA4F, 0x682E6FF3,
    0x748F82EE, 0x78A5636F, 0x84C87814, 0x8CC70208, 0x90BEFFFA, 0xA4506CEB, 0xBEF9A3F7, 0xC67178F2,
};

static inline uint32_t big_endian(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void sha256_add(uint32_t *state, const uint8_t *blocks, size_t count) {
  for (; count > 0; count--, blocks += BLOCK) {
    uint32_t words[64];
    for (int index = 0; index < 16; index++) words[index] = big_endian(blocks + 4 * index);
    for (int index = 16; index < 64; index++) {
      uint32_t far = words[index - 15], near = words[index - 2];
      words[index] = words[index - 16] + words[index - 7] + (turned(far, 25) ^ turned(far, 14) ^ far >> 3)
        + (turned(near, 15) ^ turned(near, 13) ^ near >> 10);
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
#pragma GCC unroll 8
    for (int index = 0; index < 64; index++) {
      uint32_t first = h + (turned(e, 26) ^ turned(e, 21) ^ turned(e, 7)) + ((e & f) ^ (~e & g))
        + sha256_constants[index] + words[index];
      uint32_t second = (turned(a, 30) ^ turned(a, 19) ^ turned(a, 10)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
  }
}

#if defined(__x86_64__)

static bool has_instructions(void) {
  // 0: not known yet, 1: no, 2: yes.
  static _Atomic int known;
  int is = atomic_load_explicit(&known, memory_order_relaxed);
  if (!is) {
    unsigned a, b, c, d, extended = 0;
    unsigned basic = __get_cpuid(1, &a, &b, &c, &d) ? c : 0;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) extended = b;
    is = (extended & bit_SHA) && (basic & bit_SSE4_1) && (basic & bit_SSSE3) ? 2 : 1;
    atomic_store_explicit(&known, is, memory_order_relaxed);
  }
  return is == 2;
}

__attribute__((target("sha,sse4.1,ssse3")))
static void add_by_instructions(uint32_t *state, const uint8_t *blocks, size_t count) {
  const __m128i big = _mm_set_epi64x(0x0C0D0E0F08090A0B, 0x0405060700010203);
  // The instructions have the words of the state in the order ABEF, CDGH.
  __m128i first = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xB1);
  __m128i second = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1B);
  __m128i abef = _mm_alignr_epi8(first, second, 8);
  __m128i cdgh = _mm_blend_epi16(second, first, 0xF0);
  for (; count > 0; count--, blocks += 64) {
    __m128i words[4], before = abef, also = cdgh;
#pragma GCC unroll 16
    for (int group = 0; group < 16; group++) {
      __m128i *now = &words[group & 3];
      if (group < 4) {
        *now = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(blocks + 16 * group)), big);
      } else {
        __m128i last = words[(group + 3) & 3];
        __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(*now, words[(group + 1) & 3]),
                                    _mm_alignr_epi8(last, words[(group + 2) & 3], 4));
        *now = _mm_sha256msg2_epu32(sum, last);
      }
      __m128i added = _mm_add_epi32(*now, _mm_load_si128((const __m128i *)(sha256_constants + 4 * group)));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, added);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(added, 0x0E));
    }
    abef = _mm_add_epi32(abef, before);
    cdgh = _mm_add_epi32(cdgh, also);
  }
  first = _mm_shuffle_epi32(abef, 0x1B);
  second = _mm_shuffle_epi32(cdgh, 0xB1);
  _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(first, second, 0xF0));
  _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(second, first, 8));
}

#else

static bool has_instructions(void) { return false; }

static void add_by_instructions(uint32_t *state, const uint8_t *blocks, size_t count) {
  sha256_add(state, blocks, count);
}

#endif

// MARK: MD5 (RFC 1321)

// The sines of 1 to 64 radians.
static const uint32_t md5_constants[64] = {
    0xD76AA478, 0xE8C7B756, 0x242070DB, 0xC1BDCEEE, 0xF57C0FAF, 0x4787C62A, 0xA8304613, 0xFD469501,
    0x698098D8, 0x8B44F7AF, 0xFFFF5BB1, 0x895CD7BE, 0x6B901122, 0xFD987193, 0xA679438E, 0x49B40821,
    0xF61E2562, 0xC040B340, 0x265E5A51, 0xE9B6C7AA, 0xD62F105D, 0x02441453, 0xD8A1E681, 0xE7D3FBC8,
    0x21E1CDE6, 0xC33707D6, 0xF4D50D87, 0x455A14ED, 0xA9E3E905, 0xFCEFA3F8, 0x676F02D9, 0x8D2A4C8A,
    0xFFFA3942, 0x8771F681, 0x6D9D6122, 0xFDE5380C, 0xA4BEEA44, 0x4BDECFA9, 0xF6BB4B60, 0xBEBFBC70,
    0x289B7EC6, 0xEAA127FA, 0xD4EF3085, 0x04881D05, 0xD9D4D039, 0xE6DB99E5, 0x1FA27CF8, 0xC4AC5665,
    0xF4292244, 0x432AFF97, 0xAB9423A7, 0xFC93A039, 0x655B59C3, 0x8F0CCC92, 0xFFEFF47D, 0x85845DD1,
    0x6FA87E4F, 0xFE2CE6E0, 0xA3014314, 0x4E0811A1, 0xF7537E82, 0xBD3AF235, 0x2AD7D2BB, 0xEB86D391,
};

static inline uint32_t little_endian(const uint8_t *bytes) {
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void md5_add(uint32_t *state, const uint8_t *blocks, size_t count) {
  static const uint8_t turns[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  for (; count > 0; count--, blocks += BLOCK) {
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    for (int index = 0; index < 64; index++) {
      uint32_t mixed;
      int word;
      switch (index >> 4) {
        case 0: mixed = (b & c) | (~b & d), word = index; break;
        case 1: mixed = (d & b) | (~d & c), word = 5 * index + 1; break;
        case 2: mixed = b ^ c ^ d, word = 3 * index + 5; break;
        default: mixed = c ^ (b | ~d), word = 7 * index;
      }
      uint32_t sum = a + mixed + md5_constants[index] + little_endian(blocks + 4 * (word & 15));
      a = d, d = c, c = b, b += turned(sum, turns[index >> 4][index & 3]);
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
  }
}

// MARK: Pieces

void cparticles_digest_begin(cparticles_digest *digest, cparticles_digest_kind kind, bool plain) {
  // The fractions of the square roots of the first 8 primes. MD5 begins with digits in order.
  static const uint32_t states[2][8] = {
      {0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19},
      {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476},
  };
  memset(digest, 0, sizeof *digest);
  memcpy(digest->state, states[kind == CPARTICLES_MD5], sizeof digest->state);
  digest->kind = kind;
  digest->uses_instructions = !plain && has_instructions();
}

static void add(cparticles_digest *digest, const uint8_t *blocks, size_t count) {
  if (digest->kind == CPARTICLES_MD5) {
    md5_add(digest->state, blocks, count);
  } else if (digest->uses_instructions) {
    add_by_instructions(digest->state, blocks, count);
  } else {
    sha256_add(digest->state, blocks, count);
  }
}

void cparticles_digest_add(cparticles_digest *digest, const uint8_t *bytes, size_t count) {
  size_t begun = digest->count % BLOCK;
  digest->count += count;
  if (begun > 0) {
    size_t piece = BLOCK - begun < count ? BLOCK - begun : count;
    memcpy(digest->rest + begun, bytes, piece);
    if (begun + piece < BLOCK) return;
    add(digest, digest->rest, 1);
    bytes += piece, count -= piece;
  }
  add(digest, bytes, count / BLOCK);
  if (count % BLOCK > 0) memcpy(digest->rest, bytes + count / BLOCK * BLOCK, count % BLOCK);
}

void cparticles_digest_end(cparticles_digest *digest, uint8_t *output) {
  // A bit, zeros, and the number of bits.
  bool is_sha = digest->kind == CPARTICLES_SHA256;
  uint64_t bits = digest->count * 8;
  uint8_t end[2 * BLOCK] = {0x80};
  size_t zeros = (2 * BLOCK - 9 - digest->count % BLOCK) % BLOCK;
  for (int index = 0; index < 8; index++) {
    end[1 + zeros + (size_t)index] = (uint8_t)(bits >> (is_sha ? 56 - 8 * index : 8 * index));
  }
  cparticles_digest_add(digest, end, 9 + zeros);
  for (int index = 0; index < (is_sha ? 32 : 16); index++) {
    int shift = is_sha ? 24 - 8 * (index & 3) : 8 * (index & 3);
    output[index] = (uint8_t)(digest->state[index >> 2] >> shift);
  }
}
