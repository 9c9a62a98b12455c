// Inline shims only: no logic.
#pragma once
#include <idn2.h>

// IDNA 2008 for a look-up, after the non-transitional mapping of UTS #46; the flags are of an enumeration. 0 where
// `*ascii` is the name, to be given back by `idn2_free`.
static inline int confab_idn2_lookup(const uint8_t *utf8, uint8_t **ascii) {
  return idn2_lookup_u8(utf8, ascii, IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL);
}

// The labels of a name with A-labels turned into U-labels. 0 where `*unicode` is the name, for `idn2_free`.
static inline int confab_idn2_to_unicode(const char *ascii, char **unicode) {
  return idn2_to_unicode_8z8z(ascii, unicode, 0);
}
