/* Times of libparticles for goals.py: goals LIBRARY load | goals LIBRARY calls. Prints nanoseconds. */
#define _GNU_SOURCE
#include "particles.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

/* The least time of a call in 1,000 rounds of 1,000, so that other programs count little. */
#define TIME(name, call) \
  do { \
    double least = 1e18; \
    for (int round = 0; round < 1000; round++) { \
      double start = now(); \
      for (int i = 0; i < 1000; i++) faults += (call) != PARTICLES_OK; \
      double time = (now() - start) / 1000; \
      if (time < least) least = time; \
    } \
    printf("%s %.1f\n", name, least); \
  } while (0)

#define FUNCTION(name) __typeof__(&name) call_##name = (__typeof__(&name))(void *)dlsym(library, #name)

/* Calls with a handle that have next to nothing to do, so that their time is mostly the cost of the interface: it looks up
   and checks the handle, drops faults and strings of the last call, and returns the status. ParticlesBench --calls measures
   these calls in Swift. */
static int calls(void *library) {
  FUNCTION(particles_effect_template);
  FUNCTION(particles_effect_kind);
  FUNCTION(particles_simulation_new);
  FUNCTION(particles_simulation_describe);
  FUNCTION(particles_simulation_columns);
  FUNCTION(particles_simulation_advance);
  FUNCTION(particles_columns_ordinals);
  FUNCTION(particles_package_new);
  FUNCTION(particles_package_put);
  FUNCTION(particles_blob_open);
  FUNCTION(particles_blob_read);
  FUNCTION(particles_error_text);
  FUNCTION(particles_api_version);
  particles_effect *effect;
  particles_simulation *simulation;
  particles_columns *columns;
  particles_package *package;
  particles_blob *blob;
  particles_simulation_state state = {.size = sizeof state};
  const uint64_t *numbers;
  char byte;
  int faults = 0;
  if (call_particles_effect_template("fire", &effect) || call_particles_simulation_new(effect, 0, 0, &simulation) ||
      call_particles_simulation_columns(simulation, 0, &columns) || call_particles_package_new(&package) ||
      call_particles_package_put(package, "a", "b", 1, 0) || call_particles_blob_open(package, "a", &blob, 0)) return 1;
  TIME("particles_api_version", call_particles_api_version() - 1);
  TIME("particles_error_text", *call_particles_error_text(effect));
  TIME("particles_effect_kind", !call_particles_effect_kind(effect));
  TIME("particles_simulation_advance", call_particles_simulation_advance(simulation, 0));
  TIME("particles_simulation_describe", call_particles_simulation_describe(simulation, 0, &state));
  TIME("particles_columns_ordinals", call_particles_columns_ordinals(columns, &numbers));
  TIME("particles_blob_read", call_particles_blob_read(blob, 0, &byte, 1));
  return faults;
}

int main(int count, char **arguments) {
  if (count < 3) return 64;
  double start = now();
  void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  FUNCTION(particles_version);
  if (!library || !call_particles_version || !*call_particles_version()) return 1;
  if (!strcmp(arguments[2], "calls")) return calls(library);
  printf("%.0f\n", now() - start);
  return 0;
}
