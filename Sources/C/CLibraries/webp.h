// Inline shims only: no logic.
#pragma once
#include <webp/decode.h>
#include <stddef.h>
#include <stdint.h>

// Decodes to RGBA of this size into `pixels`; 1 if that went well. VP8_STATUS_OK
static inline int confab_webp_decode(
    const uint8_t *bytes, size_t count, int width, int height, uint8_t *pixels, size_t size) {
  WebPDecoderConfig config;
  if (!WebPInitDecoderConfig(&config)) return 0;
  config.options.use_scaling = 1;
  config.options.scaled_width = width;
  config.options.scaled_height = height;
  config.output.colorspace = MODE_RGBA;
  config.output.is_external_memory = 1;
  config.output.u.RGBA.rgba = pixels;
  config.output.u.RGBA.stride = width * 4;
  config.output.u.RGBA.size = size;
  const int result = WebPDecode(bytes, count, &config) == VP8_STATUS_OK;
  WebPFreeDecBuffer(&config.output);
  return result;
}
