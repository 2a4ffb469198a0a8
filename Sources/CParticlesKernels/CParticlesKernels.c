#include "CParticlesKernels.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

enum { LARGE_PAGE = 2 << 20 };

// Memory of WebAssembly has pages of one size.
#if defined(__wasm__)
enum { HAS_LARGE_PAGES = 0 };
#else
enum { HAS_LARGE_PAGES = 1 };
#endif

void *particles_columns_allocate(size_t bytes) {
  bool large = HAS_LARGE_PAGES && bytes >= 2 * LARGE_PAGE;
  void *memory = NULL;
  if (posix_memalign(&memory, large ? LARGE_PAGE : 64, bytes)) return NULL;
#if defined(__linux__)
  // A hint only: without it there are small pages.
  if (large) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
  return memory;
}

void particles_columns_free(void *memory) { free(memory); }

// A multiplication and an addition that are joined round once instead of twice.
#pragma STDC FP_CONTRACT OFF

#define NAME(x) base_##x
#include "Kernels.h"
#undef NAME

#if defined(__x86_64__)

#include <cpuid.h>

#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define NAME(x) wide_##x
#include "Kernels.h"
#undef NAME
#pragma clang attribute pop

/// Whether processor and system support AVX2.
static bool has_wide(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !(c & bit_AVX)) return false;
  unsigned low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  // The system saves the registers of SSE and AVX.
  return (low & 6) == 6 && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_AVX2);
}

enum { UNKNOWN, BASE, WIDE };
static atomic_int chosen = UNKNOWN;

bool particles_use_wide_kernels(bool wide) {
  bool isWide = wide && has_wide();
  atomic_store_explicit(&chosen, isWide ? WIDE : BASE, memory_order_relaxed);
  return isWide;
}

static bool is_wide(void) {
  int now = atomic_load_explicit(&chosen, memory_order_relaxed);
  return now == UNKNOWN ? particles_use_wide_kernels(true) : now == WIDE;
}

