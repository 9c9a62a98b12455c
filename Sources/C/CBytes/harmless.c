#include "cbytes.h"
#include <string.h>

static int may_be_escaped(uint8_t byte) {
  return byte < 0x20 || byte == '"' || byte == '\\' || byte == 0x7F || byte == 0xC2 || byte == 0xE2;
}

typedef uint8_t block __attribute__((vector_size(16)));
typedef uint8_t half __attribute__((vector_size(8)));

/// A byte of ones for each byte of a vector that may be escaped.
#define FOUND(type, bytes) \
  ((type)((bytes) < 0x20) | (type)((bytes) == '"') | (type)((bytes) == '\\') | (type)((bytes) == 0x7F) \
   | (type)((bytes) == 0xC2) | (type)((bytes) == 0xE2))

/// Copies sixteen bytes, and says whether all are harmless.
static int copy_block(uint8_t *to, const uint8_t *from) {
  block bytes;
  memcpy(&bytes, from, sizeof bytes);
  memcpy(to, &bytes, sizeof bytes);
  block found = FOUND(block, bytes);
  uint64_t halves[2];
  memcpy(halves, &found, sizeof halves);
  return (halves[0] | halves[1]) == 0;
}

/// Copies eight bytes; 1 if all are harmless.
static int copy_half(uint8_t *to, const uint8_t *from) {
  half bytes;
  memcpy(&bytes, from, sizeof bytes);
  memcpy(to, &bytes, sizeof bytes);
  half found = FOUND(half, bytes);
  uint64_t all;
  memcpy(&all, &found, sizeof all);
  return all == 0;
}

size_t cbytes_copy_harmless(void *to, const void *from, size_t length) {
  uint8_t *target = to;
  const uint8_t *source = from;
  size_t place = 0;
  while (length - place >= 16 && copy_block(target + place, source + place)) place += 16;
  // The last ones, some of which have been looked at.
  if (length - place < 16 && length >= 16 && copy_block(target + length - 16, source + length - 16)) return length;
  if (length < 16 && length >= 8 && copy_half(target, source)) {
    if (copy_half(target + length - 8, source + length - 8)) return length;
    place = 8;
  }
  for (; place < length && !may_be_escaped(source[place]); place++) target[place] = source[place];
  return place;
}
