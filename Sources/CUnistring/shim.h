// Inline shims only: no logic.
#pragma once
#include <stdlib.h>
#include <uninorm.h>
#include <unicase.h>
#include <uniwidth.h>
#include <unictype.h>
#include <unistr.h>

/// `u8_normalize` to form C: the form's name is a macro. The result is `buffer` where it fits, else malloc'd.
static inline uint8_t *confab_nfc(const uint8_t *bytes, size_t count, uint8_t *buffer, size_t *length) {
  return u8_normalize(UNINORM_NFC, bytes, count, buffer, length);
}

/// Gives back what the library allocated.
static inline void confab_unistring_free(void *memory) { free(memory); }
