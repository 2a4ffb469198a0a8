#include "CParticlesDigest.h"

// The fractions of the cube roots of the first 64 primes (FIPS 180-4).
const uint32_t cparticles_sha256_constants[64] __attribute__((aligned(16))) = {
    0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1, 0x923F82A4, 0xAB1C5ED5,
    0xD807AA98, 0x12835B01, 0x243185BE, 0x550C7DC3, 0x72BE5D74, 0x80DEB1FE, 0x9BDC06A7, 0xC19BF174,
    0xE49B69C1, 0xEFBE4786, 0x0FC19DC6, 0x240CA1CC, 0x2DE92C6F, 0x4A7484AA, 0x5CB0A9DC, 0x76F988DA,
    0x983E5152, 0xA831C66D, 0xB00327C8, 0xBF597FC7, 0xC6E00BF3, 0xD5A79147, 0x06CA6351, 0x14292967,
    0x27B70A85, 0x2E1B2138, 0x4D2C6DFC, 0x53380D13, 0x650A7354, 0x766A0ABB, 0x81C2C92E, 0x92722C85,
    0xA2BFE8A1, 0xA81A664B, 0xC24B8B70, 0xC76C51A3, 0xD192E819, 0xD6990624, 0xF40E3585, 0x106AA070,
    0x19A4C116, 0x1E376C08, 0x2748774C, 0x34B0BCB5, 0x391C0CB3, 0x4ED8AA4A, 0x5B9CCA4F, 0x682E6FF3,
    0x748F82EE, 0x78A5636F, 0x84C87814, 0x8CC70208, 0x90BEFFFA, 0xA4506CEB, 0xBEF9A3F7, 0xC67178F2,
};

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>
#include <stdatomic.h>

bool cparticles_sha256_is_supported(void) {
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
void cparticles_sha256_add(uint32_t *state, const uint8_t *blocks, size_t count) {
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
      __m128i added = _mm_add_epi32(*now, _mm_load_si128((const __m128i *)(cparticles_sha256_constants + 4 * group)));
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

bool cparticles_sha256_is_supported(void) { return false; }

void cparticles_sha256_add(uint32_t *state, const uint8_t *blocks, size_t count) {
  (void)state;
  (void)blocks;
  (void)count;
}

#endif
