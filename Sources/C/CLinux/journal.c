#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "clinux.h"

socklen_t clinux_unix_address(struct sockaddr_un *address, const char *path, size_t length);

int clinux_sealable_file(const char *name) { return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING); }

int clinux_seal(int fd) { return fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL); }

ssize_t clinux_unix_send_descriptor(int fd, int sent, const char *path, size_t length) {
  struct sockaddr_un address;
  const socklen_t size = clinux_unix_address(&address, path, length);
  if (size == 0) return errno = ENAMETOOLONG, -1;
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control = {.header = {.cmsg_len = CMSG_LEN(sizeof sent), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
  memcpy(CMSG_DATA(&control.header), &sent, sizeof sent);
  const struct msghdr message = {
      .msg_name = &address, .msg_namelen = size, .msg_control = &control, .msg_controllen = sizeof control.bytes};
  return sendmsg(fd, &message, MSG_NOSIGNAL);
}
