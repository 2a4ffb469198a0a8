// Included once for each build: NAME(x) is the name of a function in it.

#define EACH _Pragma("clang loop vectorize(assume_safety)") for (size_t i = 0; i < n; i++)
#define INLINE static inline __attribute__((always_inline))

/// A source whose kind the compiler knows, so that it makes a loop for each kind.
#define AT(source, constant) ((constant) ? source.number : source.column[i])

INLINE float NAME(clamp)(float v, float lower, float upper) {
  float w = v < upper ? v : upper;
  return w > lower ? w : lower;
}

INLINE float NAME(inverse)(float length) {
  float inverse = 1.0f / length;
  return length == 0.0f ? 0.0f : inverse;
}

/// To the nearest whole number, ties to even. Adding 2²³ leaves no room for a fraction.
INLINE float NAME(nearest)(float x) {
  float size = __builtin_fabsf(x);
  float whole = (size + 0x1p23f) - 0x1p23f;
  return __builtin_copysignf(size < 0x1p23f ? whole : size, x);
}

INLINE float NAME(floor)(float x) {
  float whole = NAME(nearest)(x);
  return whole > x ? whole - 1.0f : whole;
}

static void NAME(set)(size_t n, float *out, particles_source a) {
  if (a.column) {
    EACH out[i] = a.column[i];
  } else {
    EACH out[i] = a.number;
  }
}

static void NAME(add)(size_t n, float *out, particles_source a) {
  if (a.column) {
    EACH out[i] = out[i] + a.column[i];
  } else {
    EACH out[i] = out[i] + a.number;
  }
}

static void NAME(multiply)(size_t n, float *out, particles_source a) {
  if (a.column) {
    EACH out[i] = out[i] * a.column[i];
  } else {
    EACH out[i] = out[i] * a.number;
  }
}

INLINE void NAME(linear_of)(size_t n, float *out, particles_source a, bool ac, particles_source b,
                            bool bc, const float *c) {
  EACH out[i] = AT(a, ac) + AT(b, bc) * c[i];
}

static void NAME(linear)(size_t n, float *out, particles_source a, particles_source b,
                         const float *c) {
  if (a.column) {
    if (b.column) NAME(linear_of)(n, out, a, false, b, false, c);
    else NAME(linear_of)(n, out, a, false, b, true, c);
  } else {
    if (b.column) NAME(linear_of)(n, out, a, true, b, false, c);
    else NAME(linear_of)(n, out, a, true, b, true, c);
  }
}

INLINE void NAME(add_product_of)(size_t n, float *out, particles_source a, bool ac,
                                 particles_source b, bool bc) {
  EACH out[i] = out[i] + AT(a, ac) * AT(b, bc);
}

static void NAME(add_product)(size_t n, float *out, particles_source a, particles_source b) {
  if (a.column) {
    if (b.column) NAME(add_product_of)(n, out, a, false, b, false);
    else NAME(add_product_of)(n, out, a, false, b, true);
  } else {
    if (b.column) NAME(add_product_of)(n, out, a, true, b, false);
    else NAME(add_product_of)(n, out, a, true, b, true);
  }
}

static void NAME(shift)(size_t n, float *out, float start, float scale) {
  EACH out[i] = (out[i] - start) * scale;
}

static void NAME(clamp_all)(size_t n, float *out, particles_range range) {
  EACH out[i] = NAME(clamp)(out[i], range.lower, range.upper);
}

// MARK: Tracks

static void NAME(share)(size_t n, float *out, const float *age, const float *life) {
  EACH {
    float share = age[i] / life[i];
    share = share > 1.0f ? 1.0f : share;
    out[i] = life[i] <= 0.0f ? 1.0f : share;
  }
}

INLINE void NAME(mix_of)(size_t n, float *out, particles_source from, bool fc, particles_source to,
                         bool tc, const float *x, bool relative) {
  EACH {
    float a = AT(from, fc), b = AT(to, tc);
    out[i] = a + (relative ? b : b - a) * x[i];
  }
}

static void NAME(mix)(size_t n, float *out, particles_source from, particles_source to,
                      const float *x, bool relative) {
  if (relative) {
    NAME(linear)(n, out, from, to, x);
  } else if (from.column) {
    if (to.column) NAME(mix_of)(n, out, from, false, to, false, x, false);
    else NAME(mix_of)(n, out, from, false, to, true, x, false);
  } else {
    if (to.column) NAME(mix_of)(n, out, from, true, to, false, x, false);
    else NAME(mix_of)(n, out, from, true, to, true, x, false);
  }
}

INLINE void NAME(mix_line_of)(size_t n, float *out, particles_source from, bool fc,
                              particles_source to, bool tc, const float *x, bool relative,
                              particles_range range) {
  EACH {
    float a = AT(from, fc), b = AT(to, tc);
    float value = a + (relative ? b : b - a) * NAME(clamp)(x[i], 0.0f, 1.0f);
    out[i] = NAME(clamp)(value, range.lower, range.upper);
  }
}

