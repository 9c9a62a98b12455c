// Inline shims only: no logic.
#pragma once
#include <chafa.h>

static inline void confab_gstring_free(GString *text) { g_string_free(text, TRUE); }
