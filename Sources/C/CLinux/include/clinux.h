// Thin C shims for what the Glibc module lacks: epoll, eventfd, timerfd, signalfd, accept4, ucred, socket addresses.
// They only rename, cast and fill in structures; errno is left as the call set it.
#ifndef CONFAB_CLINUX_H
#define CONFAB_CLINUX_H
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/types.h>
#include <time.h>

#include "arguments.h"
#include "confinement.h"
#include "files.h"
#include "processes.h"
#include "terminal.h"

// epoll

extern const uint32_t clinux_epoll_in;
extern const uint32_t clinux_epoll_et;
extern const uint32_t clinux_epoll_out;
extern const uint32_t clinux_epoll_hup;
extern const uint32_t clinux_epoll_err;
int clinux_epoll_create(void);
int clinux_epoll_add(int epoll, int fd, uint32_t events, uint64_t tag);
int clinux_epoll_modify(int epoll, int fd, uint32_t events, uint64_t tag);
int clinux_epoll_delete(int epoll, int fd);
int clinux_epoll_wait(int epoll, struct epoll_event *events, int count, int milliseconds);

// eventfd, timerfd, signalfd

int clinux_eventfd(void);

// For a thread that sleeps in read(2).
int clinux_eventfd_blocking(void);
int clinux_timerfd(clockid_t clock);

// Arms the timer at an absolute time of its clock; both 0 disarms it.
int clinux_timerfd_set(int fd, int64_t seconds, int64_t nanoseconds, int cancel_on_set);
int clinux_signalfd(const sigset_t *set);

// The number of the next pending signal, 0 where the record came short, -1 with errno.
int clinux_signalfd_read(int fd);
void clinux_ignore_sigpipe(void);
void clinux_ignore_sigxfsz(void);
void clinux_ignore_foreign_signals(void);

// Memory

// Gives the pages of freed memory back to the system.
void clinux_release_memory(void);

// Sockets

int clinux_socket_stream(int family);
int clinux_socket_datagram(int family);
int clinux_socketpair(int *pair);
int clinux_pipe(int *pair);
int clinux_accept(int fd);
extern const size_t clinux_unix_path_capacity;
int clinux_unix_bind(int fd, const char *path, size_t length);
int clinux_unix_connect(int fd, const char *path, size_t length);
ssize_t clinux_unix_send_to(int fd, const void *bytes, size_t count, const char *path, size_t length);
// A datagram without bytes that carries a descriptor.
ssize_t clinux_unix_send_descriptor(int fd, int sent, const char *path, size_t length);
// A file in memory, and the end of all changes to it.
int clinux_sealable_file(const char *name);
int clinux_seal(int fd);
int clinux_peer_credentials(int fd, int32_t *pid, uint32_t *uid, uint32_t *gid);
int clinux_unix_bound_path(int fd, char *path);
int clinux_peer_groups(int fd, uint32_t *groups, int capacity);
int clinux_group_id(const char *name, uint32_t *id);
int clinux_is_private_group(uint32_t user, uint32_t group);
int clinux_inet_connect(int fd, const uint8_t *bytes, size_t count, uint16_t port, uint32_t scope);
int clinux_inet_bind(int fd, const uint8_t *bytes, size_t count, uint16_t port, uint32_t scope);
ssize_t clinux_inet_send_to(
    int fd, const void *data, size_t length, const uint8_t *bytes, size_t count, uint16_t port, uint32_t scope);
ssize_t clinux_inet_receive_from(
    int fd, void *data, size_t length, uint8_t *bytes, size_t *count, uint16_t *port, uint32_t *scope);
int clinux_socket_name(
    int fd, int peer, uint8_t *bytes, size_t *count, uint16_t *port, uint32_t *scope);

// The family of a socket, or -1.
int clinux_socket_family(int fd);
int clinux_get_option(int fd, int level, int name, int *value);
int clinux_set_option(int fd, int level, int name, int value);

// Drops what is not sent and resets the connection at close(2).
int clinux_set_linger_reset(int fd);
extern const int clinux_option_socket;
extern const int clinux_option_tcp;
extern const int clinux_option_error;
extern const int clinux_option_reuse;
extern const int clinux_option_send_buffer;
extern const int clinux_option_keepalive;
extern const int clinux_option_accepting;
extern const int clinux_option_no_delay;
extern const int clinux_option_keep_idle;
extern const int clinux_option_keep_interval;
extern const int clinux_option_keep_count;
extern const int clinux_option_user_timeout;
ssize_t clinux_send(int fd, const void *bytes, size_t count);
// Sends bytes with a few descriptors, which go with the first byte.
ssize_t clinux_send_with(int fd, const void *bytes, size_t count, const int *descriptors, size_t sent);
// How much of what was sent the peer has not read; 0: nothing. SIOCOUTQ
int clinux_unread(int fd, int *count);
// Reads bytes, and at most 16 descriptors that came with them; the kernel closes others.
ssize_t clinux_receive(int fd, void *bytes, size_t count, int *descriptors, size_t *received);

// rtnetlink

// A socket that hears of links, IPv4 addresses and the routes of both families.
int clinux_netlink_changes(void);

// One datagram; `from_kernel` and `is_whole` say whether the kernel sent it and whether it fitted.
ssize_t clinux_netlink_receive(int fd, void *bytes, size_t count, int *from_kernel, int *is_whole);

// Seconds east of UTC at a time, in the zone of TZ or /etc/localtime.
long clinux_utc_offset(int64_t seconds);

// 1: the kernel's clock is kept right by somebody (NTP, PTP); 0: by nobody; -1 with errno. adjtimex(2)
int clinux_clock_is_kept(void);

// The text of an error number, in the buffer or static.
const char *clinux_error_text(int code, char *buffer, size_t size);
const char *clinux_error_name(int code);

#endif
