// The arguments of main(). Swift's CommandLine reads /proc/self/cmdline, and guesses from the environment without it: it has
// none if /proc cannot be read, or if a library has moved the environment before main().
#ifndef CONFAB_CLINUX_ARGUMENTS_H
#define CONFAB_CLINUX_ARGUMENTS_H

// How many there are, the program's name among them.
int clinux_argument_count(void);

// The arguments, ended by NULL. They live as long as the process.
char **clinux_arguments(void);
#endif
