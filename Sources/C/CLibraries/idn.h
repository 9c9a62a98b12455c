// Inline shims only: no logic.
#pragma once
#include <stringprep.h>

// Profiles of stringprep (RFC 3454) for queries: code points that Unicode 3.2 does not assign are let through. In place,
// with the NUL; a profile is an array without a size.

// RFC 4013.
static inline int confab_saslprep(char *text, size_t capacity) {
  return stringprep(text, capacity, 0, stringprep_saslprep);
}

// RFC 6122, appendix A.
static inline int confab_nodeprep(char *text, size_t capacity) {
  return stringprep(text, capacity, 0, stringprep_xmpp_nodeprep);
}
