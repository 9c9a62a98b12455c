#include "arguments.h"

static int count;
static char **arguments;

// glibc calls the constructors of a program with the arguments of main().
__attribute__((constructor)) static void clinux_take_arguments(int argc, char **argv) {
  count = argc;
  arguments = argv;
}

int clinux_argument_count(void) { return count; }

char **clinux_arguments(void) { return arguments; }
