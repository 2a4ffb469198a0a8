#include "Fast.h"

#ifdef FastLibraries

#include <libdeflate.h>

FastDeflater *fast_new(int level) { return (FastDeflater *)libdeflate_alloc_compressor(level); }

void fast_free(FastDeflater *deflater) {
  libdeflate_free_compressor((struct libdeflate_compressor *)deflater);
}

size_t fast_deflate(
    FastDeflater *deflater, const uint8_t *bytes, size_t count, particles_wrapping wrapping,
    uint8_t *output, size_t room) {
  struct libdeflate_compressor *compressor = (struct libdeflate_compressor *)deflater;
  switch (wrapping) {
    case PARTICLES_BARE: return libdeflate_deflate_compress(compressor, bytes, count, output, room);
    case PARTICLES_ZLIB: return libdeflate_zlib_compress(compressor, bytes, count, output, room);
    case PARTICLES_GZIP: return libdeflate_gzip_compress(compressor, bytes, count, output, room);
  }
  return 0;
}

bool fast_crc32(uint32_t *sum, const uint8_t *bytes, size_t size) {
  *sum = libdeflate_crc32(*sum, bytes, size);
  return true;
}

#else

FastDeflater *fast_new(int level) {
  (void)level;
  return NULL;
}

void fast_free(FastDeflater *deflater) { (void)deflater; }

size_t fast_deflate(
    FastDeflater *deflater, const uint8_t *bytes, size_t count, particles_wrapping wrapping,
    uint8_t *output, size_t room) {
  (void)deflater, (void)bytes, (void)count, (void)wrapping, (void)output, (void)room;
  return 0;
}

bool fast_crc32(uint32_t *sum, const uint8_t *bytes, size_t size) {
  (void)sum, (void)bytes, (void)size;
  return false;
}

#endif
