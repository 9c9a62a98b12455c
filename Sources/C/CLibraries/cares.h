// Inline shims only: no logic.
#pragma once
#include <ares.h>
#include <ares_nameser.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

static const int confab_ares_srv = ns_t_srv;
static const int confab_ares_internet = ns_c_in;

// No search domains, the hosts file first, each try twice as long as the one before.
static inline int confab_ares_init(
    ares_channel *channel, int timeout_milliseconds, int tries, ares_sock_state_cb callback, void *data) {
  char lookups[] = "fb";
  struct ares_options options;
  memset(&options, 0, sizeof options);
  options.flags = ARES_FLAG_NOSEARCH | ARES_FLAG_NOALIASES;
  options.timeout = timeout_milliseconds;
  options.tries = tries;
  options.lookups = lookups;
  options.sock_state_cb = callback;
  options.sock_state_cb_data = data;
  return ares_init_options(
      channel, &options,
      ARES_OPT_FLAGS | ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_LOOKUPS | ARES_OPT_SOCK_STATE_CB);
}

// Milliseconds until the channel wants to be processed, rounded up; -1 where it waits for nothing.
static inline int64_t confab_ares_timeout(ares_channel channel) {
  struct timeval time;
  if (ares_timeout(channel, NULL, &time) == NULL) return -1;
  return (int64_t)time.tv_sec * 1000 + (time.tv_usec + 999) / 1000;
}

static inline void confab_ares_process(ares_channel channel, int readable, int writable) {
  ares_process_fd(
      channel, readable >= 0 ? readable : ARES_SOCKET_BAD, writable >= 0 ? writable : ARES_SOCKET_BAD);
}

// Asks for the addresses of one family, in the order of the answer.
static inline void confab_ares_addresses(
    ares_channel channel, const char *name, int ipv6, ares_addrinfo_callback callback, void *argument) {
  struct ares_addrinfo_hints hints = {
      .ai_flags = ARES_AI_NOSORT, .ai_family = ipv6 ? AF_INET6 : AF_INET, .ai_socktype = SOCK_STREAM};
  ares_getaddrinfo(channel, name, NULL, &hints, callback, argument);
}

// The bytes of one address: 4 or 16, 0 for another family.
static inline size_t confab_ares_address(const struct ares_addrinfo_node *node, uint8_t *bytes, uint32_t *scope) {
  *scope = 0;
  if (node->ai_family == AF_INET) {
    memcpy(bytes, &((const struct sockaddr_in *)(const void *)node->ai_addr)->sin_addr, 4);
    return 4;
  }
  if (node->ai_family != AF_INET6) return 0;
  const struct sockaddr_in6 *address = (const struct sockaddr_in6 *)(const void *)node->ai_addr;
  memcpy(bytes, &address->sin6_addr, 16);
  *scope = address->sin6_scope_id;
  return 16;
}
