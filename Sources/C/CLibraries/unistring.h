// Inline shims only: no logic.
#pragma once
#include <stdbool.h>
#include <stdlib.h>
#include <uninorm.h>
#include <unicase.h>
#include <unigbrk.h>
#include <unilbrk.h>
#include <uniwbrk.h>
#include <uniwidth.h>
#include <unictype.h>
#include <unistr.h>

/// `u8_normalize` to form C: the form's name is a macro. The result is `buffer` where it fits, else malloc'd.
static inline uint8_t *confab_nfc(const uint8_t *bytes, size_t count, uint8_t *buffer, size_t *length) {
  return u8_normalize(UNINORM_NFC, bytes, count, buffer, length);
}

/// `u32_normalize` to form KC, or C; the result is malloc'd.
static inline uint32_t *confab_normalize(const uint32_t *text, size_t count, bool compatibly, size_t *length) {
  return u32_normalize(compatibly ? UNINORM_NFKC : UNINORM_NFC, text, count, NULL, length);
}

/// `u32_tolower` of no language; the result is malloc'd.
static inline uint32_t *confab_lowercase(const uint32_t *text, size_t count, size_t *length) {
  return u32_tolower(text, count, NULL, NULL, NULL, length);
}

/// `u32_normalize` to form D; the result is malloc'd.
static inline uint32_t *confab_decompose(const uint32_t *text, size_t count, size_t *length) {
  return u32_normalize(UNINORM_NFD, text, count, NULL, length);
}

/// Gives back what the library allocated.
static inline void confab_unistring_free(void *memory) { free(memory); }

/// `u32_casefold` of no language, of the canonical decomposition, to form C; the result is malloc'd.
static inline uint32_t *confab_casefold(const uint32_t *text, size_t count, size_t *length) {
  return u32_casefold(text, count, NULL, UNINORM_NFC, NULL, length);
}
