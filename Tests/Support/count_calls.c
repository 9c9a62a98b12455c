// Counts allocations and system calls of a program, for LD_PRELOAD: no ptrace, and cheap enough for a burst.
//
// CONFAB_COUNTS names a file of at least sizeof(struct counts), mapped and counted in while the program runs, so that
// whoever started it can read the difference that a piece of work makes. Calls are counted where they enter the C
// library: what it does inside itself (the futex of a lock) is not seen.
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

// In the order in which TestSupport/CallCounts.swift reads them.
struct counts {
  _Atomic uint64_t allocations;
  _Atomic uint64_t system_calls;
  _Atomic uint64_t syncs;
};

static struct counts nowhere;
static struct counts *counts = &nowhere;

__attribute__((constructor)) static void map_counts(void) {
  const char *path = getenv("CONFAB_COUNTS");
  if (path == NULL) return;
  int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void *shared = mmap(NULL, sizeof(struct counts), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  syscall(SYS_close, file);
  if (shared != MAP_FAILED) counts = shared;
}

static void add(_Atomic uint64_t *counter) { atomic_fetch_add_explicit(counter, 1, memory_order_relaxed); }

// Allocations: the C library's own entry points under their other names.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) {
  add(&counts->allocations);
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  add(&counts->allocations);
  return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
  add(&counts->allocations);
  return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  add(&counts->allocations);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  add(&counts->allocations);
  *result = __libc_memalign(alignment, size);
  return *result == NULL ? 12 : 0;
}

// System calls.
#define COUNTED(...) (add(&counts->system_calls), syscall(__VA_ARGS__))

ssize_t read(int fd, void *buffer, size_t size) { return COUNTED(SYS_read, fd, buffer, size); }
ssize_t write(int fd, const void *buffer, size_t size) { return COUNTED(SYS_write, fd, buffer, size); }
ssize_t readv(int fd, const struct iovec *parts, int count) { return COUNTED(SYS_readv, fd, parts, count); }
ssize_t writev(int fd, const struct iovec *parts, int count) { return COUNTED(SYS_writev, fd, parts, count); }
ssize_t pread(int fd, void *buffer, size_t size, off_t at) { return COUNTED(SYS_pread64, fd, buffer, size, at); }
ssize_t pread64(int fd, void *buffer, size_t size, off_t at) { return COUNTED(SYS_pread64, fd, buffer, size, at); }
ssize_t pwrite(int fd, const void *buffer, size_t size, off_t at) {
  return COUNTED(SYS_pwrite64, fd, buffer, size, at);
}
ssize_t pwrite64(int fd, const void *buffer, size_t size, off_t at) {
  return COUNTED(SYS_pwrite64, fd, buffer, size, at);
}
ssize_t recv(int fd, void *buffer, size_t size, int flags) {
  return COUNTED(SYS_recvfrom, fd, buffer, size, flags, NULL, NULL);
}
ssize_t send(int fd, const void *buffer, size_t size, int flags) {
  return COUNTED(SYS_sendto, fd, buffer, size, flags, NULL, 0);
}
ssize_t recvmsg(int fd, struct msghdr *message, int flags) { return COUNTED(SYS_recvmsg, fd, message, flags); }
ssize_t sendmsg(int fd, const struct msghdr *message, int flags) { return COUNTED(SYS_sendmsg, fd, message, flags); }
int epoll_wait(int fd, struct epoll_event *events, int most, int timeout) {
  return (int)COUNTED(SYS_epoll_wait, fd, events, most, timeout);
}
int epoll_ctl(int fd, int operation, int target, struct epoll_event *event) {
  return (int)COUNTED(SYS_epoll_ctl, fd, operation, target, event);
}
int timerfd_settime(int fd, int flags, const struct itimerspec *new_value, struct itimerspec *old_value) {
  return (int)COUNTED(SYS_timerfd_settime, fd, flags, new_value, old_value);
}
int close(int fd) { return (int)COUNTED(SYS_close, fd); }
int fallocate(int fd, int mode, off_t offset, off_t size) {
  return (int)COUNTED(SYS_fallocate, fd, mode, offset, size);
}

int fdatasync(int fd) {
  add(&counts->syncs);
  return (int)COUNTED(SYS_fdatasync, fd);
}

int fsync(int fd) {
  add(&counts->syncs);
  return (int)COUNTED(SYS_fsync, fd);
}
