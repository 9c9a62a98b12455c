// Inline shims only: no logic.
#pragma once
#include <png.h>

static const png_uint_32 confab_png_version = PNG_IMAGE_VERSION;
static const png_uint_32 confab_png_rgba = PNG_FORMAT_RGBA;
