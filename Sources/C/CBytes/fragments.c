#include "cbytes.h"
#include <string.h>

typedef uint8_t block __attribute__((vector_size(CBYTES_FRAGMENT)));

/// The letters of ASCII in lower case, all else as it is.
static inline block lowered(block bytes) {
  return bytes | ((block)(bytes >= 'A') & (block)(bytes <= 'Z') & 0x20);
}

static inline uint8_t other_case(uint8_t byte) { return (uint8_t)((byte | 0x20) - 'a') < 26 ? byte ^ 0x20 : byte; }

/// Notes that this byte is met at one of the first two places; 0 where there is no room for it.
static int note_start(uint8_t known[2], uint8_t byte, int is_first) {
  if (is_first) known[0] = known[1] = byte;
  if (byte == known[0] || byte == known[1]) return 1;
  if (known[0] != known[1]) return 0;
  known[1] = byte;
  return 1;
}

static int note_starts(cbytes_fragments *set, const uint8_t *bytes, size_t length, int is_first) {
  if (length < 2) return 0;
  for (int place = 0; place < 2; place++) {
    if (!note_start(set->starts[place], bytes[place], is_first)) return 0;
    if (!note_start(set->starts[place], other_case(bytes[place]), 0)) return 0;
  }
  return 1;
}

static void note_in_tables(cbytes_fragments *set, int place, uint8_t byte, uint8_t bucket) {
  set->low[place][byte & 15] |= bucket;
  set->high[place][byte >> 4] |= bucket;
}

int cbytes_fragments_add(cbytes_fragments *set, const void *fragment, size_t length) {
  if (length == 0 || length > CBYTES_FRAGMENT || set->count == CBYTES_FRAGMENTS) return 0;
  uint32_t index = set->count++;
  block bytes = {0};
  memcpy(&bytes, fragment, length);
  bytes = lowered(bytes);
  memcpy(set->bytes[index], &bytes, sizeof bytes);
  set->lengths[index] = (uint8_t)length;
  if (index == 0 || length < set->width) set->width = length < 3 ? (uint32_t)length : 3;
  set->pairs = (index == 0 || set->pairs) && note_starts(set, set->bytes[index], length, index == 0);
  for (int place = 0; place < 3 && (size_t)place < length; place++) {
    note_in_tables(set, place, bytes[place], (uint8_t)(1u << (index % 8)));
    note_in_tables(set, place, other_case(bytes[place]), (uint8_t)(1u << (index % 8)));
  }
  return 1;
}

/// Not 0 if two blocks begin with the same `count` bytes.
static inline int is_same(block one, block other, size_t count) {
  static const uint8_t ones_and_zeros[2 * CBYTES_FRAGMENT] = {[0 ... CBYTES_FRAGMENT - 1] = 0xFF};
  block mask;
  memcpy(&mask, ones_and_zeros + CBYTES_FRAGMENT - count, sizeof mask);
  mask &= one ^ other;
  uint64_t halves[2];
  memcpy(halves, &mask, sizeof halves);
  return (halves[0] | halves[1]) == 0;
}

/// Not 0 if a fragment of one of the buckets is at `place`.
static inline int stands(
    const cbytes_fragments *set, const uint8_t *bytes, size_t length, size_t place, uint8_t buckets) {
  block here = {0}, fragment;
  size_t left = length - place;
  if (left < sizeof here) memcpy(&here, bytes + place, left);
  else memcpy(&here, bytes + place, sizeof here);
  here = lowered(here);
  for (uint32_t index = 0; index < set->count; index++) {
    if (!(buckets >> (index % 8) & 1)) continue;
    memcpy(&fragment, set->bytes[index], sizeof fragment);
    if (set->lengths[index] <= left && is_same(here, fragment, set->lengths[index])) return 1;
  }
  return 0;
}

static inline uint8_t buckets(const cbytes_fragments *set, const uint8_t *bytes) {
  uint8_t result = 0xFF;
  for (uint32_t place = 0; place < set->width; place++)
    result &= set->low[place][bytes[place] & 15] & set->high[place][bytes[place] >> 4];
  return result;
}

size_t cbytes_fragments_find_plainly(
    const cbytes_fragments *set, const void *data, size_t length, size_t from, size_t *looks) {
  const uint8_t *bytes = data;
  if (set->count == 0) return length;
  for (size_t place = from; place + set->width <= length; place++) {
    uint8_t found = buckets(set, bytes + place);
    if (!found) continue;
    *looks += 1;
    if (stands(set, bytes, length, place, found)) return place;
  }
  return length;
}

