#include "cbytes.h"
#include <endian.h>
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

static const uint64_t tops = UINT64_C(0x8080808080808080);

/// The top bits of the eight bytes from `place` on, the first one's lowest; behind the end there are none.
static uint64_t top_bits(const uint8_t *p, size_t place, size_t length) {
  size_t left = length - place;
  uint64_t word = 0;
  if (left >= 8) memcpy(&word, p + place, 8);
  else if (length >= 8) memcpy(&word, p + length - 8, 8);
  else memcpy(&word, p + place, left);
  word = le64toh(word);
  return (left < 8 && length >= 8 ? word >> 8 * (8 - left) : word) & tops;
}

int cbytes_is_utf8_plainly(const void *bytes, size_t length) {
  const uint8_t *p = bytes;
  size_t place = 0;
  while (place < length) {
    uint64_t found = top_bits(p, place, length);
    if (found == 0) {
      place += length - place < 8 ? length - place : 8;
      continue;
    }
    place += (size_t)__builtin_ctzll(found) / 8;
    do {
      size_t count = sequence(p + place, length - place);
      if (count == 0) return 0;
      place += count;
    } while (place < length && p[place] >= 0x80);
  }
  return 1;
}

#if defined(__x86_64__)
#include <tmmintrin.h>

// What can be wrong with two bytes that follow each other, a bit each (J. Keiser, D. Lemire: "Validating UTF-8 in less than
// one instruction per byte", 2021). The tables say it of the halves of the first byte and the upper half of the second.
enum {
  SHORT = 1, LONG = 2, OVERLONG_3 = 4, LARGE = 8, SURROGATE = 16, OVERLONG_2 = 32, LARGE_1000 = 64, OVERLONG_4 = 64,
  TWO = 128, ANY = SHORT | LONG | TWO
};
static const uint8_t first_high[16] = {
  LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG, TWO, TWO, TWO, TWO, SHORT | OVERLONG_2, SHORT,
  SHORT | OVERLONG_3 | SURROGATE, SHORT | LARGE | LARGE_1000 | OVERLONG_4
};
static const uint8_t first_low[16] = {
  ANY | OVERLONG_3 | OVERLONG_2 | OVERLONG_4, ANY | OVERLONG_2, ANY, ANY, ANY | LARGE, ANY | LARGE | LARGE_1000,
  ANY | LARGE | LARGE_1000, ANY | LARGE | LARGE_1000, ANY | LARGE | LARGE_1000, ANY | LARGE | LARGE_1000,
  ANY | LARGE | LARGE_1000, ANY | LARGE | LARGE_1000, ANY | LARGE | LARGE_1000,
  ANY | LARGE | LARGE_1000 | SURROGATE, ANY | LARGE | LARGE_1000, ANY | LARGE | LARGE_1000
};
static const uint8_t second_high[16] = {
  SHORT, SHORT, SHORT, SHORT, SHORT, SHORT, SHORT, SHORT,
  LONG | OVERLONG_2 | TWO | OVERLONG_3 | LARGE_1000 | OVERLONG_4, LONG | OVERLONG_2 | TWO | OVERLONG_3 | LARGE,
  LONG | OVERLONG_2 | TWO | SURROGATE | LARGE, LONG | OVERLONG_2 | TWO | SURROGATE | LARGE, SHORT, SHORT, SHORT, SHORT
};
/// Moves the last of 16 bytes to the front, and zeros behind them.
static const uint8_t moves[32] = {
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
  128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128
};

#define SSSE3 __attribute__((target("ssse3")))

SSSE3 static inline __m128i load(const uint8_t *p) { return _mm_loadu_si128((const __m128i *)p); }

/// Not 0 in each byte that cannot stand where it does.
SSSE3 static inline __m128i errors(__m128i bytes, __m128i before) {
  const __m128i half = _mm_set1_epi8(15);
  __m128i first = _mm_alignr_epi8(bytes, before, 15);
  __m128i pairs = _mm_and_si128(
    _mm_and_si128(
      _mm_shuffle_epi8(load(first_high), _mm_and_si128(_mm_srli_epi16(first, 4), half)),
      _mm_shuffle_epi8(load(first_low), _mm_and_si128(first, half))),
    _mm_shuffle_epi8(load(second_high), _mm_and_si128(_mm_srli_epi16(bytes, 4), half)));
  __m128i third = _mm_subs_epu8(_mm_alignr_epi8(bytes, before, 14), _mm_set1_epi8(0xE0 - 0x80));
  __m128i fourth = _mm_subs_epu8(_mm_alignr_epi8(bytes, before, 13), _mm_set1_epi8(0xF0 - 0x80));
  return _mm_xor_si128(_mm_and_si128(_mm_or_si128(third, fourth), _mm_set1_epi8((char)0x80)), pairs);
}

/// Of at least 16 bytes.
SSSE3 static int is_utf8_by_16(const uint8_t *p, size_t length) {
  size_t place = 0;
  while (length - place >= 16 && _mm_movemask_epi8(load(p + place)) == 0) place += 16;
  // The last 16, some of which have been looked at.
  if (length - place < 16 && _mm_movemask_epi8(load(p + length - 16)) == 0) return 1;
  __m128i before = _mm_setzero_si128(), found = before;
  for (; length - place >= 16; place += 16) {
    __m128i bytes = load(p + place);
    found = _mm_or_si128(found, errors(bytes, before));
    before = bytes;
  }
  // The zeros behind the last byte end no sequence.
  __m128i rest = _mm_shuffle_epi8(load(p + length - 16), load(moves + 16 - (length - place)));
  found = _mm_or_si128(found, errors(rest, before));
  return _mm_movemask_epi8(_mm_cmpeq_epi8(found, _mm_setzero_si128())) == 0xFFFF;
}

int cbytes_is_utf8(const void *bytes, size_t length) {
  if (length < 16 || !__builtin_cpu_supports("ssse3")) return cbytes_is_utf8_plainly(bytes, length);
  return is_utf8_by_16(bytes, length);
}
#else
int cbytes_is_utf8(const void *bytes, size_t length) { return cbytes_is_utf8_plainly(bytes, length); }
#endif