static void NAME(mix_line)(size_t n, float *out, particles_source from, particles_source to,
                           const float *x, bool relative, particles_range range) {
  if (from.column) {
    if (to.column) NAME(mix_line_of)(n, out, from, false, to, false, x, relative, range);
    else NAME(mix_line_of)(n, out, from, false, to, true, x, relative, range);
  } else {
    if (to.column) NAME(mix_line_of)(n, out, from, true, to, false, x, relative, range);
    else NAME(mix_line_of)(n, out, from, true, to, true, x, relative, range);
  }
}

INLINE void NAME(mix_color_of)(size_t n, particles_color out, particles_color_source from, bool fc,
                               particles_color_source to, bool tc, const float *x,
                               particles_range range) {
  EACH {
    float share = NAME(clamp)(x[i], 0.0f, 1.0f);
    float r = AT(from.red, fc), g = AT(from.green, fc);
    float b = AT(from.blue, fc), a = AT(from.alpha, fc);
    r = r + (AT(to.red, tc) - r) * share;
    g = g + (AT(to.green, tc) - g) * share;
    b = b + (AT(to.blue, tc) - b) * share;
    a = a + (AT(to.alpha, tc) - a) * share;
    out.red[i] = NAME(clamp)(r, range.lower, range.upper);
    out.green[i] = NAME(clamp)(g, range.lower, range.upper);
    out.blue[i] = NAME(clamp)(b, range.lower, range.upper);
    out.alpha[i] = NAME(clamp)(a, range.lower, range.upper);
  }
}

static void NAME(mix_color)(size_t n, particles_color out, particles_color_source from,
                            particles_color_source to, const float *x, particles_range range) {
  if (from.red.column) {
    if (to.red.column) NAME(mix_color_of)(n, out, from, false, to, false, x, range);
    else NAME(mix_color_of)(n, out, from, false, to, true, x, range);
  } else {
    if (to.red.column) NAME(mix_color_of)(n, out, from, true, to, false, x, range);
    else NAME(mix_color_of)(n, out, from, true, to, true, x, range);
  }
}

/// A curve of many parts: each argument searches for its own part. The numbers are equal to the numbers of `curve`.
static void NAME(long_curve)(size_t n, float *out, const float *x, const particles_curve_part *parts,
                             size_t count) {
  for (size_t i = 0; i < n; i++) {
    size_t low = 0, high = count;
    while (high - low > 1) {
      size_t middle = low + (high - low) / 2;
      if (x[i] >= parts[middle].start) low = middle;
      else high = middle;
    }
    particles_curve_part p = parts[low];
    float s = x[i] - p.start;
    out[i] = low == 0 ? p.a
             : p.c == 0.0f && p.d == 0.0f ? p.a + s * p.b
                                          : p.a + s * (p.b + s * (p.c + s * p.d));
  }
}

static void NAME(curve)(size_t n, float *out, const float *x, const particles_curve_part *parts,
                        size_t count) {
  if (count > 64) {
    NAME(long_curve)(n, out, x, parts, count);
    return;
  }
  // Blocks, so that the result of one part is in registers or near them for the next.
  float value[64], at[64];
  for (size_t start = 0; start < n; start += 64) {
    size_t length = n - start < 64 ? n - start : 64;
    {
      size_t n = length;
      const float *from = x + start;
      float *to = out + start, first = parts[0].a;
      EACH {
        at[i] = from[i];
        value[i] = first;
      }
      for (size_t part = 1; part < count; part++) {
        particles_curve_part p = parts[part];
        if (p.c == 0.0f && p.d == 0.0f) {
          EACH {
            float here = p.a + (at[i] - p.start) * p.b;
            value[i] = at[i] >= p.start ? here : value[i];
          }
        } else {
          EACH {
            float s = at[i] - p.start;
            float here = p.a + s * (p.b + s * (p.c + s * p.d));
            value[i] = at[i] >= p.start ? here : value[i];
          }
        }
      }
      EACH to[i] = value[i];
    }
  }
}

static void NAME(wrap)(size_t n, float *x, float first, float period, bool mirrored) {
  if (mirrored) {
    EACH {
      float pair = ((x[i] - first) / period) * 0.5f;
      float share = (pair - NAME(floor)(pair)) * 2.0f;
      share = share > 1.0f ? 2.0f - share : share;
      x[i] = first + share * period;
    }
  } else {
    EACH {
      float turns = (x[i] - first) / period;
      x[i] = first + (turns - NAME(floor)(turns)) * period;
    }
  }
}

#include "MotionKernels.h"

#include "FunctionKernels.h"

// MARK: Emission and removal

