#include "terminal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int clinux_terminal_hide(int fd, struct termios *saved) {
  if (tcgetattr(fd, saved) != 0) return -1;
  struct termios hidden = *saved;
  hidden.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ISIG);
  hidden.c_lflag |= ICANON;
  hidden.c_cc[VEOL] = 3;
  return tcsetattr(fd, TCSAFLUSH, &hidden);
}

int clinux_terminal_restore(int fd, const struct termios *saved) { return tcsetattr(fd, TCSAFLUSH, saved); }

int clinux_terminal_raw(int fd, const struct termios *saved) {
  struct termios raw = *saved;
  cfmakeraw(&raw);
  return tcsetattr(fd, TCSANOW, &raw);
}

int clinux_terminal_size(int fd, int *columns, int *lines) {
  struct winsize size;
  if (ioctl(fd, TIOCGWINSZ, &size) != 0) return -1;
  *columns = size.ws_col, *lines = size.ws_row;
  return 0;
}

int clinux_terminal_pixels(int fd, int *width, int *height) {
  struct winsize size;
  if (ioctl(fd, TIOCGWINSZ, &size) != 0) return -1;
  *width = size.ws_xpixel, *height = size.ws_ypixel;
  return 0;
}

int clinux_terminal_is_foreground(int fd) {
  pid_t group = tcgetpgrp(fd);
  return group < 0 || group == getpgrp();
}

// The way back

struct rescue {
  int fd;
  struct termios saved;
  int discards_input;
  size_t count;
  char bytes[CLINUX_RESCUE_SIZE];
};

// One is in use, the other one is written to.
static struct rescue rescues[2];
static struct rescue *_Atomic current;

int clinux_rescue_set(int fd, const struct termios *saved, const char *bytes, size_t count, int discards_input) {
  if (count > CLINUX_RESCUE_SIZE) return errno = ENAMETOOLONG, -1;
  struct rescue *next = atomic_load(&current) == &rescues[0] ? &rescues[1] : &rescues[0];
  next->fd = fd;
  next->saved = *saved;
  next->discards_input = discards_input;
  next->count = count;
  memcpy(next->bytes, bytes, count);
  atomic_store(&current, next);
  return 0;
}

static void write_all(int fd, const char *bytes, size_t count) {
  int patience = 20;
  while (count > 0) {
    ssize_t written = write(fd, bytes, count);
    if (written > 0) {
      bytes += written;
      count -= (size_t)written;
    } else if (written < 0 && errno == EAGAIN && patience-- > 0) {
      struct pollfd ready = {.fd = fd, .events = POLLOUT};
      poll(&ready, 1, 50);
    } else if (written == 0 || errno != EINTR) {
      return;
    }
  }
}

void clinux_rescue_run(void) {
  struct rescue *rescue = atomic_exchange(&current, NULL);
  if (rescue == NULL || !clinux_terminal_is_foreground(rescue->fd)) return;
  write_all(rescue->fd, rescue->bytes, rescue->count);
  if (rescue->discards_input) tcflush(rescue->fd, TCIFLUSH);
  tcsetattr(rescue->fd, TCSANOW, &rescue->saved);
}

static void end_with(int signal_number) {
  clinux_rescue_run();
  // The action is the default one by now, so this ends the process as the signal would have.
  raise(signal_number);
}

int clinux_signal_is_ignored(int signal_number) {
  struct sigaction action;
  return sigaction(signal_number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

int clinux_rescue_catch(void) {
  static const int fatal[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGILL,  SIGTRAP, SIGABRT, SIGBUS,    SIGFPE,  SIGUSR1, SIGUSR2,
                              SIGSEGV, SIGALRM, SIGTERM, SIGXCPU, SIGXFSZ, SIGPROF, SIGVTALRM, SIGSYS,  SIGIO,   SIGPWR};
  static char memory[32768];
  stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
  if (sigaltstack(&stack, NULL) != 0) return -1;
  struct sigaction action = {.sa_handler = end_with, .sa_flags = (int)(SA_ONSTACK | SA_RESETHAND | SA_NODEFER)};
  sigemptyset(&action.sa_mask);
  for (size_t index = 0; index < sizeof fatal / sizeof *fatal; index++) {
    // One that is ignored stays so (nohup).
    if (clinux_signal_is_ignored(fatal[index])) continue;
    if (sigaction(fatal[index], &action, NULL) != 0) return -1;
  }
  return 0;
}

void clinux_ignore_interrupts(int ignores) {
  static const int signals[] = {SIGINT, SIGQUIT};
  static struct sigaction saved[2];
  struct sigaction ignored = {.sa_handler = SIG_IGN};
  for (int index = 0; index < 2; index++) {
    sigaction(signals[index], ignores ? &ignored : &saved[index], ignores ? &saved[index] : NULL);
  }
}
