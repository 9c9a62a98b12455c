#ifndef CONFAB_CBYTES_H
#define CONFAB_CBYTES_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// CRC-32C (Castagnoli, reflected polynomial 0x82F63B78) of `length` bytes, going on from `crc`, which is 0 for a fresh
/// start or what an earlier call returned. Uses SSE 4.2 where the processor has it. `bytes` may be NULL if length is 0.
uint32_t cbytes_crc32c(uint32_t crc, const void *bytes, size_t length);

/// The CRC-32C by tables (slicing by 8), on every processor.
uint32_t cbytes_crc32c_tables(uint32_t crc, const void *bytes, size_t length);

/// The CRC-32C by the SSE 4.2 instruction. Must only be called if `cbytes_crc32c_has_hardware()` is not 0.
uint32_t cbytes_crc32c_hardware(uint32_t crc, const void *bytes, size_t length);

/// Not 0 if this processor has a CRC-32C instruction that we use.
int cbytes_crc32c_has_hardware(void);

/// Copies from the front of a text the bytes up to the first with which something may begin that JSON has to escape, or that
/// a terminal would obey: controls, a quote, a backslash, and C2 and E2, with which C1 controls and U+2028 begin in UTF-8.
/// How many bytes that are. `to` has room for `length`, all of which may be written.
size_t cbytes_copy_harmless(void *to, const void *from, size_t length);

/// Not 0 if `bytes` are well-formed UTF-8 (RFC 3629, section 4).
int cbytes_is_utf8(const void *bytes, size_t length);

/// The same without special instructions, on every processor.
int cbytes_is_utf8_plainly(const void *bytes, size_t length);

/// Fragments that a set holds at most, and bytes of each.
#define CBYTES_FRAGMENTS 64
#define CBYTES_FRAGMENT 16

/// Short strings of bytes that are looked for all at once, letters of ASCII in either case. Each belongs to one of eight
/// buckets; a byte's two halves say by the tables which buckets have it as their first, second and third.
typedef struct {
  uint32_t count;
  /// Bytes that the tables look at: 1 to 3, and no more than the shortest has.
  uint32_t width;
  uint8_t low[3][16];
  uint8_t high[3][16];
  /// The bytes that are met first and second, as far as there are no more than two of each; `pairs` is 0 where there are.
  uint32_t pairs;
  uint8_t starts[2][2];
  uint8_t lengths[CBYTES_FRAGMENTS];
  /// In lower case.
  uint8_t bytes[CBYTES_FRAGMENTS][CBYTES_FRAGMENT];
} cbytes_fragments;

/// Adds a fragment of 1 to CBYTES_FRAGMENT bytes; 0 if there is no room for it. All bytes of an empty set are zero.
int cbytes_fragments_add(cbytes_fragments *set, const void *fragment, size_t length);

/// The first place at or behind `from` where one of the fragments stands in `bytes`; `length` where there is none. To `looks`
/// are added the places that had to be looked at more closely. Uses AVX2 where the processor has it.
size_t cbytes_fragments_find(const cbytes_fragments *set, const void *bytes, size_t length, size_t from, size_t *looks);

/// Finds fragments without special instructions, on every processor.
size_t cbytes_fragments_find_plainly(
    const cbytes_fragments *set, const void *bytes, size_t length, size_t from, size_t *looks);

/// 1 if the first `count` bytes of both are equal.
static inline int cbytes_equal(const void *one, const void *other, size_t count) {
  return count == 0 || memcmp(one, other, count) == 0;
}

/// 1 if one of the bytes is `byte`.
static inline int cbytes_contains(const void *bytes, size_t count, uint8_t byte) {
  return count > 0 && memchr(bytes, byte, count) != NULL;
}

/// A hash that anybody can make collide, of all bytes, eight at a time: for caches.
static inline uint32_t cbytes_cache_hash(const unsigned char *bytes, size_t count) {
  const uint64_t factor = 0x9E3779B97F4A7C15u;
  uint64_t hash = count * factor, word = 0;
  if (count < 8) {
    for (size_t at = 0; at < count; at++) word = word << 8 | bytes[at];
    return (uint32_t)(((hash ^ word) * factor) >> 40);
  }
  for (size_t at = 0; at + 8 < count; at += 8) {
    memcpy(&word, bytes + at, 8);
    hash = (hash ^ word) * factor;
    hash ^= hash >> 32;
  }
  memcpy(&word, bytes + count - 8, 8);
  return (uint32_t)(((hash ^ word) * factor) >> 40);
}
#endif
