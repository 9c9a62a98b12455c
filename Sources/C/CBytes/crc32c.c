#include "cbytes.h"

#include <pthread.h>
#include <string.h>

// Tables: tables[0] is the usual byte-wise one; tables[k][b] is the checksum of byte b followed by k zero bytes, so that
// eight bytes are folded with eight independent look-ups (M. E. Kounavis, F. L. Berry: "slicing by 8", 2005).
static uint32_t tables[8][256];
static pthread_once_t tables_made = PTHREAD_ONCE_INIT;

static void make_tables(void) {
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (crc & 1 ? UINT32_C(0x82F63B78) : 0);
    tables[0][byte] = crc;
  }
  for (uint32_t byte = 0; byte < 256; byte++)
    for (int slice = 1; slice < 8; slice++)
      tables[slice][byte] = (tables[slice - 1][byte] >> 8) ^ tables[0][tables[slice - 1][byte] & 0xFF];
}

static uint32_t little_endian_32(const unsigned char *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

uint32_t cbytes_crc32c_tables(uint32_t crc, const void *bytes, size_t length) {
  pthread_once(&tables_made, make_tables);
  const unsigned char *p = bytes;
  crc = ~crc;
  for (; length >= 8; p += 8, length -= 8) {
    uint32_t low = crc ^ little_endian_32(p), high = little_endian_32(p + 4);
    crc = tables[7][low & 0xFF] ^ tables[6][low >> 8 & 0xFF] ^ tables[5][low >> 16 & 0xFF] ^ tables[4][low >> 24]
        ^ tables[3][high & 0xFF] ^ tables[2][high >> 8 & 0xFF] ^ tables[1][high >> 16 & 0xFF] ^ tables[0][high >> 24];
  }
  for (; length > 0; p++, length--) crc = (crc >> 8) ^ tables[0][(crc ^ *p) & 0xFF];
  return ~crc;
}

#if defined(__x86_64__)
#include <nmmintrin.h>

int cbytes_crc32c_has_hardware(void) { return __builtin_cpu_supports("sse4.2") != 0; }

__attribute__((target("sse4.2")))
uint32_t cbytes_crc32c_hardware(uint32_t crc, const void *bytes, size_t length) {
  const unsigned char *p = bytes;
  uint64_t wide = ~crc;
  for (; length >= 8; p += 8, length -= 8) {
    uint64_t word;
    memcpy(&word, p, 8);
    wide = _mm_crc32_u64(wide, word);
  }
  uint32_t narrow = (uint32_t)wide;
  for (; length > 0; p++, length--) narrow = _mm_crc32_u8(narrow, *p);
  return ~narrow;
}
#else
int cbytes_crc32c_has_hardware(void) { return 0; }

uint32_t cbytes_crc32c_hardware(uint32_t crc, const void *bytes, size_t length) {
  return cbytes_crc32c_tables(crc, bytes, length);
}
#endif

uint32_t cbytes_crc32c(uint32_t crc, const void *bytes, size_t length) {
  return cbytes_crc32c_has_hardware() ? cbytes_crc32c_hardware(crc, bytes, length)
                                      : cbytes_crc32c_tables(crc, bytes, length);
}
