#ifndef CONFAB_CBYTES_H
#define CONFAB_CBYTES_H
#include <stddef.h>
#include <stdint.h>
#endif
