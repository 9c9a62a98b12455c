// Inline shims only: no logic, but for the loop that libpng's jumps out of errors must not leave.
#pragma once
#include <png.h>
#include <string.h>

static const png_uint_32 confab_png_version = PNG_IMAGE_VERSION;
static const png_uint_32 confab_png_rgba = PNG_FORMAT_RGBA;

struct confab_png_source {
  const unsigned char *next;
  size_t count;
};

static inline void confab_png_read(png_structp png, png_bytep into, size_t count) {
  struct confab_png_source *source = (struct confab_png_source *)png_get_io_ptr(png);
  if (count > source->count) png_error(png, "cut");
  memcpy(into, source->next, count);
  source->next += count;
  source->count -= count;
}

static inline void confab_png_fail(png_structp png, png_const_charp words) { png_longjmp(png, 1); }
static inline void confab_png_ignore(png_structp png, png_const_charp words) {}

// Decodes a PNG that is not interlaced. Calls `take` after each row in `row`: RGB or, with four channels, RGBA. `row` has 4
// bytes for each pixel. Returns 0 if the file is interlaced or damaged.
static inline int confab_png_rows(
    const unsigned char *file, size_t count, unsigned char *row, void *own,
    void (*take)(void *own, int channels)) {
  struct confab_png_source source = {file, count};
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, confab_png_fail, confab_png_ignore);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  volatile int is_done = 0;
  if (info && setjmp(png_jmpbuf(png)) == 0) {
    png_set_read_fn(png, &source, confab_png_read);
    // Adler-32 is redundant: each chunk has a CRC.
    png_set_option(png, PNG_IGNORE_ADLER32, PNG_OPTION_ON);
    png_read_info(png, info);
    if (png_get_interlace_type(png, info) == PNG_INTERLACE_NONE) {
      png_set_expand(png);
      png_set_scale_16(png);
      png_set_gray_to_rgb(png);
      png_read_update_info(png, info);
      for (png_uint_32 left = png_get_image_height(png, info); left > 0; left--) {
        png_read_row(png, row, NULL);
        take(own, png_get_channels(png, info));
      }
      is_done = 1;
    }
  }
  png_destroy_read_struct(&png, &info, NULL);
  return is_done;
}
