import CSeccomp

/// The system calls that a process keeps; any other one ends it. seccomp(2), by libseccomp
@safe package struct SystemCallFilter: Sendable {
  /// A call that is kept, or kept for some arguments only.
  package struct Rule: Equatable, Sendable {
    fileprivate let name: String
    fileprivate var condition: Condition?

    fileprivate struct Condition: Equatable, Sendable {
      let argument: UInt32
      let mask: UInt64
      let value: UInt64
    }

    package static func allow(_ name: String) -> Rule { Rule(name: name) }

    /// Kept if of the argument with this number, from 0, the bits in `mask` are `value`.
    package static func allow(_ name: String, argument: UInt32, mask: UInt64 = .max, value: UInt64) -> Rule {
      Rule(name: name, condition: Condition(argument: argument, mask: mask, value: value))
    }
  }

  private let rules: [Rule]

  package init(_ rules: [Rule]) { self.rules = rules }

  /// From here on it holds, for this thread and what it starts. The process must have given up its privileges.
  package func enforce() throws(SandboxError) {
    guard let context = unsafe seccomp_init(confab_seccomp_kill) else { throw SandboxError(code: 12) }
    defer { unsafe seccomp_release(context) }
    for rule in rules { try check(unsafe Self.add(rule, to: context)) }
    try check(unsafe seccomp_load(context))
  }

  private static func add(_ rule: Rule, to context: scmp_filter_ctx) -> CInt {
    let call = unsafe seccomp_syscall_resolve_name(rule.name)
    // A call that this architecture does not have.
    guard call != confab_seccomp_unknown else { return 0 }
    guard let condition = rule.condition else { return unsafe confab_seccomp_allow(context, call) }
    return unsafe confab_seccomp_allow_if(context, call, condition.argument, condition.mask, condition.value)
  }

  private func check(_ result: CInt) throws(SandboxError) {
    if result < 0 { throw SandboxError(code: -result) }
  }
}

/// The filter cannot be put in force, with the error number.
package struct SandboxError: Error, Equatable, Sendable {
  package let code: Int32
}
