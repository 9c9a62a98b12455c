// Inline shims only: no logic.
#pragma once
#include <ini.h>

/// Longest line that the reader hands over, in bytes, with its line feed and final NUL.
static const int confab_ini_capacity = 4096 + 2;

/// Debian's library has these as variables (upstream: compile-time switches); set once, before the first parse.
static inline void confab_ini_set_up(void) {
  ini_allow_multiline = false;
  ini_allow_inline_comments = false;
  ini_allow_bom = false;
  ini_allow_no_value = true;
  ini_stop_on_first_error = true;
  ini_use_stack = true;
  ini_max_line = confab_ini_capacity;
  ini_start_comment_prefixes = (char *)";#";
}
