// The peer of `make bench`: a client on libstrophe that logs in, answers pings, and throws every message away once it
// has been parsed. It stores nothing and acknowledges nothing.
//
// usage: strophe_peer JID PASSWORD PORT CAFILE direct|starttls
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strophe.h>

static unsigned long messages;

static int on_message(xmpp_conn_t *connection, xmpp_stanza_t *stanza, void *unused) {
  (void)connection;
  (void)unused;
  if (xmpp_stanza_get_child_by_name(stanza, "body") != NULL) messages++;
  return 1;
}

static int on_ping(xmpp_conn_t *connection, xmpp_stanza_t *stanza, void *unused) {
  (void)unused;
  xmpp_stanza_t *answer = xmpp_stanza_reply(stanza);
  xmpp_stanza_set_type(answer, "result");
  xmpp_send(connection, answer);
  xmpp_stanza_release(answer);
  return 1;
}

static void on_connection(
    xmpp_conn_t *connection, xmpp_conn_event_t event, int error, xmpp_stream_error_t *stream_error, void *context) {
  (void)error;
  (void)stream_error;
  if (event != XMPP_CONN_CONNECT) {
    xmpp_stop(context);
    return;
  }
  xmpp_handler_add(connection, on_message, NULL, "message", NULL, NULL);
  xmpp_handler_add(connection, on_ping, "urn:xmpp:ping", "iq", "get", NULL);
  xmpp_stanza_t *presence = xmpp_presence_new(context);
  xmpp_send(connection, presence);
  xmpp_stanza_release(presence);
}

int main(int count, char **arguments) {
  if (count != 6) {
    fprintf(stderr, "usage: strophe_peer JID PASSWORD PORT CAFILE direct|starttls\n");
    return 64;
  }
  int isDirect = strcmp(arguments[5], "direct") == 0;
  xmpp_initialize();
  xmpp_ctx_t *context = xmpp_ctx_new(NULL, xmpp_get_default_logger(XMPP_LEVEL_WARN));
  xmpp_conn_t *connection = xmpp_conn_new(context);
  xmpp_conn_set_flags(
      connection, XMPP_CONN_FLAG_DISABLE_SM | (isDirect ? XMPP_CONN_FLAG_LEGACY_SSL : XMPP_CONN_FLAG_MANDATORY_TLS));
  xmpp_conn_set_cafile(connection, arguments[4]);
  xmpp_conn_set_jid(connection, arguments[1]);
  xmpp_conn_set_pass(connection, arguments[2]);
  unsigned short port = (unsigned short)atoi(arguments[3]);
  if (xmpp_connect_client(connection, "127.0.0.1", port, on_connection, context) != XMPP_EOK) return 1;
  xmpp_run(context);
  printf("%lu\n", messages);
  xmpp_conn_release(connection);
  xmpp_ctx_free(context);
  xmpp_shutdown();
  return 0;
}
