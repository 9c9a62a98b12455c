#define _GNU_SOURCE
#include "processes.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

int clinux_spawn_shell(const char *command, int output, int error, int own_group, pid_t *process) {
  char *const arguments[] = {"sh", "-c", (char *)command, NULL};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, 1);
  posix_spawn_file_actions_adddup2(&actions, error, 2);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  short group = own_group ? POSIX_SPAWN_SETPGROUP : 0;
  posix_spawnattr_setflags(&attributes, group | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  int code = posix_spawn(process, "/bin/sh", &actions, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  errno = code;
  return code == 0 ? 0 : -1;
}

int clinux_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int clinux_spawn(char *const *arguments, int input, int foreground, pid_t *process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawn_file_actions_init(&actions);
  if (input >= 0) posix_spawn_file_actions_adddup2(&actions, input, 0);
  if (!foreground) {
    if (input < 0) posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
  }
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  short session = foreground ? 0 : POSIX_SPAWN_SETSID;
  posix_spawnattr_setflags(&attributes, session | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  int code = posix_spawnp(process, arguments[0], &actions, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  errno = code;
  return code == 0 ? 0 : -1;
}

static void limit(int resource, rlim_t value) {
  struct rlimit current;
  if (getrlimit(resource, &current) != 0) return;
  if (current.rlim_max != RLIM_INFINITY && current.rlim_max < value) value = current.rlim_max;
  const struct rlimit limits = {.rlim_cur = value, .rlim_max = value};
  setrlimit(resource, &limits);
}

// The child of vfork(2), which shares the memory of its parent: calls that are safe in a signal handler, and variables of
// its own.
static void __attribute__((noreturn)) become_shell(const struct clinux_bounded_shell *shell, pid_t parent) {
  char *const arguments[] = {"sh", "-c", (char *)shell->command, NULL};
  struct sigaction usual = {.sa_handler = SIG_DFL};
  for (int signal = 1; signal < NSIG; signal++) sigaction(signal, &usual, NULL);
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (getppid() != parent) _exit(127);
  if (dup2(shell->input, 0) < 0 || dup2(shell->output, 1) < 0 || dup2(shell->error, 2) < 0) _exit(127);
  // A kernel without it has closed them at execve(2) all the same.
  syscall(SYS_close_range, 3U, ~0U, 0U);
  if (chdir(shell->directory) != 0 && chdir("/") != 0) _exit(127);
  const int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (score >= 0) {
    if (write(score, "1000", 4) < 0) errno = 0;
    close(score);
  }
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_NOFILE, 1024);
  limit(RLIMIT_DATA, shell->memory);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve("/bin/sh", arguments, shell->environment);
  _exit(127);
}

int clinux_spawn_bounded_shell(const struct clinux_bounded_shell *shell, pid_t *process) {
  sigset_t all, before;
  sigfillset(&all);
  const pid_t parent = getpid();
  // No handler of ours runs in the child.
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t child = vfork();
  if (child == 0) become_shell(shell, parent);
  const int code = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = code;
  if (child < 0) return -1;
  *process = child;
  return 0;
}
