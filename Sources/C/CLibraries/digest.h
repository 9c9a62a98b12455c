// The functions that Crypto uses: hashes, HMAC, PBKDF2, ciphers, random bytes, comparing and wiping. Swift imports all of them.
#pragma once
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
