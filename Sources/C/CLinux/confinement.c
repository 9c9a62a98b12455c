#define _GNU_SOURCE
#include "confinement.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int clinux_spawn_confined(const char *path, int socket, int file, pid_t *process) {
  char *const arguments[] = {(char *)path, NULL};
  char *const environment[] = {NULL};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, socket, 0);
  posix_spawn_file_actions_adddup2(&actions, file, 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  int code = posix_spawn(process, path, &actions, &attributes, arguments, environment);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  errno = code;
  return code == 0 ? 0 : -1;
}

int clinux_be_undumpable(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

int clinux_be_interrupted_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGINT, 0, 0, 0); }

int clinux_gain_no_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

// Constants of <linux/landlock.h>, whose version in a distribution may be older than the kernel.
enum { landlock_version_flag = 1, landlock_path_beneath = 1, landlock_read_file = 1 << 2, landlock_read_dir = 1 << 3 };

struct landlock_rules {
  uint64_t files;
  uint64_t network;
  uint64_t scopes;
};

struct landlock_path {
  uint64_t allowed;
  int32_t parent;
} __attribute__((packed));

int clinux_landlock_version(void) {
  const long version = syscall(SYS_landlock_create_ruleset, NULL, 0, landlock_version_flag);
  return version < 0 ? 0 : (int)version;
}

int clinux_landlock_create(int version) {
  // 13 kinds of uses at first; then linking elsewhere, truncating, ioctl on devices.
  const uint64_t all = 0xFFFF;
  const int kinds = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13;
  // bind(2) of TCP; abstract sockets and signals.
  const struct landlock_rules rules = {
      .files = all >> (16 - kinds), .network = version >= 4 ? 1 : 0, .scopes = version >= 6 ? 3 : 0};
  const size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  return (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
}

int clinux_landlock_allow_reading(int rules, const char *path) {
  const int parent = open(path, O_PATH | O_CLOEXEC);
  if (parent < 0) return -1;
  struct stat status;
  int result = fstat(parent, &status);
  if (result == 0) {
    const uint64_t directory = S_ISDIR(status.st_mode) ? landlock_read_dir : 0;
    const struct landlock_path rule = {.allowed = landlock_read_file | directory, .parent = parent};
    result = (int)syscall(SYS_landlock_add_rule, rules, landlock_path_beneath, &rule, 0);
  }
  const int code = errno;
  close(parent);
  errno = code;
  return result;
}

int clinux_landlock_enforce(int rules) { return (int)syscall(SYS_landlock_restrict_self, rules, 0); }
