/* Writes a picture as PNG, JPEG and WebP: soft forms and grain, as a photo has.

   usage: picture_maker FOLDER COLUMNS ROWS */

#include <math.h>
#include <png.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <turbojpeg.h>
#include <unistd.h>
#include <webp/encode.h>

static int save(const char *path, const void *bytes, size_t count) {
  FILE *file = fopen(path, "wb");
  return file && fwrite(bytes, 1, count, file) == count && fclose(file) == 0;
}

static uint8_t *photo(int columns, int rows) {
  uint8_t *pixels = malloc((size_t)columns * rows * 3), *next = pixels;
  uint32_t noise = 1;
  for (int y = 0; pixels && y < rows; y++)
    for (int x = 0; x < columns; x++)
      for (int c = 0; c < 3; c++) {
        noise = noise * 1664525 + 1013904223;
        float form = sinf(x / (90.f + 40 * c)) * cosf(y / (70.f + 30 * c)) + sinf((x + y) / 400.f);
        *next++ = (uint8_t)(128 + 50 * form + (noise >> 24) % 5);
      }
  return pixels;
}

static int save_png(const uint8_t *pixels, int columns, int rows) {
  png_image png = {.version = PNG_IMAGE_VERSION, .width = columns, .height = rows, .format = PNG_FORMAT_RGB};
  return png_image_write_to_file(&png, "picture.png", 0, pixels, 0, NULL);
}

static int save_jpeg(const uint8_t *pixels, int columns, int rows) {
  unsigned char *bytes = NULL;
  unsigned long count = 0;
  return tjCompress2(tjInitCompress(), pixels, columns, 0, rows, TJPF_RGB, &bytes, &count, TJSAMP_420, 90, 0) == 0 &&
         save("picture.jpeg", bytes, count);
}

static int save_webp(const uint8_t *pixels, int columns, int rows) {
  WebPConfig config;
  WebPPicture picture;
  WebPMemoryWriter writer;
  WebPMemoryWriterInit(&writer);
  if (!WebPConfigPreset(&config, WEBP_PRESET_PHOTO, 80) || !WebPPictureInit(&picture)) return 0;
  config.method = 1;
  picture.width = columns, picture.height = rows;
  picture.writer = WebPMemoryWrite, picture.custom_ptr = &writer;
  return WebPPictureImportRGB(&picture, pixels, columns * 3) && WebPEncode(&config, &picture) &&
         save("picture.webp", writer.mem, writer.size);
}

int main(int argc, char **argv) {
  if (argc != 4 || chdir(argv[1]) != 0) return 64;
  int columns = atoi(argv[2]), rows = atoi(argv[3]);
  uint8_t *pixels = photo(columns, rows);
  if (!pixels) return 1;
  return !save_png(pixels, columns, rows) || !save_jpeg(pixels, columns, rows) || !save_webp(pixels, columns, rows);
}
