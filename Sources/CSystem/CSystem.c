#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>

// Called by number: the wrapper came with glibc 2.28 and is absent from other C libraries.
static int rename_with_flags(const char *from, const char *to, unsigned int flags) {
  return syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, flags) == 0 ? 0 : errno;
}

int particles_rename_exclusive(const char *from, const char *to) {
  return rename_with_flags(from, to, 1 /* RENAME_NOREPLACE */);
}

int particles_rename_swap(const char *a, const char *b) {
  return rename_with_flags(a, b, 2 /* RENAME_EXCHANGE */);
}

#else

int particles_rename_exclusive(const char *from, const char *to) {
  return renamex_np(from, to, RENAME_EXCL) == 0 ? 0 : errno;
}

int particles_rename_swap(const char *a, const char *b) {
  return renamex_np(a, b, RENAME_SWAP) == 0 ? 0 : errno;
}

#endif
