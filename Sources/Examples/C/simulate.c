/* Runs an effect for some seconds and prints the place and the colour of each particle.
     simulate FILE SECONDS */
#include <particles.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments) {
  if (count != 3) {
    fprintf(stderr, "usage: simulate FILE SECONDS\n");
    return 64;
  }
  particles_effect *effect;
  particles_simulation *simulation;
  uint64_t seed = 1;
  if (particles_effect_open(arguments[1], 0, &effect)) {
    fprintf(stderr, "simulate: %s\n", particles_error_text(effect));
    particles_effect_close(effect);
    return 2;
  }
  int status = particles_simulation_new(effect, &seed, 0, &simulation);
  if (status == PARTICLES_OK) status = particles_simulation_advance(simulation, atof(arguments[2]));
  if (status != PARTICLES_OK) fprintf(stderr, "simulate: %s\n", particles_error_text(simulation));
  particles_simulation_state state = {.size = sizeof state};
  if (status == PARTICLES_OK) status = particles_simulation_describe(simulation, -1, &state);
  for (int64_t emitter = 0; !status && emitter < state.emitters; emitter++) {
    /* The columns are the memory of the simulation. Nothing is copied. */
    particles_columns *columns;
    const char *names[] = {"x", "y", "red", "green", "blue", "alpha"};
    const float *numbers[6];
    if ((status = particles_simulation_columns(simulation, emitter, &columns))) break;
    int64_t particles = 0;
    for (int column = 0; column < 6; column++)
      particles_columns_get(columns, names[column], &numbers[column], &particles);
    for (int64_t i = 0; i < particles; i++) {
      printf("%lld", (long long)emitter);
      for (int column = 0; column < 6; column++) printf(" %g", numbers[column][i]);
      printf("\n");
    }
    particles_columns_close(columns);
  }
  particles_simulation_close(simulation);
  particles_effect_close(effect);
  return status == PARTICLES_OK ? 0 : 2;
}
