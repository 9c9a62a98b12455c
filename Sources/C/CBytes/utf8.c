#include "cbytes.h"
#include <string.h>

static int follows(uint8_t byte) { return (byte & 0xC0) == 0x80; }

/// Bytes of the well-formed sequence of more than one that begins at `p`, where `left` bytes are; 0 where there is none. What the second byte
/// may be says the table of RFC 3629, section 4: here as what the first two bytes come to.
static size_t sequence(const uint8_t *p, size_t left) {
  uint8_t first = p[0];
  if (first < 0xC2 || first > 0xF4 || left < 2 || !follows(p[1])) return 0;
  if (first < 0xE0) return 2;
  uint32_t both = (uint32_t)(first & 15) << 6 | (p[1] & 63);
  if (left < 3 || !follows(p[2])) return 0;
  // Not below U+0800, and no surrogates.
  if (first < 0xF0) return both >= 0x20 && both >> 5 != 0x1B ? 3 : 0;
  // U+10000 to U+10FFFF.
  return left >= 4 && follows(p[3]) && both >= 0x10 && both <= 0x10F ? 4 : 0;
}

static int are_ascii(const uint8_t *eight) {
  uint64_t word;
  memcpy(&word, eight, sizeof word);
  return (word & UINT64_C(0x8080808080808080)) == 0;
}

int cbytes_is_utf8(const void *bytes, size_t length) {
  const uint8_t *p = bytes;
  size_t place = 0;
  do {
    while (length - place >= 8 && are_ascii(p + place)) place += 8;
    // The last eight, some of which have been looked at.
    if (length >= 8 && length - place < 8 && are_ascii(p + length - 8)) return 1;
    while (place < length && p[place] < 0x80) place++;
    while (place < length && p[place] >= 0x80) {
      size_t count = sequence(p + place, length - place);
      if (count == 0) return 0;
      place += count;
    }
  } while (place < length);
  return 1;
}
