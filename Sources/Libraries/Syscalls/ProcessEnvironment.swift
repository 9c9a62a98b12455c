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

  /// Makes new files private to the user but no less than that, whatever umask the process was started with. umask(2)
  package static func makeFilesPrivate() { umask(0o077) }

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

  /// The sockets that were passed to this very process, made non-blocking and closed by exec, and what is wrong with the
  /// rest; the variables are taken away. Each is the caller's to own, once.
  package static func takeListeners() -> (passed: [Passed], problems: [String]) {
    let variables = ProcessEnvironment.variables()
    defer { for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { ProcessEnvironment.remove(name) } }
    var (passed, problems) = passed(variables, processID: ProcessEnvironment.processID)
    passed.removeAll { socket in
      guard let problem = problem(with: socket.descriptor) else { return false }
      problems.append("LISTEN_FDS: descriptor \(socket.descriptor) is \(problem), and not used")
      return true
    }
    return (passed, problems)
  }

  private static func problem(with descriptor: CInt) -> String? {
    do throws(Errno) {
      try Descriptors.setNonBlockingAndCloseOnExec(descriptor)
    } catch {
      return "not open"
    }
    return Sockets.isUnixListener(descriptor) ? nil : "no listening Unix socket"
  }

  /// The rule by itself: LISTEN_PID must be this process, LISTEN_FDS a sensible count; names that are not as many as
  /// the descriptors count for none. Else what is wrong, in words.
  package static func passed(
    _ variables: [String: String], processID: Int32
  ) -> (passed: [Passed], problems: [String]) {
    guard let stated = variables["LISTEN_FDS"] else { return ([], []) }
    let process = variables["LISTEN_PID"] ?? ""
    guard Int32(process) == processID else {
      return ([], ["LISTEN_PID is '\(process)' and not this process, \(processID): no socket is taken from systemd"])
    }
    guard let count = Int(stated), (1...limit).contains(count) else {
      return ([], ["LISTEN_FDS is '\(stated)' and no number from 1 to \(limit): no socket is taken from systemd"])
    }
    let names = variables["LISTEN_FDNAMES"]?.split(separator: ":", omittingEmptySubsequences: false) ?? []
    let passed = (0..<count).map { index in
      Passed(descriptor: firstDescriptor + CInt(index), name: names.count == count ? String(names[index]) : "")
    }
    guard !names.isEmpty, names.count != count else { return (passed, []) }
    return (passed, ["LISTEN_FDNAMES has \(names.count) names for \(count) descriptors: none of them counts"])
  }
}
