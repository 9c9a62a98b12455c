// Inline shims only: no logic. Adding a rule is variadic, which Swift does not import.
#pragma once
#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>

static const uint32_t confab_seccomp_kill = SCMP_ACT_KILL_PROCESS;
static const int confab_seccomp_unknown = __NR_SCMP_ERROR;

static inline int confab_seccomp_allow(scmp_filter_ctx context, int call) {
  return seccomp_rule_add_array(context, SCMP_ACT_ALLOW, call, 0, NULL);
}

// Allows a call if argument `index`, of which the bits in `mask` count, is `value`.
static inline int confab_seccomp_allow_if(
    scmp_filter_ctx context, int call, unsigned int index, uint64_t mask, uint64_t value) {
  const struct scmp_arg_cmp comparison = {
      .arg = index, .op = SCMP_CMP_MASKED_EQ, .datum_a = mask, .datum_b = value};
  return seccomp_rule_add_array(context, SCMP_ACT_ALLOW, call, 1, &comparison);
}
