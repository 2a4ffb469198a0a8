// Included by Kernels.h, once for each build. The formulas in double precision follow ElementaryFunctions.swift, operation by
// operation, so that single numbers and columns have equal bits.

/// 1 + x/3 + x²/5 + … + x¹⁰/21
INLINE double NAME(odd_reciprocals)(double x) {
  double sum = 1 / 21.0;
  sum = sum * x + 1 / 19.0;
  sum = sum * x + 1 / 17.0;
  sum = sum * x + 1 / 15.0;
  sum = sum * x + 1 / 13.0;
  sum = sum * x + 1 / 11.0;
  sum = sum * x + 1 / 9.0;
  sum = sum * x + 1 / 7.0;
  sum = sum * x + 1 / 5.0;
  sum = sum * x + 1 / 3.0;
  return sum * x + 1;
}

INLINE uint64_t NAME(bits_of)(double x) {
  uint64_t bits;
  __builtin_memcpy(&bits, &x, 8);
  return bits;
}

INLINE double NAME(double_of)(uint64_t bits) {
  double x;
  __builtin_memcpy(&x, &bits, 8);
  return x;
}

/// The integer part of a number. Numbers beyond the range of `int32_t` become its nearest end, NaN the lower one. The cast
/// of C is undefined there. It is in this function alone, which `make fuzz` builds with a check of casts.
INLINE int32_t NAME(saturated)(double number) {
  double above = number > -2147483648.0 ? number : -2147483648.0;
  return (int32_t)(above < 2147483647.0 ? above : 2147483647.0);
}

/// The logarithm to base 2 of a number that was a float.
INLINE double NAME(logarithm)(double number) {
  uint64_t bits = NAME(bits_of)(number);
  double exponent = (double)(int32_t)(bits >> 52) - 1023.0;
  double x = NAME(double_of)((bits & 0xFFFFFFFFFFFFFu) | 0x3FF0000000000000u);
  bool large = x > 1.4142135623730951;
  exponent = large ? exponent + 1.0 : exponent;
  x = large ? x / 2.0 : x;
  double ratio = (x - 1.0) / (x + 1.0);
  double sum = NAME(odd_reciprocals)(ratio * ratio);
  double result = exponent + 2.0 * ratio * sum * 1.4426950408889634;
  result = number <= 0x1.fffffffffffffp1023 ? result : 1024.0;
  return number > 0.0 ? result : -1022.0;
}

INLINE double NAME(power_of_two)(double exponent) {
  bool small = !(exponent > -1022.0), great = exponent >= 1023.0;
  double bounded = (small | great) ? 0.0 : exponent;
  double whole = NAME(nearest_double)(bounded);
  double x = (bounded - whole) * 0.6931471805599453;
  double sum = 1.0;
  for (int index = 14; index >= 1; index--) sum = 1.0 + sum * x / (double)index;
  double result = NAME(double_of)((uint64_t)((int64_t)NAME(saturated)(whole) + 1023) << 52) * sum;
  result = great ? 0x1.fffffffffffffp1023 : result;
  result = small ? 0.0 : result;
  return exponent != exponent ? 1.0 : result;
}

static void NAME(power)(size_t n, float *out, const float *base, double exponent) {
  double atZero = exponent == 0.0 ? 1.0 : 0.0;
  EACH {
    double number = (double)base[i];
    double value = NAME(power_of_two)(exponent * NAME(logarithm)(number));
    out[i] = (float)(number <= 0.0 ? atZero : value);
  }
}

static void NAME(add_angle)(size_t n, float *out, const float *vx, const float *vy,
                            double offset) {
  EACH {
    double x = (double)vx[i], y = (double)vy[i];
    double width = __builtin_fabs(x), height = __builtin_fabs(y);
    bool steep = height > width;
    double ratio = (steep ? width : height) / (steep ? height : width);
    ratio = ratio / (1.0 + __builtin_elementwise_sqrt(1.0 + ratio * ratio));
    ratio = ratio / (1.0 + __builtin_elementwise_sqrt(1.0 + ratio * ratio));
    double sum = NAME(odd_reciprocals)(-(ratio * ratio));
    double angle = 4.0 * ratio * sum * (180.0 / 0x1.921fb54442d18p1);
    angle = steep ? 90.0 - angle : angle;
    angle = x < 0.0 ? 180.0 - angle : angle;
    angle = y < 0.0 ? -angle : angle;
    bool known = (width <= 0x1.fffffep127) & (height <= 0x1.fffffep127) & (width + height > 0.0);
    out[i] += (float)((known ? angle : 0.0) + offset);
  }
}

// MARK: Noise

INLINE double NAME(fade)(double x) { return x * x * x * (x * (x * 6.0 - 15.0) + 10.0); }

INLINE double NAME(between)(double a, double b, double share) { return a + (b - a) * share; }

