#ifndef CPARTICLES_ZLIB_SHIM_H
#define CPARTICLES_ZLIB_SHIM_H

#include <zlib.h>

// These are macros, which Swift cannot import.
static inline int particles_inflateInit2(z_stream *stream, int windowBits) {
  return inflateInit2(stream, windowBits);
}

static inline int particles_deflateInit2(z_stream *stream, int level, int windowBits, int strategy) {
  return deflateInit2(stream, level, Z_DEFLATED, windowBits, 8, strategy);
}

#endif
