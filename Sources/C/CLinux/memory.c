#include <malloc.h>

#include "clinux.h"

void clinux_release_memory(void) { malloc_trim(0); }
