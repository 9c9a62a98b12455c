import CLinux
import Glibc

/// Rights that a process gives up for good, before it reads what comes from outside.
package enum Confinement {
  /// Limits of a process.
  package struct Limits: Sendable {
    /// Bytes of memory of its own.
    package var memory: UInt64
    package var descriptors: UInt64
    /// Bytes that a file may grow to.
    package var fileSize: UInt64

    /// Seconds of processor time; nil for no limit.
    package var seconds: UInt64?

    package init(memory: UInt64, descriptors: UInt64, fileSize: UInt64, seconds: UInt64? = nil) {
      self.memory = memory
      self.descriptors = descriptors
      self.fileSize = fileSize
      self.seconds = seconds
    }
  }

  /// No more than this from here on, and no core dump. A write beyond the file's size fails. setrlimit(2)
  package static func limit(_ limits: Limits) throws(Errno) {
    clinux_ignore_sigxfsz()
    try set(RLIMIT_CORE, 0)
    try set(RLIMIT_DATA, limits.memory)
    try set(RLIMIT_NOFILE, limits.descriptors)
    try set(RLIMIT_FSIZE, limits.fileSize)
    if let seconds = limits.seconds { try set(RLIMIT_CPU, seconds) }
  }

  /// No core dumps, no ptrace(2) by others of this user, no rights by set-user-ID programs. prctl(2)
  package static func seal() throws(Errno) {
    try systemCall("prctl") { clinux_be_undumpable() }
    try systemCall("prctl") { clinux_gain_no_privileges() }
  }

  /// Interrupts this process, as Ctrl-C does, once the one that started it has ended; at once if that is not `parent` any
  /// more. prctl(2)
  package static func interrupt(atEndOf parent: CInt) throws(Errno) {
    try systemCall("prctl") { clinux_be_interrupted_with_parent() }
    if getppid() != parent { raise(SIGINT) }
  }

  /// True if the kernel has Landlock. landlock(7)
  package static var canLimitFiles: Bool { clinux_landlock_version() > 0 }

  /// Allows the process to read these files by name, and no others, if the kernel has Landlock. Open descriptors stay
  /// as they are. landlock(7)
  ///
  /// - Parameter paths: files and directories; missing ones are left out.
  /// - Returns: true if the kernel has Landlock.
  @discardableResult
  package static func limitFiles(toReading paths: [String]) throws(Errno) -> Bool {
    let version = clinux_landlock_version()
    guard version > 0 else { return false }
    let rules = OwnedFD(taking: try systemCall("landlock_create_ruleset") { clinux_landlock_create(version) })
    for path in paths {
      do throws(Errno) {
        try systemCall("landlock_add_rule", object: path) { unsafe clinux_landlock_allow_reading(rules.raw, path) }
      } catch {
        guard error.isMissing else { throw error }
      }
    }
    try systemCall("landlock_restrict_self") { clinux_landlock_enforce(rules.raw) }
    return true
  }

  private static func set(_ resource: __rlimit_resource, _ value: UInt64) throws(Errno) {
    let limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
    try systemCall("setrlimit") {
      unsafe withUnsafePointer(to: limit) { unsafe setrlimit(__rlimit_resource_t(resource.rawValue), $0) }
    }
  }
}
