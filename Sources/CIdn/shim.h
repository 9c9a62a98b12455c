// Inline shims only: no logic.
#pragma once
#include <stringprep.h>

// SASLprep (RFC 4013) of a query: code points that Unicode 3.2 does not assign are let through. In place, with its NUL;
// the profile is an array without a size.
static inline int confab_saslprep(char *text, size_t capacity) {
  return stringprep(text, capacity, 0, stringprep_saslprep);
}
