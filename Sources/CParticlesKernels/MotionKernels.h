// Included by Kernels.h, once for each build.

INLINE bool NAME(grow_of)(size_t n, float *age, const float *life, particles_source time, bool tc) {
  uint32_t dead = 0;
  EACH {
    float older = age[i] + AT(time, tc);
    age[i] = older;
    dead |= older >= life[i] ? 1u : 0u;
  }
  return dead != 0;
}

static bool NAME(grow)(size_t n, float *age, const float *life, particles_source time) {
  return time.column ? NAME(grow_of)(n, age, life, time, false)
                     : NAME(grow_of)(n, age, life, time, true);
}

INLINE bool NAME(grow_to_end_of)(size_t n, float *age, const float *life, particles_source time,
                                 bool tc, float *out) {
  uint32_t dead = 0;
  EACH {
    float left = NAME(clamp)(AT(time, tc), 0.0f, life[i] - age[i]);
    float older = age[i] + left;
    out[i] = left;
    age[i] = older;
    dead |= older >= life[i] ? 1u : 0u;
  }
  return dead != 0;
}

static bool NAME(grow_to_end)(size_t n, float *age, const float *life, particles_source time,
                              float *out) {
  return time.column ? NAME(grow_to_end_of)(n, age, life, time, false, out)
                     : NAME(grow_to_end_of)(n, age, life, time, true, out);
}

INLINE void NAME(fall_of)(size_t n, float *x, float *v, float a, particles_source time, bool tc,
                          bool trapezoid) {
  EACH {
    float before = v[i], h = AT(time, tc);
    float after = before + a * h;
    v[i] = after;
    x[i] = x[i] + (trapezoid ? (after + before) * 0.5f : after) * h;
  }
}

static void NAME(fall)(size_t n, float *x, float *v, float a, particles_source time,
                       bool trapezoid) {
  if (a == 0.0f) {
    NAME(add_product)(n, x, (particles_source){.column = v}, time);
  } else if (time.column) {
    if (trapezoid) NAME(fall_of)(n, x, v, a, time, false, true);
    else NAME(fall_of)(n, x, v, a, time, false, false);
  } else {
    if (trapezoid) NAME(fall_of)(n, x, v, a, time, true, true);
    else NAME(fall_of)(n, x, v, a, time, true, false);
  }
}

static void NAME(distance)(size_t n, float *out, particles_vectors p, particles_vector o) {
  EACH {
    float x = p.x[i] - o.x, y = p.y[i] - o.y, z = p.z[i] - o.z;
    out[i] = __builtin_elementwise_sqrt(x * x + y * y + z * z);
  }
}

static void NAME(push)(size_t n, particles_vectors out, particles_vectors a, particles_source s,
                       const float *length) {
  if (s.column) {
    EACH {
      float f = s.column[i] * NAME(inverse)(length[i]);
      out.x[i] += a.x[i] * f;
      out.y[i] += a.y[i] * f;
      out.z[i] += a.z[i] * f;
    }
  } else {
    EACH {
      float f = s.number * NAME(inverse)(length[i]);
      out.x[i] += a.x[i] * f;
      out.y[i] += a.y[i] * f;
      out.z[i] += a.z[i] * f;
    }
  }
}

static void NAME(ways)(size_t n, particles_vectors w, float *length, particles_vectors p,
                       particles_vector c, particles_vector a, bool vortex) {
  EACH {
    float x = p.x[i] - c.x, y = p.y[i] - c.y, z = p.z[i] - c.z;
    float along = x * a.x + y * a.y + z * a.z;
    x = vortex ? x - along * a.x : x;
    y = vortex ? y - along * a.y : y;
    z = vortex ? z - along * a.z : z;
    w.x[i] = x;
    w.y[i] = y;
    w.z[i] = z;
    length[i] = __builtin_elementwise_sqrt(x * x + y * y + z * z);
  }
}

