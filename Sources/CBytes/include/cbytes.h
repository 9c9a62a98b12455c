#ifndef CONFAB_CBYTES_H
#define CONFAB_CBYTES_H
#include <stddef.h>
#include <stdint.h>

/// CRC-32C (Castagnoli, reflected polynomial 0x82F63B78) of `length` bytes, going on from `crc`, which is 0 for a fresh
/// start or what an earlier call returned. Uses SSE 4.2 where the processor has it. `bytes` may be NULL if length is 0.
uint32_t cbytes_crc32c(uint32_t crc, const void *bytes, size_t length);

/// The same by tables (slicing by 8), on every processor.
uint32_t cbytes_crc32c_tables(uint32_t crc, const void *bytes, size_t length);

/// The same by the SSE 4.2 instruction. Must only be called where `cbytes_crc32c_has_hardware()` is not 0.
uint32_t cbytes_crc32c_hardware(uint32_t crc, const void *bytes, size_t length);

/// Not 0 if this processor has a CRC-32C instruction that we use.
int cbytes_crc32c_has_hardware(void);
#endif
