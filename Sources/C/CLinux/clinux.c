// The bodies of clinux.h. They are not inline in the header because _GNU_SOURCE there would make the C library's types
// differ from those of Swift's Glibc module.
#define _GNU_SOURCE 1
#include "clinux.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <linux/rtnetlink.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/un.h>
#include <unistd.h>

// epoll

const uint32_t clinux_epoll_in = EPOLLIN;
const uint32_t clinux_epoll_et = EPOLLET;
const uint32_t clinux_epoll_out = EPOLLOUT;
const uint32_t clinux_epoll_hup = EPOLLHUP;
const uint32_t clinux_epoll_err = EPOLLERR;

int clinux_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int clinux_epoll_add(int epoll, int fd, uint32_t events, uint64_t tag) {
  struct epoll_event event = {.events = events, .data = {.u64 = tag}};
  return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

int clinux_epoll_modify(int epoll, int fd, uint32_t events, uint64_t tag) {
  struct epoll_event event = {.events = events, .data = {.u64 = tag}};
  return epoll_ctl(epoll, EPOLL_CTL_MOD, fd, &event);
}

int clinux_epoll_delete(int epoll, int fd) { return epoll_ctl(epoll, EPOLL_CTL_DEL, fd, NULL); }

int clinux_epoll_wait(int epoll, struct epoll_event *events, int count, int milliseconds) {
  return epoll_wait(epoll, events, count, milliseconds);
}

// eventfd, timerfd, signalfd

int clinux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int clinux_timerfd(clockid_t clock) { return timerfd_create(clock, TFD_CLOEXEC | TFD_NONBLOCK); }

// Arms the timer at an absolute time of its clock; both 0 disarms it.
int clinux_timerfd_set(int fd, int64_t seconds, int64_t nanoseconds, int cancel_on_set) {
  struct itimerspec spec = {.it_value = {.tv_sec = seconds, .tv_nsec = nanoseconds}};
  return timerfd_settime(fd, TFD_TIMER_ABSTIME | (cancel_on_set ? TFD_TIMER_CANCEL_ON_SET : 0), &spec, NULL);
}

int clinux_signalfd(const sigset_t *set) { return signalfd(-1, set, SFD_CLOEXEC | SFD_NONBLOCK); }

// The number of the next pending signal, 0 where the record came short, -1 with errno.
int clinux_signalfd_read(int fd) {
  struct signalfd_siginfo info;
  ssize_t count = read(fd, &info, sizeof info);
  if (count < 0) return -1;
  return count == (ssize_t)sizeof info ? (int)info.ssi_signo : 0;
}

void clinux_ignore_sigpipe(void) { signal(SIGPIPE, SIG_IGN); }

void clinux_ignore_sigxfsz(void) { signal(SIGXFSZ, SIG_IGN); }

void clinux_ignore_foreign_signals(void) {
  const int numbers[] = {SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSTKFLT};
  for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++) signal(numbers[index], SIG_IGN);
  for (int number = SIGRTMIN; number <= SIGRTMAX; number++) signal(number, SIG_IGN);
}

// Sockets

int clinux_socket_stream(int family) {
  return socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

int clinux_socket_datagram(int family) {
  return socket(family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

int clinux_socketpair(int *pair) {
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair);
}

int clinux_pipe(int *pair) { return pipe2(pair, O_CLOEXEC | O_NONBLOCK); }

int clinux_accept(int fd) { return accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

const size_t clinux_unix_path_capacity = sizeof(((struct sockaddr_un *)0)->sun_path);

// Fills in an address; a path that starts with a NUL byte is of the abstract namespace. 0 where it is too long.
socklen_t clinux_unix_address(struct sockaddr_un *address, const char *path, size_t length) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  if (length == 0 || length >= sizeof address->sun_path) return 0;
  memcpy(address->sun_path, path, length);
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + (path[0] == 0 ? 0 : 1));
}

int clinux_unix_bind(int fd, const char *path, size_t length) {
  struct sockaddr_un address;
  socklen_t size = clinux_unix_address(&address, path, length);
  if (size == 0) return errno = ENAMETOOLONG, -1;
  return bind(fd, (struct sockaddr *)&address, size);
}

// The path that a socket is bound to, with its NUL; room for clinux_unix_path_capacity + 1 bytes. Its length, 0 for none.
int clinux_unix_bound_path(int fd, char *path) {
  struct sockaddr_un address = {0};
  socklen_t size = sizeof address;
  if (getsockname(fd, (struct sockaddr *)&address, &size) != 0 || address.sun_family != AF_UNIX) return 0;
  size_t length = strnlen(address.sun_path, sizeof address.sun_path);
  memcpy(path, address.sun_path, length);
  path[length] = 0;
  return (int)length;
}

int clinux_unix_connect(int fd, const char *path, size_t length) {
  struct sockaddr_un address;
  socklen_t size = clinux_unix_address(&address, path, length);
  if (size == 0) return errno = ENAMETOOLONG, -1;
  return connect(fd, (struct sockaddr *)&address, size);
}

ssize_t clinux_unix_send_to(int fd, const void *bytes, size_t count, const char *path, size_t length) {
  struct sockaddr_un address;
  socklen_t size = clinux_unix_address(&address, path, length);
  if (size == 0) return errno = ENAMETOOLONG, -1;
  return sendto(fd, bytes, count, MSG_NOSIGNAL, (struct sockaddr *)&address, size);
}

int clinux_peer_credentials(int fd, int32_t *pid, uint32_t *uid, uint32_t *gid) {
  struct ucred credentials;
  socklen_t size = sizeof credentials;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return -1;
  *pid = credentials.pid, *uid = credentials.uid, *gid = credentials.gid;
  return 0;
}

// The supplementary groups of the peer: how many there are, of which at most `capacity` are stored; -1 with errno.
int clinux_peer_groups(int fd, uint32_t *groups, int capacity) {
  socklen_t size = (socklen_t)capacity * sizeof *groups;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &size) != 0 && errno != ERANGE) return -1;
  return (int)(size / sizeof *groups);
}