INLINE void NAME(pull_of)(size_t n, particles_vectors out, particles_vectors w, const float *length,
                          particles_source strength, bool sc, const float *factor, float farthest,
                          particles_vector a, bool radial) {
  EACH {
    float s = AT(strength, sc) * NAME(inverse)(length[i]);
    if (factor) s = s * factor[i];
    s = length[i] > farthest ? 0.0f : s;
    float x = w.x[i], y = w.y[i], z = w.z[i];
    out.x[i] += (radial ? x : a.y * z - a.z * y) * s;
    out.y[i] += (radial ? y : a.z * x - a.x * z) * s;
    out.z[i] += (radial ? z : a.x * y - a.y * x) * s;
  }
}

static void NAME(pull)(size_t n, particles_vectors out, particles_vectors w, const float *length,
                       particles_source s, const float *factor, float farthest, particles_vector a,
                       bool radial) {
  if (factor) {
    if (s.column) NAME(pull_of)(n, out, w, length, s, false, factor, farthest, a, radial);
    else NAME(pull_of)(n, out, w, length, s, true, factor, farthest, a, radial);
  } else if (radial) {
    if (s.column) NAME(pull_of)(n, out, w, length, s, false, 0, farthest, a, true);
    else NAME(pull_of)(n, out, w, length, s, true, 0, farthest, a, true);
  } else {
    if (s.column) NAME(pull_of)(n, out, w, length, s, false, 0, farthest, a, false);
    else NAME(pull_of)(n, out, w, length, s, true, 0, farthest, a, false);
  }
}

static void NAME(add_turned)(size_t n, particles_vectors out, particles_vectors a,
                             particles_vector r, particles_vector u, particles_vector f) {
  EACH {
    float x = a.x[i], y = a.y[i], z = a.z[i];
    out.x[i] += x * r.x + y * u.x + z * f.x;
    out.y[i] += x * r.y + y * u.y + z * f.y;
    out.z[i] += x * r.z + y * u.z + z * f.z;
  }
}

static void NAME(set_speed)(size_t n, particles_vectors a, const float *s, bool limit) {
  EACH {
    float x = a.x[i], y = a.y[i], z = a.z[i];
    float f = s[i] * NAME(inverse)(__builtin_elementwise_sqrt(x * x + y * y + z * z));
    if (limit) f = f < 1.0f ? f : 1.0f;
    a.x[i] = x * f;
    a.y[i] = y * f;
    a.z[i] = z * f;
  }
}

static void NAME(scale)(size_t n, particles_vectors a, particles_source s) {
  NAME(multiply)(n, a.x, s);
  NAME(multiply)(n, a.y, s);
  NAME(multiply)(n, a.z, s);
}

static void NAME(average)(size_t n, float *a, const float *b) {
  EACH a[i] = (a[i] + b[i]) * 0.5f;
}

static void NAME(integrate)(size_t n, float *x, const float *v, const float *noise,
                            particles_source time) {
  if (time.column) {
    EACH x[i] = x[i] + (v[i] + noise[i]) * time.column[i];
  } else {
    EACH x[i] = x[i] + (v[i] + noise[i]) * time.number;
  }
}

INLINE void NAME(drag_of)(size_t n, float *out, particles_source strength, bool sc,
                          particles_source time, bool tc, const float *speed, float limit,
                          particles_drag_law law) {
  switch (law) {
    case particles_drag_implicit:
      EACH out[i] = 1.0f / (1.0f + AT(strength, sc) * AT(time, tc));
      break;
    case particles_drag_euler:
      EACH {
        float loss = AT(strength, sc) * AT(time, tc);
        out[i] = 1.0f - (loss < 1.0f ? loss : 1.0f);
      }
      break;
    case particles_drag_constant:
      EACH {
        float rest = speed[i] - AT(strength, sc) * AT(time, tc);
        out[i] = (rest > 0.0f ? rest : 0.0f) * NAME(inverse)(speed[i]);
      }
      break;
    case particles_drag_limit:
      EACH {
        float excess = speed[i] - limit, loss = AT(strength, sc) * AT(time, tc);
        excess = excess > 0.0f ? excess : 0.0f;
        loss = loss < 1.0f ? loss : 1.0f;
        out[i] = (speed[i] - loss * excess) * NAME(inverse)(speed[i]);
      }
      break;
  }
}

