#ifndef PARTICLES_FAST_H
#define PARTICLES_FAST_H

#include "CParticlesCompression.h"

// libdeflate, where the macro FastLibraries is set. Elsewhere there is no compressor and no checksum.

typedef struct FastDeflater FastDeflater;

FastDeflater *fast_new(int level);
void fast_free(FastDeflater *deflater);

size_t fast_deflate(
    FastDeflater *deflater, const uint8_t *bytes, size_t count, particles_wrapping wrapping,
    uint8_t *output, size_t room);

/// Adds bytes to a checksum. Returns false if this is not done.
bool fast_crc32(uint32_t *sum, const uint8_t *bytes, size_t size);

#endif
