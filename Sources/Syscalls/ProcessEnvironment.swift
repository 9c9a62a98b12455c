import CLinux
import Glibc

/// The environment and identity of the process.
package enum ProcessEnvironment {
  /// All variables; one that is no UTF-8 has its bad bytes replaced. Call it before other threads are started.
  package static func variables() -> [String: String] {
    var result: [String: String] = [:]
    var next = unsafe environ
    while let entry = unsafe next.pointee {
      let text = unsafe String(cString: entry)
      if let equals = text.firstIndex(of: "=") {
        result[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      unsafe next += 1
    }
    return result
  }

  /// One variable; nil if it is not set. Call it before other threads are started.
  package static func variable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// Takes a variable away, so that children do not get it. Call it before other threads are started.
  package static func remove(_ name: String) { unsafe unsetenv(name) }

  /// Gives the pages of freed memory back to the system. It walks the whole heap: not for every turn.
  package static func releaseMemory() { clinux_release_memory() }

  /// How many descriptors the process may have open. RLIMIT_NOFILE
  package static var descriptorLimit: Int {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
    return Int(clamping: limit.rlim_cur)
  }

  /// Raises the limit of open descriptors as far as this process may. setrlimit(2)
  package static func raiseDescriptorLimit() {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard unsafe getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    _ = unsafe setrlimit(resource, &limit)
  }

  package static var processID: Int32 { getpid() }
  /// The effective user.
  package static var userID: UInt32 { geteuid() }
}

/// Listening sockets that systemd opened for us (sd_listen_fds(3)).
package enum SocketActivation {
  /// The first descriptor that is passed.
  private static let firstDescriptor: CInt = 3
  /// More than anybody passes; a bound for a number that comes from outside.
  private static let limit = 64

  /// A descriptor that was passed, and the name that its unit gives it (FileDescriptorName=); empty if it has none.
  package struct Passed: Hashable, Sendable {
    package let descriptor: CInt
    package let name: String

    package init(descriptor: CInt, name: String) {
      self.descriptor = descriptor
      self.name = name
    }
  }

  /// The descriptors that were passed to this very process, made non-blocking and closed by exec; the variables are
  /// taken away. Each is the caller's to own, once.
  package static func takeDescriptors() -> [Passed] {
    let variables = ProcessEnvironment.variables()
    defer { for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { ProcessEnvironment.remove(name) } }
    let passed = passed(variables, processID: ProcessEnvironment.processID)
    return passed.filter { (try? Descriptors.setNonBlockingAndCloseOnExec($0.descriptor)) != nil }
  }

  /// The rule by itself: LISTEN_PID must be this process, LISTEN_FDS a sensible count; names that are not as many as
  /// the descriptors count for none.
  package static func passed(_ variables: [String: String], processID: Int32) -> [Passed] {
    guard variables["LISTEN_PID"].flatMap({ Int32($0) }) == processID,
      let count = variables["LISTEN_FDS"].flatMap({ Int($0) }), (1...limit).contains(count)
    else { return [] }
    let names = (variables["LISTEN_FDNAMES"] ?? "").split(separator: ":", omittingEmptySubsequences: false)
    return (0..<count).map { index in
      Passed(descriptor: firstDescriptor + CInt(index), name: names.count == count ? String(names[index]) : "")
    }
  }
}
