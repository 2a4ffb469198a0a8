#ifndef CPARTICLES_INFLATE_H
#define CPARTICLES_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether a deflate stream (RFC 1951) uses no more than the format defines: at most 286 literal and
/// length codes and 30 distance codes, complete codes, and no code that is not assigned.
///
/// libdeflate accepts more than that. The stream must be one that libdeflate has accepted; distances
/// and lengths are not checked again. Nothing is read outside of the stream.
bool particles_deflate_is_strict(const uint8_t *_Nonnull stream, size_t count);

#endif
