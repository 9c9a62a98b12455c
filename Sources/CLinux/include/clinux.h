// Inline shims for what the Glibc module lacks (epoll, eventfd, timerfd, signalfd, accept4, ucred, fallocate, statx).
#ifndef CONFAB_CLINUX_H
#define CONFAB_CLINUX_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <unistd.h>
#endif
