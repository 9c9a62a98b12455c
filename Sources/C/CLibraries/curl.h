// Inline shims only: no logic. The setters of libcurl are variadic, which Swift does not import.
#pragma once
#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>
#include <netinet/in.h>
#include <string.h>

static const long confab_curl_ssl = CURL_GLOBAL_SSL;
static const size_t confab_curl_readfunc_abort = CURL_READFUNC_ABORT;
static const curl_socket_t confab_curl_no_socket = CURL_SOCKET_BAD;
static const int confab_curl_already_connected = CURL_SOCKOPT_ALREADY_CONNECTED;

static inline CURLcode confab_curl_number(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode confab_curl_size(CURL *handle, CURLoption option, int64_t value) {
  return curl_easy_setopt(handle, option, (curl_off_t)value);
}

// The text is copied, but for CURLOPT_ERRORBUFFER; NULL takes the default away.
static inline CURLcode confab_curl_text(CURL *handle, CURLoption option, const char *text) {
  return curl_easy_setopt(handle, option, text);
}

static inline CURLcode confab_curl_pointer(CURL *handle, CURLoption option, void *pointer) {
  return curl_easy_setopt(handle, option, pointer);
}

static inline CURLcode confab_curl_bytes(CURL *handle, CURLoption option, const void *bytes, size_t count) {
  struct curl_blob blob = {.data = (void *)bytes, .len = count, .flags = CURL_BLOB_COPY};
  return curl_easy_setopt(handle, option, &blob);
}

static inline CURLcode confab_curl_list(CURL *handle, CURLoption option, struct curl_slist *list) {
  return curl_easy_setopt(handle, option, list);
}

static inline CURLcode confab_curl_on_bytes(CURL *handle, CURLoption option, curl_write_callback callback) {
  return curl_easy_setopt(handle, option, callback);
}

static inline CURLcode confab_curl_on_room(CURL *handle, curl_read_callback callback) {
  return curl_easy_setopt(handle, CURLOPT_READFUNCTION, callback);
}

static inline CURLcode confab_curl_on_seek(CURL *handle, curl_seek_callback callback) {
  return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, callback);
}

static inline CURLcode confab_curl_on_open(CURL *handle, curl_opensocket_callback callback) {
  return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, callback);
}

static inline CURLcode confab_curl_on_opened(CURL *handle, curl_sockopt_callback callback) {
  return curl_easy_setopt(handle, CURLOPT_SOCKOPTFUNCTION, callback);
}

// How a transfer ended that `message` says is over.
static inline CURLcode confab_curl_result(const CURLMsg *message) { return message->data.result; }
