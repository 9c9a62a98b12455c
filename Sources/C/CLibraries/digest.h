// What Crypto uses: hashes, HMAC, PBKDF2, random bytes, comparing and wiping. All of it is functions that Swift imports.
#pragma once
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
