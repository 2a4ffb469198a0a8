#ifndef CPARTICLES_KERNELS_H
#define CPARTICLES_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Loops over columns of particles. Each uses IEEE 754 operations only, in a fixed order and without contraction, so
// that it gives equal bits on every processor. On x86-64 there is a second build for AVX2. The program chooses the
// build when it runs. `n` is the number of particles. A result may be in the memory of an operand, at its place. Memory
// that overlaps otherwise is not permitted.

/// A number of each particle: a column, or one number for all.
typedef struct {
  const float *_Nullable column;
  float number;
} particles_source;

/// A part of a curve: from `start` on, with s the distance from it, a + b·s + c·s² + d·s³.
typedef struct {
  float start, a, b, c, d;
} particles_curve_part;

/// Lower and upper bound.
typedef struct {
  float lower, upper;
} particles_range;

/// Three columns.
typedef struct {
  float *_Nonnull x, *_Nonnull y, *_Nonnull z;
} particles_vectors;

/// Three numbers.
typedef struct {
  float x, y, z;
} particles_vector;

/// The columns of a colour.
typedef struct {
  float *_Nonnull red, *_Nonnull green, *_Nonnull blue, *_Nonnull alpha;
} particles_color;

/// A colour of each particle: four columns, or four numbers for all.
typedef struct {
  particles_source red, green, blue, alpha;
} particles_color_source;

/// Chooses the build for every processor, or the best one for this (the default). Returns whether the
/// build for AVX2 is in use.
bool particles_use_wide_kernels(bool wide);

// MARK: Memory

/// Memory for columns, at a multiple of 64, with unspecified contents. Much memory has large pages, so that the processor finds
/// it sooner. NULL if there is none. Pages that are never written take no memory.
void *_Nullable particles_columns_allocate(size_t bytes);
void particles_columns_free(void *_Nullable memory);

// MARK: Numbers

/// out = a
void particles_fill(size_t n, float *_Nonnull out, particles_source a);
/// out = out + a
void particles_add(size_t n, float *_Nonnull out, particles_source a);
/// out = out · a
void particles_multiply(size_t n, float *_Nonnull out, particles_source a);
/// out = out + a · b
void particles_add_product(size_t n, float *_Nonnull out, particles_source a, particles_source b);
/// out = a + b · c
void particles_linear(size_t n, float *_Nonnull out, particles_source a, particles_source b,
                      const float *_Nonnull c);
/// out = (out − start) · scale
void particles_shift(size_t n, float *_Nonnull out, float start, float scale);
/// Not a number becomes the upper bound.
void particles_clamp(size_t n, float *_Nonnull out, particles_range range);

// MARK: Tracks

/// out = age ÷ life, and 1 from the end of the life on.
void particles_share(size_t n, float *_Nonnull out, const float *_Nonnull age,
                     const float *_Nonnull life);
/// out = from + (to − from) · x, or from + to · x
void particles_mix(size_t n, float *_Nonnull out, particles_source from, particles_source to,
                   const float *_Nonnull x, bool relative);
/// out = from + (to − from) · x, or from + to · x, with x within 0 and 1, and the result in a range.
void particles_mix_line(size_t n, float *_Nonnull out, particles_source from, particles_source to,
                        const float *_Nonnull x, bool relative, particles_range range);
/// That for the parts of a colour: x is read once.
void particles_mix_color(size_t n, particles_color out, particles_color_source from,
                         particles_color_source to, const float *_Nonnull x,
                         particles_range range);
/// out = the value of a curve at x. The first part has no start.
void particles_curve(size_t n, float *_Nonnull out, const float *_Nonnull x,
                     const particles_curve_part *_Nonnull parts, size_t count);
/// Takes x into a period, again and again, or forwards and backwards.
void particles_wrap(size_t n, float *_Nonnull x, float first, float period, bool mirrored);

// MARK: Motion

/// Adds a time to ages. Returns whether a particle reached its lifetime.
bool particles_grow(size_t n, float *_Nonnull age, const float *_Nonnull life,
                    particles_source time);
/// Adds a time to ages, limited to the rest of each life. `out` receives the limited times.
bool particles_grow_to_end(size_t n, float *_Nonnull age, const float *_Nonnull life,
                           particles_source time, float *_Nonnull out);
/// v = v + a · time, x = x + v · time, or with the mean of the old and the new v.
void particles_fall(size_t n, float *_Nonnull x, float *_Nonnull v, float a, particles_source time,
                    bool trapezoid);
/// out = √((x − origin.x)² + …)
void particles_distance(size_t n, float *_Nonnull out, particles_vectors places,
                        particles_vector origin);
/// out = out + a · s ÷ |a|, with 0 for no length.
void particles_push(size_t n, particles_vectors out, particles_vectors a, particles_source s,
                    const float *_Nonnull length);
/// A force along the way from a centre, which `ways` receives with its length, less the part of the way along the axis
/// for a vortex.
void particles_ways(size_t n, particles_vectors ways, float *_Nonnull length,
                    particles_vectors places, particles_vector centre, particles_vector axis,
                    bool vortex);