#define KERNEL(result, name, body, parameters, arguments) \
  result name parameters { return is_wide() ? wide_##body arguments : base_##body arguments; }

#else

bool particles_use_wide_kernels(bool wide) { return false; }

#define KERNEL(result, name, body, parameters, arguments) \
  result name parameters { return base_##body arguments; }

#endif

KERNEL(void, particles_fill, set, (size_t n, float *out, particles_source a), (n, out, a))
KERNEL(void, particles_add, add, (size_t n, float *out, particles_source a), (n, out, a))
KERNEL(void, particles_multiply, multiply, (size_t n, float *out, particles_source a), (n, out, a))
KERNEL(void, particles_add_product, add_product,
       (size_t n, float *out, particles_source a, particles_source b), (n, out, a, b))
KERNEL(void, particles_linear, linear,
       (size_t n, float *out, particles_source a, particles_source b, const float *c),
       (n, out, a, b, c))
KERNEL(void, particles_shift, shift, (size_t n, float *out, float start, float scale),
       (n, out, start, scale))
KERNEL(void, particles_clamp, clamp_all, (size_t n, float *out, particles_range range),
       (n, out, range))
KERNEL(void, particles_share, share,
       (size_t n, float *out, const float *age, const float *life), (n, out, age, life))
KERNEL(void, particles_mix, mix,
       (size_t n, float *out, particles_source from, particles_source to, const float *x,
        bool relative),
       (n, out, from, to, x, relative))
KERNEL(void, particles_mix_line, mix_line,
       (size_t n, float *out, particles_source from, particles_source to, const float *x,
        bool relative, particles_range range),
       (n, out, from, to, x, relative, range))
KERNEL(void, particles_mix_color, mix_color,
       (size_t n, particles_color out, particles_color_source from, particles_color_source to,
        const float *x, particles_range range),
       (n, out, from, to, x, range))
KERNEL(void, particles_curve, curve,
       (size_t n, float *out, const float *x, const particles_curve_part *parts, size_t count),
       (n, out, x, parts, count))
KERNEL(void, particles_wrap, wrap,
       (size_t n, float *x, float first, float period, bool mirrored),
       (n, x, first, period, mirrored))
KERNEL(bool, particles_grow, grow,
       (size_t n, float *age, const float *life, particles_source time), (n, age, life, time))
KERNEL(bool, particles_grow_to_end, grow_to_end,
       (size_t n, float *age, const float *life, particles_source time, float *out),
       (n, age, life, time, out))
KERNEL(void, particles_fall, fall,
       (size_t n, float *x, float *v, float a, particles_source time, bool trapezoid),
       (n, x, v, a, time, trapezoid))
KERNEL(void, particles_distance, distance,
       (size_t n, float *out, particles_vectors places, particles_vector origin),
       (n, out, places, origin))
KERNEL(void, particles_push, push,
       (size_t n, particles_vectors out, particles_vectors a, particles_source s,
        const float *length),
       (n, out, a, s, length))
KERNEL(void, particles_ways, ways,
       (size_t n, particles_vectors ways, float *length, particles_vectors places,
        particles_vector centre, particles_vector axis, bool vortex),
       (n, ways, length, places, centre, axis, vortex))
KERNEL(void, particles_pull, pull,
       (size_t n, particles_vectors out, particles_vectors ways, const float *length,
        particles_source strength, const float *factor, float farthest, particles_vector axis,
        bool radial),
       (n, out, ways, length, strength, factor, farthest, axis, radial))
KERNEL(void, particles_add_turned, add_turned,
       (size_t n, particles_vectors out, particles_vectors a, particles_vector right,
        particles_vector up, particles_vector front),
       (n, out, a, right, up, front))
KERNEL(void, particles_set_speed, set_speed,
       (size_t n, particles_vectors a, const float *s, bool limit), (n, a, s, limit))
KERNEL(void, particles_scale, scale, (size_t n, particles_vectors a, particles_source s), (n, a, s))
KERNEL(void, particles_average, average, (size_t n, float *a, const float *b), (n, a, b))
KERNEL(void, particles_integrate, integrate,
       (size_t n, float *x, const float *v, const float *noise, particles_source time),
       (n, x, v, noise, time))
KERNEL(void, particles_drag, drag,
       (size_t n, float *out, particles_source s, particles_source time, const float *speed,
        float limit, particles_drag_law law),
       (n, out, s, time, speed, limit, law))
KERNEL(void, particles_slow_along, slow_along,
       (size_t n, particles_vectors v, particles_source factor, particles_vector direction),
       (n, v, factor, direction))
KERNEL(void, particles_speed_along, speed_along,
       (size_t n, float *out, particles_vectors v, particles_vector direction),
       (n, out, v, direction))
KERNEL(void, particles_orbit, orbit,
       (size_t n, float *x, float *y, particles_source start, particles_source turn,
        const float *age, float phase, const float *radius, float originX, float originY),
       (n, x, y, start, turn, age, phase, radius, originX, originY))
KERNEL(void, particles_turn, turn,
       (size_t n, particles_vectors a, const float *sine, const float *cosine,
        particles_vector axis, particles_vector origin),
       (n, a, sine, cosine, axis, origin))
KERNEL(void, particles_sine_cosine, sine_cosine,
       (size_t n, const float *degrees, float *sine, float *cosine), (n, degrees, sine, cosine))
KERNEL(void, particles_sine_cosine_double, sine_cosine_double,
       (size_t n, const double *degrees, double *sine, double *cosine), (n, degrees, sine, cosine))
KERNEL(void, particles_sine_cosine_rounded, sine_cosine_rounded,
       (size_t n, const float *degrees, float *sine, float *cosine), (n, degrees, sine, cosine))
KERNEL(void, particles_head, head,
       (size_t n, particles_vectors a, const float *sine, const float *cosine,
        particles_vector right, particles_vector up),
       (n, a, sine, cosine, right, up))
KERNEL(void, particles_power, power,
       (size_t n, float *out, const float *base, double exponent), (n, out, base, exponent))
KERNEL(void, particles_add_angle, add_angle,
       (size_t n, float *out, const float *x, const float *y, double offset),
       (n, out, x, y, offset))
KERNEL(void, particles_noise, noise,
       (size_t n, particles_vectors out, particles_vectors places, double factor, double shift,
        size_t octaves),
       (n, out, places, factor, shift, octaves))
KERNEL(void, particles_sample, sample,
       (size_t n, float *out, const uint64_t *hashes, uint64_t channel, double least, double span,
        double lower, double upper),
       (n, out, hashes, channel, least, span, lower, upper))

KERNEL(void, particles_close_up, close_up,
       (float *const *columns, size_t width, const size_t *holes, size_t count),
       (columns, width, holes, count))
KERNEL(void, particles_close_down, close_down,
       (float *const *columns, size_t width, const size_t *holes, size_t count, size_t n),
       (columns, width, holes, count, n))

KERNEL(size_t, particles_dead, dead,
       (size_t n, const float *age, const float *life, size_t first, size_t *places),
       (n, age, life, first, places))
