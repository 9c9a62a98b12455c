// A library to be loaded before a program: its constructor moves the environment, as many libraries do.
#include <stdlib.h>

__attribute__((constructor)) static void move(void) { setenv("CONFAB_MOVED_ENVIRONMENT", "yes", 1); }
