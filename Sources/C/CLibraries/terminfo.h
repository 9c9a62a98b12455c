// Inline shims only: no logic. <term.h> defines a macro for each capability, so only what is needed is declared here
// (ncurses 6.4, curs_terminfo(3)).
#pragma once

/// Reads the description of a terminal; `status` is 1 if there is one.
extern int setupterm(const char *term, int descriptor, int *status);
extern char *tigetstr(const char *name);
extern int tigetnum(const char *name);
extern int tigetflag(const char *name);