/// Adds that force, or one at a right angle to it.
void particles_pull(size_t n, particles_vectors out, particles_vectors ways,
                    const float *_Nonnull length, particles_source strength,
                    const float *_Nullable factor, float farthest, particles_vector axis,
                    bool radial);
/// out = out + m · a, with the columns of m.
void particles_add_turned(size_t n, particles_vectors out, particles_vectors a,
                          particles_vector right, particles_vector up, particles_vector front);
/// a = a · (s ÷ |a|), or a · min(1, s ÷ |a|)
void particles_set_speed(size_t n, particles_vectors a, const float *_Nonnull s, bool limit);
/// a = a · s
void particles_scale(size_t n, particles_vectors a, particles_source s);
/// a = (a + b) · ½
void particles_average(size_t n, float *_Nonnull a, const float *_Nonnull b);
/// x = x + (v + noise) · time
void particles_integrate(size_t n, float *_Nonnull x, const float *_Nonnull v,
                         const float *_Nonnull noise, particles_source time);

/// Factors of the speed. The laws of drag are implicit: 1 ÷ (1 + s · t), Euler: 1 − s · t, constant: a loss of s · t,
/// limit: Euler for the part above the limit.
typedef enum {
  particles_drag_implicit, particles_drag_euler, particles_drag_constant, particles_drag_limit,
} particles_drag_law;
void particles_drag(size_t n, float *_Nonnull out, particles_source s, particles_source time,
                    const float *_Nonnull speed, float limit, particles_drag_law law);
/// Multiplies the part of v along a direction with a factor.
void particles_slow_along(size_t n, particles_vectors v, particles_source factor,
                          particles_vector direction);
/// out = |v · direction|
void particles_speed_along(size_t n, float *_Nonnull out, particles_vectors v,
                           particles_vector direction);

/// Places on an orbit: angle = start + turn · age + phase, in degrees.
void particles_orbit(size_t n, float *_Nonnull x, float *_Nonnull y, particles_source start,
                     particles_source turn, const float *_Nonnull age, float phase,
                     const float *_Nonnull radius, float originX, float originY);
/// Turns vectors by angles, whose sines and cosines these are, about an axis.
void particles_turn(size_t n, particles_vectors a, const float *_Nonnull sine,
                    const float *_Nonnull cosine, particles_vector axis, particles_vector origin);
/// Sines and cosines of angles in degrees. The error is below 2⁻²² for angles up to 10⁴°, and grows
/// with the rounding of the angle itself.
void particles_sine_cosine(size_t n, const float *_Nonnull degrees, float *_Nonnull sine,
                           float *_Nonnull cosine);
/// Sines and cosines of angles in degrees, computed in double precision and rounded.
void particles_sine_cosine_rounded(size_t n, const float *_Nonnull degrees, float *_Nonnull sine,
                                   float *_Nonnull cosine);
/// a = |a| · (right · cosine + up · sine)
void particles_head(size_t n, particles_vectors a, const float *_Nonnull sine,
                    const float *_Nonnull cosine, particles_vector right, particles_vector up);

// MARK: Functions

/// out = base to a power, for numbers of at least 0: the formula of `power`.
void particles_power(size_t n, float *_Nonnull out, const float *_Nonnull base, double exponent);
/// Adds the angles of directions in degrees, and an offset: the formula of `angleInDegrees`.
void particles_add_angle(size_t n, float *_Nonnull out, const float *_Nonnull x,
                         const float *_Nonnull y, double offset);
/// Smooth noise at places · factor, with z moved by `shift`: value noise, the sum of octaves. Each octave has twice the
/// frequency and half the weight of its predecessor.
void particles_noise(size_t n, particles_vectors out, particles_vectors places, double factor,
                     double shift, size_t octaves);

// MARK: Emission and removal

/// Sines and cosines of angles in degrees, in double precision: the formula of `sineAndCosine`.
void particles_sine_cosine_double(size_t n, const double *_Nonnull degrees, double *_Nonnull sine,
                                  double *_Nonnull cosine);

/// The places of particles that reached their lifetime, counted from `first`. Returns their number.
size_t particles_dead(size_t n, const float *_Nonnull age, const float *_Nonnull life, size_t first,
                      size_t *_Nonnull places);
/// Closes holes at ascending places: numbers before the last hole move up, so that the
/// columns begin `count` places later.
void particles_close_up(float *_Nonnull const *_Nonnull columns, size_t width,
                        const size_t *_Nonnull holes, size_t count);
/// Closes holes in columns of n numbers: numbers behind the first hole move down.
void particles_close_down(float *_Nonnull const *_Nonnull columns, size_t width,
                          const size_t *_Nonnull holes, size_t count, size_t n);
/// The random numbers of a channel, 0 ≤ u < 1, mapped to least + span · u within two bounds. `hashes` has one hash for
/// each particle.
void particles_sample(size_t n, float *_Nonnull out, const uint64_t *_Nonnull hashes,
                      uint64_t channel, double least, double span, double lower, double upper);

#endif