/// The random numbers of a point of the lattice. `column` is its x times the first factor.
INLINE uint64_t NAME(corner)(uint64_t column, uint64_t y, uint64_t z) {
  uint64_t hash = (column ^ y) * 0xBF58476D1CE4E5B9u;
  hash = ((hash ^ hash >> 29) + z) * 0x94D049BB133111EBu;
  hash = (hash ^ hash >> 32) * 0x9E3779B97F4A7C15u;
  return hash ^ hash >> 29;
}

/// A component of the vector of a point, −1 to 1.
INLINE double NAME(component)(uint64_t hash, int shift) {
  return (double)(int32_t)(hash >> shift & 0x1FFFFF) * 0x1p-20 - 1.0;
}

/// A component between the corners of a cell, those with the lower z first.
INLINE double NAME(lattice)(const uint64_t *c, int shift, double fx, double fy, double fz) {
  double ab = NAME(between)(NAME(component)(c[0], shift), NAME(component)(c[1], shift), fx);
  double cd = NAME(between)(NAME(component)(c[2], shift), NAME(component)(c[3], shift), fx);
  double ef = NAME(between)(NAME(component)(c[4], shift), NAME(component)(c[5], shift), fx);
  double gh = NAME(between)(NAME(component)(c[6], shift), NAME(component)(c[7], shift), fx);
  return NAME(between)(NAME(between)(ab, cd, fy), NAME(between)(ef, gh, fy), fz);
}

/// Adds an octave to `sum` and doubles `at`.
INLINE void NAME(add_octave)(size_t n, double *ax, double *ay, double *az, double *sx, double *sy,
                             double *sz, double weight) {
  EACH {
    double x = ax[i], y = ay[i], z = az[i];
    bool known = (__builtin_fabs(x) < 1e9) & (__builtin_fabs(y) < 1e9) & (__builtin_fabs(z) < 1e9);
    int32_t cx = NAME(saturated)(x), cy = NAME(saturated)(y), cz = NAME(saturated)(z);
    cx -= (double)cx > x ? 1 : 0;
    cy -= (double)cy > y ? 1 : 0;
    cz -= (double)cz > z ? 1 : 0;
    double fx = NAME(fade)(x - (double)cx), fy = NAME(fade)(y - (double)cy);
    double fz = NAME(fade)(z - (double)cz);
    uint64_t left = (uint64_t)(int64_t)cx * 0x9E3779B97F4A7C15u, right = left + 0x9E3779B97F4A7C15u;
    uint64_t low = (uint64_t)(int64_t)cy, high = low + 1;
    uint64_t near = (uint64_t)(int64_t)cz, far = near + 1;
    uint64_t a = NAME(corner)(left, low, near), b = NAME(corner)(right, low, near);
    uint64_t c = NAME(corner)(left, high, near), d = NAME(corner)(right, high, near);
    uint64_t e = NAME(corner)(left, low, far), f = NAME(corner)(right, low, far);
    uint64_t g = NAME(corner)(left, high, far), h = NAME(corner)(right, high, far);
    uint64_t corners[8] = {a, b, c, d, e, f, g, h};
    double u = NAME(lattice)(corners, 0, fx, fy, fz);
    double v = NAME(lattice)(corners, 21, fx, fy, fz);
    double w = NAME(lattice)(corners, 42, fx, fy, fz);
    sx[i] = sx[i] + (known ? u : 0.0) * weight;
    sy[i] = sy[i] + (known ? v : 0.0) * weight;
    sz[i] = sz[i] + (known ? w : 0.0) * weight;
    ax[i] = ax[i] * 2.0;
    ay[i] = ay[i] * 2.0;
    az[i] = az[i] * 2.0;
  }
}

static void NAME(noise)(size_t n, particles_vectors out, particles_vectors p, double factor,
                        double shift, size_t octaves) {
  // Blocks, so that the sums of octaves stay in the nearest cache.
  double ax[64], ay[64], az[64], sx[64], sy[64], sz[64];
  for (size_t start = 0; start < n; start += 64) {
    size_t length = n - start < 64 ? n - start : 64;
    for (size_t i = 0; i < length; i++) {
      ax[i] = (double)p.x[start + i] * factor;
      ay[i] = (double)p.y[start + i] * factor;
      az[i] = (double)p.z[start + i] * factor + shift;
      sx[i] = sy[i] = sz[i] = 0.0;
    }
    double weight = 1.0;
    for (size_t octave = 0; octave < octaves; octave++, weight /= 2.0) {
      NAME(add_octave)(length, ax, ay, az, sx, sy, sz, weight);
    }
    for (size_t i = 0; i < length; i++) {
      out.x[start + i] = (float)sx[i];
      out.y[start + i] = (float)sy[i];
      out.z[start + i] = (float)sz[i];
    }
  }
}
