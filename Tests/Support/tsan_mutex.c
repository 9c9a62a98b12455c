/* Tells ThreadSanitizer of a contended Mutex of Swift's Synchronization library (LD_PRELOAD, `make test-tsan`).
 *
 * A free Mutex is taken and left by atomics in instrumented code. One that two threads want at once is taken and left by
 * libswiftSynchronization.so and the kernel (FUTEX_LOCK_PI), which the sanitizer does not see: it would then report what the
 * two do under the lock, one after the other, as a race. The calls are passed on as they are. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

/* Weak: what runs without the sanitizer has none. */
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

typedef SWIFT void lock_slow(uint32_t thread, SELF void *handle);
typedef SWIFT void unlock_slow(SELF void *handle);

SWIFT void mutex_lock_slow(uint32_t thread, SELF void *handle)
    __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
SWIFT void mutex_unlock_slow(SELF void *handle) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

SWIFT void mutex_lock_slow(uint32_t thread, SELF void *handle) {
  lock_slow *next = (lock_slow *)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
  next(thread, handle);
  if (__tsan_acquire) __tsan_acquire(handle);
}

SWIFT void mutex_unlock_slow(SELF void *handle) {
  unlock_slow *next = (unlock_slow *)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
  if (__tsan_release) __tsan_release(handle);
  next(handle);
}
