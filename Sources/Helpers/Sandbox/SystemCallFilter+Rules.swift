import Glibc

extension SystemCallFilter {
  /// Calls of any program that is running already: memory without code, time, chance, descriptors that are open, its end.
  package static let running: [Rule] =
    [
      "read", "write", "readv", "writev", "pread64", "pwrite64", "close", "fstat", "lseek", "fcntl", "fadvise64",
      "brk", "munmap", "mremap", "madvise", "futex", "getrandom", "clock_gettime", "gettimeofday", "clock_nanosleep",
      "nanosleep", "sched_yield", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall",
      "getpid", "gettid", "sysinfo", "exit", "exit_group",
    ].map(Rule.allow) + ["mmap", "mprotect"].map { .allow($0, argument: 2, mask: UInt64(PROT_EXEC), value: 0) }

  /// Waiting for descriptors.
  package static let waiting: [Rule] = [
    "poll", "ppoll", "select", "pselect6", "epoll_wait", "epoll_pwait", "epoll_ctl", "epoll_create1",
    "timerfd_settime", "eventfd2",
  ].map(Rule.allow)

  /// Connecting over IP; nothing is listened at.
  package static let connecting: [Rule] =
    [
      "connect", "getsockopt", "setsockopt", "getsockname", "getpeername", "send", "recv", "sendto", "recvfrom",
      "sendmsg", "recvmsg", "shutdown", "uname",
    ].map(Rule.allow) + [AF_INET, AF_INET6].map { .allow("socket", argument: 0, value: UInt64($0)) }
    + [.allow("ioctl", argument: 1, value: UInt64(FIONBIO))]

  /// Opening files for reading, as far as Landlock lets it.
  package static let readingFiles: [Rule] =
    [
      .allow("openat", argument: 2, mask: writing, value: 0), .allow("open", argument: 1, mask: writing, value: 0),
    ]
    + ["stat", "lstat", "newfstatat", "statx", "access", "faccessat", "faccessat2", "readlink", "getdents64"].map(
      Rule.allow)

  private static let writing = UInt64(O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)
}
