#include "CParticlesStart.h"

#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

static char *const *arguments;

// glibc and macOS pass the arguments of the process to constructors, but musl does not.
#if defined(__GLIBC__) || defined(__APPLE__)

// The priority places it before the constructors of the Swift runtime in a static executable.
__attribute__((constructor(101))) static void start(int count, char **words, char **environment) {
  (void)environment;
  if (count > 0) arguments = words;
#ifdef __linux__
  // The runtime searches for its crash reporter beside /proc/self/exe and aborts if that is missing, as
  // in a chroot. It does not search if it has a path.
  if (access("/proc/self/exe", F_OK) != 0)
    setenv("SWIFT_BACKTRACE", "enable=no,swift-backtrace=/nonexistent", 1);
#endif
}

#endif

char *const *particles_arguments(void) { return arguments; }
