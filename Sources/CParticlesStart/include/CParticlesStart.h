#ifndef CPARTICLES_START_H
#define CPARTICLES_START_H

/// Returns the arguments of the process, ended by NULL, or NULL itself if the C library does not pass them to
/// constructors. On Linux, Swift's `CommandLine` needs /proc/self/maps, which may be missing.
char *const *particles_arguments(void);

#endif