static void NAME(drag)(size_t n, float *out, particles_source s, particles_source time,
                       const float *speed, float limit, particles_drag_law law) {
  if (s.column) {
    if (time.column) NAME(drag_of)(n, out, s, false, time, false, speed, limit, law);
    else NAME(drag_of)(n, out, s, false, time, true, speed, limit, law);
  } else {
    if (time.column) NAME(drag_of)(n, out, s, true, time, false, speed, limit, law);
    else NAME(drag_of)(n, out, s, true, time, true, speed, limit, law);
  }
}

static void NAME(slow_along)(size_t n, particles_vectors v, particles_source factor,
                             particles_vector d) {
  bool constant = !factor.column;
  EACH {
    float along = v.x[i] * d.x + v.y[i] * d.y + v.z[i] * d.z;
    float change = along * ((constant ? factor.number : factor.column[i]) - 1.0f);
    v.x[i] += change * d.x;
    v.y[i] += change * d.y;
    v.z[i] += change * d.z;
  }
}

static void NAME(speed_along)(size_t n, float *out, particles_vectors v, particles_vector d) {
  EACH {
    float along = v.x[i] * d.x + v.y[i] * d.y + v.z[i] * d.z;
    out[i] = along < 0.0f ? -along : along;
  }
}

/// Polynomials for the quarter of a turn around the nearest multiple of 90°.
INLINE void NAME(sine_cosine_of)(float degrees, float *sine, float *cosine) {
  float quarter = NAME(nearest)(degrees * (1.0f / 90.0f));
  // π is rounded down here.
  float x = (degrees - quarter * 90.0f) * (0x1.921fb4p1f / 180.0f);
  float y = x * x;
  float s = y * 2.7557319e-6f - 0.00019841270f;
  s = y * s + 0.008333333f;
  s = y * s - 0.16666667f;
  s = x + x * (y * s);
  float c = 2.4801587e-5f - y * 2.7557319e-7f;
  c = y * c - 0.0013888889f;
  c = y * c + 0.041666668f;
  c = y * c - 0.5f;
  c = 1.0f + y * c;
  float turn = quarter - 4.0f * NAME(floor)(quarter * 0.25f);
  bool odd = (turn == 1.0f) | (turn == 3.0f);
  float a = odd ? c : s, b = odd ? s : c;
  *sine = turn >= 2.0f ? -a : a;
  *cosine = ((turn == 1.0f) | (turn == 2.0f)) ? -b : b;
}

static void NAME(sine_cosine)(size_t n, const float *degrees, float *sine, float *cosine) {
  EACH {
    float s, c;
    NAME(sine_cosine_of)(degrees[i], &s, &c);
    sine[i] = s;
    cosine[i] = c;
  }
}

/// To the nearest whole number, ties to even.
INLINE double NAME(nearest_double)(double x) {
  double size = __builtin_fabs(x);
  double whole = (size + 0x1p52) - 0x1p52;
  return __builtin_copysign(size < 0x1p52 ? whole : size, x);
}

