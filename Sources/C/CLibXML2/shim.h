// Inline shims only: no logic.
#pragma once
#include <stddef.h>
#include <string.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/SAX2.h>
#include <libxml/xmlerror.h>
#include <libxml/dict.h>

/// The library's generic (variadic) error channel, which Swift cannot implement: says nothing.
static inline void confab_xml_silence(void *context, const char *message, ...) {
  (void)context;
  (void)message;
}

/// No external entity is ever loaded, from a file or the network.
static inline xmlParserInputPtr confab_xml_no_entity(const char *url, const char *id, xmlParserCtxtPtr context) {
  (void)url;
  (void)id;
  (void)context;
  return NULL;
}

/// Sets up the library once in a process: nothing on standard error, nothing loaded from outside.
static inline void confab_xml_initialize(void) {
  xmlInitParser();
  xmlSetGenericErrorFunc(NULL, confab_xml_silence);
  xmlThrDefSetGenericErrorFunc(NULL, confab_xml_silence);
  xmlSetExternalEntityLoader(confab_xml_no_entity);
}

/// 1 if the first `count` bytes of both are equal.
static inline int confab_xml_equal(const unsigned char *one, const unsigned char *other, size_t count) {
  return count == 0 || memcmp(one, other, count) == 0;
}

/// 1 if one of the bytes is `byte`.
static inline int confab_xml_contains(const unsigned char *bytes, size_t count, unsigned char byte) {
  return count > 0 && memchr(bytes, byte, count) != NULL;
}
