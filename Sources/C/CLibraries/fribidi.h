// Inline shims only: no logic.
#pragma once
#include <fribidi/fribidi.h>

/// The direction of a paragraph: that of its first letter, else left to right; or left to right always. Macros in the library.
static inline FriBidiParType confab_automatic_direction(void) { return FRIBIDI_PAR_WLTR; }
static inline FriBidiParType confab_left_to_right(void) { return FRIBIDI_PAR_LTR; }

/// Presentation forms for Arabic letters, without ligatures, so that no letter vanishes.
static inline void confab_shape_arabic(const FriBidiLevel *levels, FriBidiStrIndex count, FriBidiArabicProp *properties,
                                       FriBidiChar *text) {
  fribidi_shape_arabic(FRIBIDI_FLAG_SHAPE_ARAB_PRES, levels, count, properties, text);
}
