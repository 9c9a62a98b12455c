// The functions that TLS uses; inline shims only for the macros that Swift does not import.
#pragma once
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

static inline int confab_ctx_set_min_tls12(SSL_CTX *context) {
  return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}

// Memory is given back between records; writes may be partial and move; no renegotiation, no compression.
static inline void confab_ctx_set_modes(SSL_CTX *context) {
  SSL_CTX_set_mode(
      context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

// Sessions are told to the callback and kept by nobody else.
static inline void confab_ctx_tell_sessions(SSL_CTX *context) {
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
}

static inline int confab_has_extended_master_secret(SSL *ssl) { return (int)SSL_get_extms_support(ssl); }

static inline const EVP_MD *confab_digest(int nid) { return EVP_get_digestbynid(nid); }

static inline int confab_ssl_set_server_name(SSL *ssl, const char *name) {
  return (int)SSL_set_tlsext_host_name(ssl, name);
}

// 1 if the text is an IPv4 or IPv6 address, which is not sent as a server name (RFC 6066, section 3).
static inline int confab_is_address(const char *text) {
  ASN1_OCTET_STRING *address = a2i_IPADDRESS(text);
  int is_address = address != NULL;
  ASN1_OCTET_STRING_free(address);
  return is_address;
}

static inline int confab_ctx_set_max_tls12(SSL_CTX *context) {
  return SSL_CTX_set_max_proto_version(context, TLS1_2_VERSION);
}

static inline void confab_ctx_forget_extended_master_secret(SSL_CTX *context) {
  SSL_CTX_set_options(context, SSL_OP_NO_EXTENDED_MASTER_SECRET);
}

static const unsigned int confab_host_flags =
    X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT;

static const int confab_bio_type = BIO_TYPE_SOURCE_SINK;
static inline void confab_bio_retry_read(BIO *bio) { BIO_set_retry_read(bio); }
static inline void confab_bio_clear_retry(BIO *bio) { BIO_clear_retry_flags(bio); }

// Names in a certificate.

// RFC 2253, all but printable ASCII escaped.
static const unsigned long confab_one_line_name = XN_FLAG_RFC2253;

static inline int confab_names_count(const GENERAL_NAMES *names) { return sk_GENERAL_NAME_num(names); }

// The bytes of a dNSName, NULL for another kind of name. They live as long as the list.
static inline const unsigned char *confab_dns_name(const GENERAL_NAMES *names, int index, int *length) {
  const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, index);
  if (name == NULL || name->type != GEN_DNS) return NULL;
  *length = ASN1_STRING_length(name->d.dNSName);
  return ASN1_STRING_get0_data(name->d.dNSName);
}

static inline GENERAL_NAMES *confab_alternative_names(const X509 *certificate) {
  return (GENERAL_NAMES *)X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
}

static inline int confab_certificates_count(const STACK_OF(X509) *chain) {
  int count = sk_X509_num(chain);
  return count < 0 ? 0 : count;
}

// The end of a certificate's validity in Unix seconds; 0 where it cannot be read.
static inline int64_t confab_certificate_end(const STACK_OF(X509) *chain, int index) {
  int days = 0, seconds = 0;
  ASN1_TIME *epoch = ASN1_TIME_set(NULL, 0);
  int is_fine = ASN1_TIME_diff(&days, &seconds, epoch, X509_get0_notAfter(sk_X509_value(chain, index)));
  ASN1_TIME_free(epoch);
  return is_fine == 1 ? (int64_t)days * 86400 + seconds : 0;
}

// Year, month (from 1), day, hour, minute, second in UTC.
static inline int confab_time_parts(const ASN1_TIME *time, int *parts) {
  struct tm fields;
  if (ASN1_TIME_to_tm(time, &fields) != 1) return 0;
  parts[0] = fields.tm_year + 1900, parts[1] = fields.tm_mon + 1, parts[2] = fields.tm_mday;
  parts[3] = fields.tm_hour, parts[4] = fields.tm_min, parts[5] = fields.tm_sec;
  return 1;
}
