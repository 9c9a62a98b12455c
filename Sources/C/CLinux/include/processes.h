// Shims for starting a process and waiting for it.
#ifndef CONFAB_CLINUX_PROCESSES_H
#define CONFAB_CLINUX_PROCESSES_H
#include <sys/types.h>

// posix_spawn(3) of `/bin/sh -c command`: in a new process group or in ours, with this process's environment, /dev/null
// as its input, and every signal as a fresh program expects it.
int clinux_spawn_shell(const char *command, int output, int error, int own_group, pid_t *process);
int clinux_pidfd_open(pid_t process);

// posix_spawnp(3) of a program with its arguments, ended by NULL, as a fresh program expects its signals. `input` is its
// standard input, -1 for /dev/null. Unless it is `foreground`, its outputs are /dev/null, and it is in a session of its
// own, so that it has no terminal.
int clinux_spawn(char *const *arguments, int input, int foreground, pid_t *process);

#endif
