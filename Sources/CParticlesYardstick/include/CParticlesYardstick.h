#ifndef CPARTICLES_YARDSTICK_H
#define CPARTICLES_YARDSTICK_H

#include <stddef.h>

// Loops that the simulation is compared with, built for every processor of the architecture.

enum { particles_yardstick_columns = 25 };

/// A step of `n` particles that neither begin nor die, in one loop without any choice: ballistic motion under gravity,
/// spin, and size and colour over life. Columns: x, y, vx, vy, age, life, size from and to, angle, spin, red, green,
/// blue and alpha from, then to. The results follow: size, angle, red, green, blue, alpha and one unused column.
void particles_yardstick_step(size_t n, float *_Nonnull const *_Nonnull columns, float time);

/// a = b + s · c
void particles_yardstick_triad(size_t n, float *_Nonnull a, const float *_Nonnull b,
                               const float *_Nonnull c, float s);

#endif
