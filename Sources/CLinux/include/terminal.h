// Shims for a terminal that is not to show what is typed.
#ifndef CONFAB_CLINUX_TERMINAL_H
#define CONFAB_CLINUX_TERMINAL_H
#include <termios.h>

// No echo; Ctrl-C ends a line as Enter does, and no key sends a signal. What was before is in `saved`. tcsetattr(3)
int clinux_terminal_hide(int fd, struct termios *saved);
int clinux_terminal_restore(int fd, const struct termios *saved);
#endif