// The number of a group by its name: 1 where there is one, 0 where there is none, -1 where nobody could be asked.
int clinux_group_id(const char *name, uint32_t *id) {
  struct group entry, *found = NULL;
  char buffer[65536];
  int error = getgrnam_r(name, &entry, buffer, sizeof buffer, &found);
  if (found == NULL) return error == 0 ? 0 : -1;
  *id = found->gr_gid;
  return 1;
}

// 1 if the group has the user's name and no other member, so that write access of the group is the user's alone.
int clinux_is_private_group(uint32_t user, uint32_t group) {
  struct passwd person, *owner = NULL;
  struct group entry, *found = NULL;
  char names[16384], members[65536];
  getpwuid_r(user, &person, names, sizeof names, &owner);
  getgrgid_r(group, &entry, members, sizeof members, &found);
  if (owner == NULL || found == NULL || strcmp(owner->pw_name, found->gr_name) != 0) return 0;
  for (char **member = found->gr_mem; *member != NULL; member++) {
    if (strcmp(*member, owner->pw_name) != 0) return 0;
  }
  return 1;
}

// An Internet address: 4 or 16 bytes in network order, port in host order.
static socklen_t clinux_inet_address(
    struct sockaddr_storage *storage, const uint8_t *bytes, size_t count, uint16_t port, uint32_t scope) {
  memset(storage, 0, sizeof *storage);
  if (count == 4) {
    struct sockaddr_in *v4 = (struct sockaddr_in *)storage;
    v4->sin_family = AF_INET, v4->sin_port = htons(port);
    memcpy(&v4->sin_addr, bytes, 4);
    return sizeof *v4;
  }
  struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)storage;
  v6->sin6_family = AF_INET6, v6->sin6_port = htons(port), v6->sin6_scope_id = scope;
  memcpy(&v6->sin6_addr, bytes, 16);
  return sizeof *v6;
}

int clinux_inet_connect(int fd, const uint8_t *bytes, size_t count, uint16_t port, uint32_t scope) {
  struct sockaddr_storage storage;
  socklen_t size = clinux_inet_address(&storage, bytes, count, port, scope);
  return connect(fd, (struct sockaddr *)&storage, size);
}

int clinux_inet_bind(int fd, const uint8_t *bytes, size_t count, uint16_t port, uint32_t scope) {
  struct sockaddr_storage storage;
  socklen_t size = clinux_inet_address(&storage, bytes, count, port, scope);
  return bind(fd, (struct sockaddr *)&storage, size);
}

ssize_t clinux_inet_send_to(
    int fd, const void *data, size_t length, const uint8_t *bytes, size_t count, uint16_t port, uint32_t scope) {
  struct sockaddr_storage storage;
  socklen_t size = clinux_inet_address(&storage, bytes, count, port, scope);
  return sendto(fd, data, length, MSG_NOSIGNAL, (struct sockaddr *)&storage, size);
}

