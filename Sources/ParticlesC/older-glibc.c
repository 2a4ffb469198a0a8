/* Functions that glibc has since 2.35 and 2.36, for the library to run with 2.34. link.sh compiles this into it; nothing else
   sees them. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/random.h>

#define HIDDEN __attribute__((visibility("hidden")))

/* Random bytes of the system, for the hashes of Swift. 2.36 */
HIDDEN void arc4random_buf(void *start, size_t count) {
  unsigned char *next = start;
  while (count) {
    ssize_t got = getrandom(next, count, 0);
    if (got < 0 && errno != EINTR) abort();
    if (got > 0) next += got, count -= (size_t)got;
  }
}

/* As glibc computes it since 2.35: no product of two floats overflows a double, and its square root is rounded once. */
HIDDEN float hypotf(float x, float y) {
  if (isinf(x) || isinf(y)) return INFINITY;
  return (float)sqrt((double)x * x + (double)y * y);
}

/* Finds the tables of a function for exceptions, which the library does not have. 2.35 */
HIDDEN int _dl_find_object(void *address, void *result) {
  (void)address, (void)result;
  return -1;
}
