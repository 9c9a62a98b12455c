// Shims for terminals: hiding what is typed, raw mode, size, and a terminal that is given back whatever happens.
#ifndef CONFAB_CLINUX_TERMINAL_H
#define CONFAB_CLINUX_TERMINAL_H
#include <stddef.h>
#include <termios.h>

// No echo; Ctrl-C ends a line as Enter does, and no key sends a signal. `saved` receives the former attributes.
// tcsetattr(3)
int clinux_terminal_hide(int fd, struct termios *saved);
int clinux_terminal_restore(int fd, const struct termios *saved);

// Bytes come and go as they are: no lines, no echo, no signals, nothing changed on output. From `saved`, which stays.
// cfmakeraw(3)
int clinux_terminal_raw(int fd, const struct termios *saved);

// Both 0 where the terminal does not know. TIOCGWINSZ
int clinux_terminal_size(int fd, int *columns, int *lines);

// All of it in pixels; both 0 where the terminal does not know. TIOCGWINSZ
int clinux_terminal_pixels(int fd, int *width, int *height);

// 1 if this process is in the foreground of the terminal, or if the terminal has no such thing. tcgetpgrp(3)
int clinux_terminal_is_foreground(int fd);

// The terminal's restoration: attributes and bytes that give the terminal `fd` back as it was. They are copied, and
// replace what was set before at one go; `bytes` beyond CLINUX_RESCUE_SIZE are refused (-1). `discards_input` drops
// typed bytes that were not read, because they contain answers of the terminal.
#define CLINUX_RESCUE_SIZE 4096
int clinux_rescue_set(
    int fd, const struct termios *saved, const char *bytes, size_t count, int discards_input);

// Goes the way back, once, and only in the foreground. Safe in a signal handler. A terminal that takes no bytes costs a
// second.
void clinux_rescue_run(void);

// From here on each signal that ends this process goes the way back first, on a stack of its own.
int clinux_rescue_catch(void);

// 1 if a signal is ignored. sigaction(2)
int clinux_signal_is_ignored(int signal_number);

// Ignores SIGINT and SIGQUIT, or does what was done about them before.
void clinux_ignore_interrupts(int ignores);
#endif
