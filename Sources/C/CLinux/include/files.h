// Shims for files: preallocation and what statx tells.
#ifndef CONFAB_CLINUX_FILES_H
#define CONFAB_CLINUX_FILES_H
#include <stdint.h>

// Keeps the first `length` bytes of the file on the disk; unless `keep_size`, it is that long afterwards, ending in zeros.
// fallocate(2)
int clinux_preallocate(int fd, int keep_size, int64_t length);

struct clinux_file_status {
  uint64_t inode;
  uint64_t size;
  int64_t birth_nanoseconds;  // since 1970; valid where has_birth is not 0
  uint32_t has_birth;
  uint32_t mode;              // type and permission bits
  uint32_t owner;
  uint32_t links;
  uint64_t device;
};

// About the open file `fd` if `path` is empty, else about what it names, below the directory `fd`. statx(2)
int clinux_file_status(int fd, const char *path, struct clinux_file_status *status);

// A file of mode 0600 that is in memory only and goes with its last descriptor; programs that are started inherit it.
// memfd_create(2)
int clinux_memory_file(const char *name);

// A file of mode 0600 without a name in the directory `path`, gone with its last descriptor. open(2), O_TMPFILE
int clinux_temporary_file(const char *path);

// Bytes that this user may still write on the file system that holds `path`. statvfs(3)
int clinux_free_bytes(const char *path, uint64_t *bytes);
#endif
