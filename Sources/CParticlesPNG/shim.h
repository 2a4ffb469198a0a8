#ifndef CPARTICLES_PNG_SHIM_H
#define CPARTICLES_PNG_SHIM_H

#include <png.h>

/// Whether a picture is no longer wanted, other than 0.
typedef int (*particles_png_question)(void);

static particles_png_question particles_png_is_cancelled = 0;

static void particles_png_look(png_structp reader, png_uint_32 row, int pass) {
  (void)row, (void)pass;
  if (particles_png_is_cancelled()) png_error(reader, "cancelled");
}

/// Asks after each row of a picture that is about to be read whether it is wanted. The simplified interface of libpng
/// 1.6 has no function for that. Its control block begins with the reader.
static inline void particles_png_ask(png_image *image, particles_png_question question) {
#if PNG_LIBPNG_VER >= 10600 && PNG_LIBPNG_VER < 10700
  particles_png_is_cancelled = question;
  png_set_read_status_fn(*(png_structp *)image->opaque, particles_png_look);
#endif
}

#endif