// Takes an address apart: the count of bytes written (4, 16), 0 for another family.
static size_t clinux_inet_parts(
    const struct sockaddr_storage *storage, uint8_t *bytes, uint16_t *port, uint32_t *scope) {
  *port = 0, *scope = 0;
  if (storage->ss_family == AF_INET) {
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)storage;
    memcpy(bytes, &v4->sin_addr, 4);
    *port = ntohs(v4->sin_port);
    return 4;
  }
  if (storage->ss_family != AF_INET6) return 0;
  const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)storage;
  memcpy(bytes, &v6->sin6_addr, 16);
  *port = ntohs(v6->sin6_port), *scope = v6->sin6_scope_id;
  return 16;
}

ssize_t clinux_inet_receive_from(
    int fd, void *data, size_t length, uint8_t *bytes, size_t *count, uint16_t *port, uint32_t *scope) {
  struct sockaddr_storage storage = {0};
  socklen_t size = sizeof storage;
  ssize_t received = recvfrom(fd, data, length, 0, (struct sockaddr *)&storage, &size);
  *count = received < 0 ? 0 : clinux_inet_parts(&storage, bytes, port, scope);
  return received;
}

int clinux_socket_name(
    int fd, int peer, uint8_t *bytes, size_t *count, uint16_t *port, uint32_t *scope) {
  struct sockaddr_storage storage = {0};
  socklen_t size = sizeof storage;
  struct sockaddr *address = (struct sockaddr *)&storage;
  if ((peer ? getpeername(fd, address, &size) : getsockname(fd, address, &size)) != 0) return -1;
  *count = clinux_inet_parts(&storage, bytes, port, scope);
  return 0;
}

// The family of a socket, or -1.
int clinux_socket_family(int fd) {
  int value = 0;
  socklen_t size = sizeof value;
  return getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &value, &size) == 0 ? value : -1;
}

int clinux_get_option(int fd, int level, int name, int *value) {
  socklen_t size = sizeof *value;
  return getsockopt(fd, level, name, value, &size);
}

int clinux_set_option(int fd, int level, int name, int value) {
  return setsockopt(fd, level, name, &value, sizeof value);
}

// Drops what is not sent and resets the connection at close(2).
int clinux_set_linger_reset(int fd) {
  struct linger linger = {.l_onoff = 1, .l_linger = 0};
  return setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
}

const int clinux_option_socket = SOL_SOCKET;
const int clinux_option_tcp = IPPROTO_TCP;
const int clinux_option_error = SO_ERROR;
const int clinux_option_reuse = SO_REUSEADDR;
const int clinux_option_send_buffer = SO_SNDBUF;
const int clinux_option_keepalive = SO_KEEPALIVE;
const int clinux_option_accepting = SO_ACCEPTCONN;
const int clinux_option_no_delay = TCP_NODELAY;
const int clinux_option_keep_idle = TCP_KEEPIDLE;
const int clinux_option_keep_interval = TCP_KEEPINTVL;
const int clinux_option_keep_count = TCP_KEEPCNT;
const int clinux_option_user_timeout = TCP_USER_TIMEOUT;

ssize_t clinux_send(int fd, const void *bytes, size_t count) {
  return send(fd, bytes, count, MSG_NOSIGNAL);
}

// rtnetlink

int clinux_netlink_changes(void) {
  int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
  struct sockaddr_nl address = {
      .nl_family = AF_NETLINK,
      .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE};
  if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
  int code = errno;
  close(fd);
  errno = code;
  return -1;
}

ssize_t clinux_netlink_receive(int fd, void *bytes, size_t count, int *from_kernel, int *is_whole) {
  struct sockaddr_nl sender = {0};
  struct iovec part = {.iov_base = bytes, .iov_len = count};
  struct msghdr message = {
      .msg_name = &sender, .msg_namelen = sizeof sender, .msg_iov = &part, .msg_iovlen = 1};
  ssize_t got = recvmsg(fd, &message, 0);
  *from_kernel = got >= 0 && sender.nl_family == AF_NETLINK && sender.nl_pid == 0;
  *is_whole = got >= 0 && !(message.msg_flags & MSG_TRUNC);
  return got;
}

int clinux_clock_is_kept(void) {
  struct timex state = {0};
  if (adjtimex(&state) < 0) return -1;
  return (state.status & STA_UNSYNC) == 0;
}

// The text of an error number, in the buffer or static.
const char *clinux_error_text(int code, char *buffer, size_t size) {
  return strerror_r(code, buffer, size);
}

const char *clinux_error_name(int code) { return strerrorname_np(code); }

int clinux_eventfd_blocking(void) { return eventfd(0, EFD_CLOEXEC); }

long clinux_utc_offset(int64_t seconds) {
  time_t time = (time_t)seconds;
  struct tm local;
  return localtime_r(&time, &local) == NULL ? 0 : local.tm_gmtoff;
}
