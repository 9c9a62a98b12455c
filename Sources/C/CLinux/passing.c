// Descriptors that go over Unix sockets with bytes (SCM_RIGHTS).
#define _GNU_SOURCE 1
#include "clinux.h"
#include <errno.h>
#include <string.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>

enum { most_descriptors = 16 };

union control {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(most_descriptors * sizeof(int))];
};

ssize_t clinux_send_with(int fd, const void *bytes, size_t count, const int *descriptors, size_t sent) {
  if (sent > most_descriptors) return errno = E2BIG, -1;
  const size_t size = sent * sizeof(int);
  union control control = {
      .header = {.cmsg_len = CMSG_LEN(size), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
  memcpy(CMSG_DATA(&control.header), descriptors, size);
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
  const struct msghdr message = {
      .msg_iov = &part,
      .msg_iovlen = 1,
      .msg_control = sent > 0 ? &control : NULL,
      .msg_controllen = sent > 0 ? CMSG_SPACE(size) : 0};
  return sendmsg(fd, &message, MSG_NOSIGNAL);
}

int clinux_unread(int fd, int *count) { return ioctl(fd, SIOCOUTQ, count); }

ssize_t clinux_receive(int fd, void *bytes, size_t count, int *descriptors, size_t *received) {
  union control control;
  struct iovec part = {.iov_base = bytes, .iov_len = count};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.bytes};
  *received = 0;
  const ssize_t result = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);
  if (result < 0) return result;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    const size_t size = header->cmsg_len - CMSG_LEN(0);
    memcpy(descriptors + *received, CMSG_DATA(header), size);
    *received += size / sizeof(int);
  }
  return result;
}
