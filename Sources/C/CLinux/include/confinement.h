// Shims for giving up what a process may do.
#ifndef CONFAB_CLINUX_CONFINEMENT_H
#define CONFAB_CLINUX_CONFINEMENT_H
#include <sys/types.h>

// posix_spawn(3) of the program at `path`, without arguments and environment, in a session of its own, as a fresh program
// expects its signals. `socket` and `file` are its descriptors 0 and 1, /dev/null is 2, and there is no other one. Both are above 2.
int clinux_spawn_confined(const char *path, int socket, int file, pid_t *process);

// No core dumps, no ptrace(2), and a /proc/PID of root's. prctl(2), PR_SET_DUMPABLE
int clinux_be_undumpable(void);

// Set-user-ID programs give no rights from here on. prctl(2), PR_SET_NO_NEW_PRIVS
int clinux_gain_no_privileges(void);

// SIGINT comes once the thread that started this process has ended. prctl(2), PR_SET_PDEATHSIG
int clinux_be_interrupted_with_parent(void);

// The version of Landlock that the kernel has, 0 where it has none or it is switched off. landlock(7)
int clinux_landlock_version(void);

// A rule set that forbids all uses of files, of TCP ports to listen at, of abstract Unix sockets and of signals to others
// that this version of Landlock can forbid.
int clinux_landlock_create(int version);

// Allows to read the file, or what is in the directory, that `path` names; -1 with ENOENT where there is none.
int clinux_landlock_allow_reading(int rules, const char *path);

// From here on the rules hold for this thread and what it starts.
int clinux_landlock_enforce(int rules);
#endif