/// Whether there are dead particles among 16.
INLINE bool NAME(has_dead)(const float *age, const float *life) {
  size_t n = 16;
  uint32_t dead = 0;
  EACH dead |= age[i] >= life[i] ? 1u : 0u;
  return dead != 0;
}

static size_t NAME(dead)(size_t n, const float *age, const float *life, size_t first,
                         size_t *places) {
  size_t count = 0, start = 0;
  for (; start + 16 <= n; start += 16) {
    // Most blocks have none.
    if (!NAME(has_dead)(age + start, life + start)) continue;
    for (size_t i = start; i < start + 16; i++) {
      places[count] = first + i;
      count += age[i] >= life[i];
    }
  }
  for (; start < n; start++) {
    places[count] = first + start;
    count += age[start] >= life[start];
  }
  return count;
}

/// Moves numbers up, the last ones first, so that none is overwritten before it is read.
INLINE void NAME(move_up)(float *to, const float *from, size_t n) {
  if (n >= 8) {
    // The first ones are moved last, together with some that are moved already.
    float first[8], eight[8];
    __builtin_memcpy(first, from, 32);
    for (; n > 8; n -= 8) {
      __builtin_memcpy(eight, from + n - 8, 32);
      __builtin_memcpy(to + n - 8, eight, 32);
      if (n < 16) break;
    }
    __builtin_memcpy(to, first, 32);
  } else {
    while (n > 0) {
      n--;
      to[n] = from[n];
    }
  }
}

INLINE void NAME(move_down)(float *to, const float *from, size_t n) {
  if (n >= 8) {
    float last[8], eight[8];
    __builtin_memcpy(last, from + n - 8, 32);
    for (size_t i = 0; i + 8 < n; i += 8) {
      __builtin_memcpy(eight, from + i, 32);
      __builtin_memcpy(to + i, eight, 32);
    }
    __builtin_memcpy(to + n - 8, last, 32);
  } else {
    for (size_t i = 0; i < n; i++) to[i] = from[i];
  }
}

// Column by column, so that the processor foresees the next read.

/// Moves two columns at once: the length of a gap is foreseen better.
INLINE void NAME(move_two_up)(float *a, float *b, size_t shift, size_t n) {
  if (n >= 8) {
    float first[8], second[8], eight[8];
    __builtin_memcpy(first, a, 32);
    __builtin_memcpy(second, b, 32);
    for (; n > 8; n -= 8) {
      __builtin_memcpy(eight, a + n - 8, 32);
      __builtin_memcpy(a + shift + n - 8, eight, 32);
      __builtin_memcpy(eight, b + n - 8, 32);
      __builtin_memcpy(b + shift + n - 8, eight, 32);
      if (n < 16) break;
    }
    __builtin_memcpy(a + shift, first, 32);
    __builtin_memcpy(b + shift, second, 32);
  } else {
    while (n > 0) {
      n--;
      a[n + shift] = a[n];
      b[n + shift] = b[n];
    }
  }
}

/// More than this many numbers are not in a cache, and two columns at once would be slower.
enum { NAME(MANY) = 1 << 18 };

static void NAME(close_up)(float *const *columns, size_t width, const size_t *holes, size_t count) {
  size_t column = 0;
  if (count > 0 && holes[count - 1] < NAME(MANY)) {
    for (; column + 2 <= width; column += 2) {
      for (size_t hole = count; hole-- > 0;) {
        size_t start = hole > 0 ? holes[hole - 1] + 1 : 0;
        NAME(move_two_up)(columns[column] + start, columns[column + 1] + start, count - hole,
                          holes[hole] - start);
      }
    }
  }
  for (; column < width; column++) {
    float *numbers = columns[column];
    for (size_t hole = count; hole-- > 0;) {
      size_t start = hole > 0 ? holes[hole - 1] + 1 : 0;
      NAME(move_up)(numbers + start + count - hole, numbers + start, holes[hole] - start);
    }
  }
}

static void NAME(close_down)(float *const *columns, size_t width, const size_t *holes, size_t count,
                             size_t n) {
  for (size_t column = 0; column < width; column++) {
    float *numbers = columns[column];
    for (size_t hole = 0; hole < count; hole++) {
      size_t start = holes[hole] + 1, end = hole + 1 < count ? holes[hole + 1] : n;
      NAME(move_down)(numbers + start - hole - 1, numbers + start, end - start);
    }
  }
}

static void NAME(sample)(size_t n, float *out, const uint64_t *hashes, uint64_t channel,
                         double least, double span, double lower, double upper) {
  uint64_t add = (channel + 1) * 0x9E3779B97F4A7C15u;
  EACH {
    uint64_t z = hashes[i] + add;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    double value = least + span * ((double)(int64_t)(z >> 11) * 0x1p-53);
    value = value < upper ? value : upper;
    out[i] = (float)(value > lower ? value : lower);
  }
}

#undef EACH
#undef INLINE
#undef AT
