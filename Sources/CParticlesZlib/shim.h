#ifndef CPARTICLES_ZLIB_SHIM_H
#define CPARTICLES_ZLIB_SHIM_H

#include <zlib.h>

// inflateInit2 is a macro, which Swift cannot import.
static inline int particles_inflateInit2(z_stream *stream, int windowBits) {
  return inflateInit2(stream, windowBits);
}

#endif
