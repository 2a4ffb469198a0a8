#include "CParticlesYardstick.h"

static inline float clamped(float v) {
  float w = v < 1.0f ? v : 1.0f;
  return w > 0.0f ? w : 0.0f;
}

void particles_yardstick_step(size_t n, float *const *columns, float time) {
  float *x = columns[0], *y = columns[1], *vx = columns[2], *vy = columns[3], *age = columns[4];
  const float *life = columns[5], *size0 = columns[6], *size1 = columns[7], *angle0 = columns[8];
  const float *spin = columns[9], *r0 = columns[10], *g0 = columns[11], *b0 = columns[12];
  const float *a0 = columns[13], *r1 = columns[14], *g1 = columns[15], *b1 = columns[16];
  const float *a1 = columns[17];
  float *size = columns[18], *angle = columns[19], *r = columns[20], *g = columns[21];
  float *b = columns[22], *a = columns[23];
#pragma clang loop vectorize(assume_safety)
  for (size_t i = 0; i < n; i++) {
    float older = age[i] + time;
    age[i] = older;
    float u = vx[i] + 3.0f * time, v = vy[i] - 60.0f * time;
    vx[i] = u;
    vy[i] = v;
    x[i] += u * time;
    y[i] += v * time;
    float share = clamped(older / life[i]);
    size[i] = size0[i] + (size1[i] - size0[i]) * share;
    angle[i] = angle0[i] + spin[i] * older;
    r[i] = clamped(r0[i] + (r1[i] - r0[i]) * share);
    g[i] = clamped(g0[i] + (g1[i] - g0[i]) * share);
    b[i] = clamped(b0[i] + (b1[i] - b0[i]) * share);
    a[i] = clamped(a0[i] + (a1[i] - a0[i]) * share);
  }
}

void particles_yardstick_triad(size_t n, float *a, const float *b, const float *c, float s) {
#pragma clang loop vectorize(assume_safety)
  for (size_t i = 0; i < n; i++) a[i] = b[i] + s * c[i];
}