INLINE void NAME(sine_cosine_double_of)(double angle, double *sine, double *cosine) {
  bool finite = __builtin_fabs(angle) <= 0x1.fffffffffffffp1023;
  angle = finite ? angle : 0.0;
  double quarter = NAME(nearest_double)(angle / 90.0);
  double x = (angle - quarter * 90.0) * (0x1.921fb54442d18p1 / 180.0);
  double y = x * x;
  double s = 1 / 355687428096000.0;
  s = s * y - 1 / 1307674368000.0;
  s = s * y + 1 / 6227020800.0;
  s = s * y - 1 / 39916800.0;
  s = s * y + 1 / 362880.0;
  s = s * y - 1 / 5040.0;
  s = s * y + 1 / 120.0;
  s = s * y - 1 / 6.0;
  s = (s * y + 1) * x;
  double c = 1 / 20922789888000.0;
  c = c * y - 1 / 87178291200.0;
  c = c * y + 1 / 479001600.0;
  c = c * y - 1 / 3628800.0;
  c = c * y + 1 / 40320.0;
  c = c * y - 1 / 720.0;
  c = c * y + 1 / 24.0;
  c = c * y - 1 / 2.0;
  c = c * y + 1;
  double pairs = quarter * 0.25, whole = NAME(nearest_double)(pairs);
  whole = whole > pairs ? whole - 1.0 : whole;
  double turn = quarter - 4.0 * whole;
  turn = __builtin_fabs(quarter) < 0x1p60 ? turn : 0.0;
  bool odd = (turn == 1.0) | (turn == 3.0);
  double a = odd ? c : s, b = odd ? s : c;
  *sine = turn >= 2.0 ? -a : a;
  *cosine = ((turn == 1.0) | (turn == 2.0)) ? -b : b;
}

static void NAME(sine_cosine_double)(size_t n, const double *degrees, double *sine,
                                     double *cosine) {
  EACH {
    double s, c;
    NAME(sine_cosine_double_of)(degrees[i], &s, &c);
    sine[i] = s;
    cosine[i] = c;
  }
}

static void NAME(sine_cosine_rounded)(size_t n, const float *degrees, float *sine,
                                      float *cosine) {
  EACH {
    double s, c;
    NAME(sine_cosine_double_of)((double)degrees[i], &s, &c);
    sine[i] = (float)s;
    cosine[i] = (float)c;
  }
}

static void NAME(head)(size_t n, particles_vectors v, const float *sine, const float *cosine,
                       particles_vector r, particles_vector u) {
  EACH {
    float x = v.x[i], y = v.y[i], z = v.z[i];
    float speed = __builtin_elementwise_sqrt(x * x + y * y + z * z);
    v.x[i] = speed * (r.x * cosine[i] + u.x * sine[i]);
    v.y[i] = speed * (r.y * cosine[i] + u.y * sine[i]);
    v.z[i] = speed * (r.z * cosine[i] + u.z * sine[i]);
  }
}

INLINE void NAME(orbit_of)(size_t n, float *x, float *y, particles_source start, bool sc,
                           particles_source turn, bool tc, const float *age, float phase,
                           const float *radius, float ox, float oy) {
  EACH {
    float s, c;
    NAME(sine_cosine_of)(AT(start, sc) + AT(turn, tc) * age[i] + phase, &s, &c);
    x[i] = ox + radius[i] * c;
    y[i] = oy + radius[i] * s;
  }
}

static void NAME(orbit)(size_t n, float *x, float *y, particles_source start, particles_source turn,
                        const float *age, float phase, const float *radius, float ox, float oy) {
  if (start.column) {
    if (turn.column) NAME(orbit_of)(n, x, y, start, false, turn, false, age, phase, radius, ox, oy);
    else NAME(orbit_of)(n, x, y, start, false, turn, true, age, phase, radius, ox, oy);
  } else {
    if (turn.column) NAME(orbit_of)(n, x, y, start, true, turn, false, age, phase, radius, ox, oy);
    else NAME(orbit_of)(n, x, y, start, true, turn, true, age, phase, radius, ox, oy);
  }
}

static void NAME(turn)(size_t n, particles_vectors v, const float *sine, const float *cosine,
                       particles_vector a, particles_vector o) {
  EACH {
    float s = sine[i], c = cosine[i];
    float x = v.x[i] - o.x, y = v.y[i] - o.y, z = v.z[i] - o.z;
    float along = (x * a.x + y * a.y + z * a.z) * (1.0f - c);
    v.x[i] = o.x + (x * c + (a.y * z - a.z * y) * s + a.x * along);
    v.y[i] = o.y + (y * c + (a.z * x - a.x * z) * s + a.y * along);
    v.z[i] = o.z + (z * c + (a.x * y - a.y * x) * s + a.z * along);
  }
}
