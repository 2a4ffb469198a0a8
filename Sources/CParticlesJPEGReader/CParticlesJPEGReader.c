#include "CParticlesJPEGReader.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

_Static_assert(sizeof((particles_jpeg *)0)->message >= JMSG_LENGTH_MAX, "messages fit");

/// A file that is read. Pointers to its first two members are those to the whole.
struct reader {
  struct jpeg_error_mgr errors;
  jmp_buf place;
  struct jpeg_decompress_struct info;
  struct jpeg_progress_mgr progress;
  int most_scans;
  int (*is_cancelled)(void);
  particles_jpeg *jpeg;
};

static struct reader *reader_of(j_common_ptr info) { return (struct reader *)info->err; }

_Noreturn static void fail(j_common_ptr info) {
  struct reader *reader = reader_of(info);
  (*info->err->format_message)(info, reader->jpeg->message);
  longjmp(reader->place, PARTICLES_JPEG_FAILED);
}

/// A warning is no failure, for example about bytes between two segments, but missing pixels are.
static void look(j_common_ptr info, int level) {
  if (level < 0 && info->err->msg_code == JWRN_JPEG_EOF) fail(info);
}

static void ignore(j_common_ptr info) { (void)info; }

static void go_on(j_common_ptr info) {
  struct reader *reader = reader_of(info);
  if (reader->info.input_scan_number > reader->most_scans) {
    snprintf(reader->jpeg->message, sizeof reader->jpeg->message, "more than %d scans", reader->most_scans);
    longjmp(reader->place, PARTICLES_JPEG_FAILED);
  }
  if (reader->is_cancelled()) longjmp(reader->place, PARTICLES_JPEG_CANCELLED);
}

/// Reads the header into `jpeg`. The caller has set the place to return to.
static void begin(struct reader *reader, const unsigned char *bytes, size_t count) {
  jpeg_create_decompress(&reader->info);
  jpeg_mem_src(&reader->info, bytes, count);
  jpeg_read_header(&reader->info, TRUE);
  particles_jpeg *jpeg = reader->jpeg;
  jpeg->width = (int)reader->info.image_width;
  jpeg->height = (int)reader->info.image_height;
  jpeg->has_inks = reader->info.jpeg_color_space == JCS_CMYK || reader->info.jpeg_color_space == JCS_YCCK;
  jpeg->is_of_adobe = reader->info.saw_Adobe_marker;
}

static void prepare(struct reader *reader, particles_jpeg *jpeg) {
  memset(reader, 0, sizeof *reader);
  reader->jpeg = jpeg;
  jpeg->message[0] = 0;
  reader->info.err = jpeg_std_error(&reader->errors);
  reader->errors.error_exit = fail;
  reader->errors.emit_message = look;
  reader->errors.output_message = ignore;
}

int particles_jpeg_open(particles_jpeg *jpeg, const unsigned char *bytes, size_t count) {
  struct reader reader;
  prepare(&reader, jpeg);
  int result = setjmp(reader.place);
  if (result == 0) begin(&reader, bytes, count);
  jpeg_destroy_decompress(&reader.info);
  return result;
}

int particles_jpeg_read(particles_jpeg *jpeg, const unsigned char *bytes, size_t count, unsigned char *pixels, size_t capacity,
                        int most_scans, int (*is_cancelled)(void)) {
  struct reader reader;
  prepare(&reader, jpeg);
  reader.most_scans = most_scans;
  reader.is_cancelled = is_cancelled;
  int result = setjmp(reader.place);
  if (result == 0) {
    begin(&reader, bytes, count);
    struct jpeg_decompress_struct *info = &reader.info;
    reader.progress.progress_monitor = go_on;
    info->progress = &reader.progress;
    info->out_color_space = jpeg->has_inks ? JCS_CMYK : JCS_EXT_RGBA;
    jpeg_start_decompress(info);
    size_t stride = (size_t)info->output_width * 4;
    if (stride * info->output_height != capacity) ERREXIT(info, JERR_BUFFER_SIZE);
    while (info->output_scanline < info->output_height) {
      JSAMPROW row = pixels + stride * info->output_scanline;
      jpeg_read_scanlines(info, &row, 1);
    }
  }
  jpeg_destroy_decompress(&reader.info);
  return result;
}
