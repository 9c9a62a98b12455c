#include "terminal.h"

int clinux_terminal_hide(int fd, struct termios *saved) {
  if (tcgetattr(fd, saved) != 0) return -1;
  struct termios hidden = *saved;
  hidden.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ISIG);
  hidden.c_lflag |= ICANON;
  hidden.c_cc[VEOL] = 3;
  return tcsetattr(fd, TCSAFLUSH, &hidden);
}

int clinux_terminal_restore(int fd, const struct termios *saved) { return tcsetattr(fd, TCSAFLUSH, saved); }
