#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

int clinux_preallocate(int fd, int keep_size, int64_t length) {
  return fallocate(fd, keep_size ? FALLOC_FL_KEEP_SIZE : 0, 0, length);
}

int clinux_file_status(int fd, const char *path, struct clinux_file_status *status) {
  struct statx found;
  if (statx(fd, path, AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_BTIME, &found) != 0) return -1;
  memset(status, 0, sizeof *status);
  status->inode = found.stx_ino;
  status->size = found.stx_size;
  status->mode = found.stx_mode;
  status->owner = found.stx_uid;
  status->links = found.stx_nlink;
  status->device = (uint64_t)found.stx_dev_major << 32 | found.stx_dev_minor;
  if (found.stx_mask & STATX_BTIME) {
    status->has_birth = 1;
    status->birth_nanoseconds = (int64_t)found.stx_btime.tv_sec * 1000000000 + found.stx_btime.tv_nsec;
  }
  return 0;
}

// Makes an unlinked file on file systems without O_TMPFILE: the file has a name for a moment.
static int clinux_unlinked_file(const char *directory) {
  char name[PATH_MAX];
  int length = snprintf(name, sizeof name, "%s/confab-XXXXXX", directory);
  if (length < 0 || (size_t)length >= sizeof name) return errno = ENAMETOOLONG, -1;
  int fd = mkostemp(name, O_CLOEXEC);
  if (fd < 0 || unlink(name) == 0) return fd;
  int code = errno;
  close(fd);
  errno = code;
  return -1;
}

int clinux_temporary_file(const char *path) {
  int fd = open(path, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
  if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return fd;
  return clinux_unlinked_file(path);
}

int clinux_free_bytes(const char *path, uint64_t *bytes) {
  struct statvfs status;
  if (statvfs(path, &status) != 0) return -1;
  *bytes = (uint64_t)status.f_bavail * status.f_frsize;
  return 0;
}

int clinux_memory_file(const char *name) {
  int fd = memfd_create(name, 0);
  if (fd >= 0 && fchmod(fd, 0600) != 0) {
    close(fd);
    return -1;
  }
  return fd;
}
