#ifndef CPARTICLES_JPEG_READER_H
#define CPARTICLES_JPEG_READER_H

#include <stddef.h>

/// The facts of a JPEG file, and the result of reading it.
typedef struct {
  int width;
  int height;
  /// Whether it has inks instead of colours: cyan, magenta, yellow and black.
  int has_inks;
  /// Whether Adobe's segment is in it: then the inks are inverted.
  int is_of_adobe;
  /// The message of libjpeg after a failure.
  char message[256];
} particles_jpeg;

enum { PARTICLES_JPEG_READ, PARTICLES_JPEG_FAILED, PARTICLES_JPEG_CANCELLED };

/// Reads the header. Returns one of the numbers above.
int particles_jpeg_open(particles_jpeg *jpeg, const unsigned char *bytes, size_t count);

/// Reads the pixels: red, green, blue and 255, or four inks, row by row from the top.
///
/// `capacity` is the size of `pixels`: 4 * width * height. A file with more scans than `most_scans` is a failure, because each
/// scan takes the time of a whole picture. So is a file that ends before its last pixel. `is_cancelled` is asked after each
/// row of blocks.
int particles_jpeg_read(particles_jpeg *jpeg, const unsigned char *bytes, size_t count, unsigned char *pixels, size_t capacity,
                        int most_scans, int (*is_cancelled)(void));

#endif
