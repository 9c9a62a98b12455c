// Shims for starting a process and waiting for it.
#ifndef CONFAB_CLINUX_PROCESSES_H
#define CONFAB_CLINUX_PROCESSES_H
#include <stdint.h>
#include <sys/types.h>

// posix_spawn(3) of `/bin/sh -c command`: in a new process group or in ours, with this process's environment, /dev/null
// as its input, and every signal as a fresh program expects it.
int clinux_spawn_shell(const char *command, int output, int error, int own_group, pid_t *process);
int clinux_pidfd_open(pid_t process);

// posix_spawnp(3) of a program with its arguments, ended by NULL, as a fresh program expects its signals. `input` is its
// standard input, -1 for /dev/null. Unless it is `foreground`, its outputs are /dev/null, and it is in a session of its
// own, so that it has no terminal.
int clinux_spawn(char *const *arguments, int input, int foreground, pid_t *process);

// A command for `/bin/sh -c` and all that it gets.
struct clinux_bounded_shell {
  const char *command;
  // `NAME=value` each, ended by NULL.
  char *const *environment;
  // `/` if it cannot be entered.
  const char *directory;
  // Its descriptors 0, 1 and 2, all above 2; there is no other one.
  int input, output, error;
  // Bytes of memory of each process.
  uint64_t memory;
};

// vfork(2) and execve(2) of it in a session of its own, as a fresh program expects its signals. It is killed once the
// thread that called has ended, has no core dumps and the usual number of descriptors, and is the first to be killed if
// memory runs out.
int clinux_spawn_bounded_shell(const struct clinux_bounded_shell *shell, pid_t *process);

#endif