#if defined(__x86_64__)
#include <immintrin.h>

/// The buckets of 32 bytes as the first, second or third ones.
__attribute__((target("avx2"))) static inline __m256i look(
    const uint8_t *bytes, __m256i low, __m256i high, __m256i half) {
  __m256i block = _mm256_loadu_si256((const __m256i *)bytes);
  __m256i lows = _mm256_shuffle_epi8(low, _mm256_and_si256(block, half));
  __m256i highs = _mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi16(block, 4), half));
  return _mm256_and_si256(lows, highs);
}

/// A mask of the bytes that are one of two, for 32 bytes.
__attribute__((target("avx2"))) static inline __m256i is_either(const uint8_t *bytes, __m256i one, __m256i other) {
  __m256i block = _mm256_loadu_si256((const __m256i *)bytes);
  return _mm256_or_si256(_mm256_cmpeq_epi8(block, one), _mm256_cmpeq_epi8(block, other));
}

/// Finds fragments that begin with few different bytes, by comparing with these: less work than the tables.
__attribute__((target("avx2"))) static size_t find_pairs_avx2(
    const cbytes_fragments *set, const uint8_t *bytes, size_t length, size_t from, size_t *looks) {
  const __m256i first = _mm256_set1_epi8((char)set->starts[0][0]), or_first = _mm256_set1_epi8((char)set->starts[0][1]);
  const __m256i second = _mm256_set1_epi8((char)set->starts[1][0]), or_second = _mm256_set1_epi8((char)set->starts[1][1]);
  // The last bytes, and zeros behind them.
  uint8_t rest[65] = {0};
  for (size_t place = from; place < length; place += 64) {
    const uint8_t *here = place + 65 <= length ? bytes + place : memcpy(rest, bytes + place, length - place);
    __m256i low = _mm256_and_si256(is_either(here, first, or_first), is_either(here + 1, second, or_second));
    __m256i high = _mm256_and_si256(is_either(here + 32, first, or_first), is_either(here + 33, second, or_second));
    if (__builtin_expect(_mm256_testz_si256(_mm256_or_si256(low, high), _mm256_or_si256(low, high)), 1)) continue;
    uint64_t some = (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
    for (; some; some &= some - 1) {
      size_t at = place + (size_t)__builtin_ctzll(some);
      *looks += 1;
      if (at + set->width <= length && stands(set, bytes, length, at, buckets(set, bytes + at))) return at;
    }
  }
  return length;
}

__attribute__((target("avx2"))) static size_t find_avx2(
    const cbytes_fragments *set, const uint8_t *bytes, size_t length, size_t from, size_t *looks) {
  __m256i low[3], high[3];
  for (int place = 0; place < 3; place++) {
    low[place] = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)set->low[place]));
    high[place] = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)set->high[place]));
  }
  const __m256i half = _mm256_set1_epi8(15);
  size_t place = from;
  // Each round reads up to two bytes behind its block.
  for (; place + 34 <= length; place += 32) {
    __m256i found = look(bytes + place, low[0], high[0], half);
    if (set->width > 1) found = _mm256_and_si256(found, look(bytes + place + 1, low[1], high[1], half));
    // Most blocks have no two such bytes.
    if (_mm256_testz_si256(found, found)) continue;
    if (set->width > 2) found = _mm256_and_si256(found, look(bytes + place + 2, low[2], high[2], half));
    uint32_t none = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(found, _mm256_setzero_si256()));
    for (uint32_t some = ~none; some; some &= some - 1) {
      size_t at = place + (size_t)__builtin_ctz(some);
      *looks += 1;
      if (stands(set, bytes, length, at, buckets(set, bytes + at))) return at;
    }
  }
  return cbytes_fragments_find_plainly(set, bytes, length, place, looks);
}

size_t cbytes_fragments_find(const cbytes_fragments *set, const void *bytes, size_t length, size_t from, size_t *looks) {
  if (set->count == 0 || !__builtin_cpu_supports("avx2"))
    return cbytes_fragments_find_plainly(set, bytes, length, from, looks);
  return set->pairs ? find_pairs_avx2(set, bytes, length, from, looks) : find_avx2(set, bytes, length, from, looks);
}
#else
size_t cbytes_fragments_find(const cbytes_fragments *set, const void *bytes, size_t length, size_t from, size_t *looks) {
  return cbytes_fragments_find_plainly(set, bytes, length, from, looks);
}
#endif
