import CLinux
import Glibc

/// The descriptors that every process starts with.
package enum StandardStreams {
  package static let input: CInt = 0
  package static let output: CInt = 1
  package static let error: CInt = 2

  /// Opens /dev/null in place of each closed standard stream, so that no file or socket gets its number and receives
  /// messages meant for people. Reading from such an input fails (EBADF), and so does writing to such an output. Call it before anything is opened. open(2)
  package static func openMissing() {
    for fd in [input, output, error] where fcntl(fd, F_GETFD) < 0 && errno == EBADF {
      // open(2) returns the lowest free number, which is this one.
      _ = unsafe open("/dev/null", fd == input ? O_WRONLY : fd == output ? O_RDONLY : O_RDWR)
    }
  }
}

/// The arguments of the process, as `main` got them: `CommandLine` has none where /proc cannot be read, or a library has
/// changed the environment before `main`.
package enum ProcessArguments {
  /// The arguments after the program's name; nil stands for one that is not UTF-8, which must not be passed on
  /// mended.
  package static func all() -> [String?] {
    (1..<max(1, Int(clinux_argument_count()))).map { index in
      unsafe clinux_arguments()[index].flatMap { unsafe String(validatingCString: $0) }
    }
  }

  /// The arguments, with bytes that are not UTF-8 replaced.
  package static func mended() -> [String] {
    (1..<max(1, Int(clinux_argument_count()))).compactMap { index in
      unsafe clinux_arguments()[index].map { unsafe String(cString: $0) }
    }
  }

  /// The program's name and the arguments, ended by nil, as execve(2) takes them.
  package static var vector: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> { unsafe clinux_arguments() }
}

/// Random bytes for names that must not collide; keys of cryptography come from `Crypto`.
package enum Entropy {
  /// 16 bytes in hexadecimal: 32 characters. getentropy(3)
  package static func token() throws(Errno) -> String {
    var bytes = [UInt8](repeating: 0, count: 16)
    try systemCall("getentropy") { unsafe getentropy(&bytes, bytes.count) }
    return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// The time zone of the process, from `TZ` or /etc/localtime.
package enum LocalTime {
  /// Seconds east of UTC at a time; 0 if the C library cannot tell. localtime_r(3)
  package static func offset(atSecondsSince1970 seconds: Int64) -> Int {
    var time = time_t(seconds)
    var fields = unsafe tm()
    return unsafe localtime_r(&time, &fields) == nil ? 0 : fields.tm_gmtoff
  }

  /// Seconds east of UTC in another zone, by seconds since 1970; nil if there is no such zone. A named zone becomes that of
  /// the process. Call it before other threads are started. tzset(3)
  ///
  /// - Parameter name: of the zone database, as `Europe/Berlin`, or an offset, as `+02:00`.
  package static func zone(named name: String) -> ((Int64) -> Int)? {
    if let seconds = fixedOffset(name) { return { _ in seconds } }
    let isPlain = name.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII
        && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil
          || "/_+-".contains(Character(scalar)))
    }
    guard isPlain, !name.hasPrefix("/"), (try? Paths.status("/usr/share/zoneinfo/" + name))?.kind == .file,
      unsafe setenv("TZ", ":" + name, 1) == 0
    else { return nil }
    tzset()
    return { offset(atSecondsSince1970: $0) }
  }

  /// `+hh:mm` in seconds.
  private static func fixedOffset(_ text: String) -> Int? {
    guard text.utf8.count == 6, let sign = text.first, sign == "+" || sign == "-" else { return nil }
    let parts = text.dropFirst().split(separator: ":")
    guard parts.count == 2, let hours = UInt8(parts[0]), hours < 24, let minutes = UInt8(parts[1]), minutes < 60 else {
      return nil
    }
    return (Int(hours) * 3600 + Int(minutes) * 60) * (sign == "-" ? -1 : 1)
  }
}

extension Descriptors {
  /// Makes a descriptor block again. fcntl(2)
  package static func setBlocking(_ fd: CInt) throws(Errno) {
    let flags = try systemCall("fcntl", fd) { fcntl(fd, F_GETFL) }
    try systemCall("fcntl", fd) { fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) }
  }

  /// The first event that `wait` saw.
  package enum Readiness: Equatable, Sendable {
    /// There is something to read, or the end of input.
    case readable
    /// The reader of the other descriptor is gone.
    case unread
    /// Nothing within the time.
    case timedOut
  }

  /// Waits until `fd` can be read, or, where one is given, until the reader of `output` (a pipe or socket) is gone.
  /// - Parameter milliseconds: how long at most; nil: for ever. poll(2)
  package static func wait(
    toRead fd: CInt, whileRead output: CInt? = nil, milliseconds: Int32? = nil
  ) throws(Errno) -> Readiness {
    var polled = [pollfd(fd: fd, events: Int16(POLLIN), revents: 0), pollfd(fd: output ?? -1, events: 0, revents: 0)]
    let count = try systemCall("poll", fd) { unsafe poll(&polled, 2, milliseconds ?? -1) }
    if count == 0 { return .timedOut }
    return polled[0].revents != 0 ? .readable : .unread
  }
}

extension Descriptors {
  /// Waits until `fd` takes bytes, or is broken; false if it does not within the time. poll(2)
  package static func wait(toWrite fd: CInt, milliseconds: Int32) throws(Errno) -> Bool {
    var polled = pollfd(fd: fd, events: Int16(POLLOUT), revents: 0)
    return try systemCall("poll", fd) { unsafe poll(&polled, 1, milliseconds) } > 0
  }
}

extension Sockets {
  /// A connection to the socket at `path` whose calls block: for programs that do one thing at a time. connect(2)
  package static func connectUnixBlocking(path: String) throws(Errno) -> OwnedFD {
    let bytes = Array(path.utf8).map { CChar(bitPattern: $0) }
    let fd = try unixStream()
    try Descriptors.setBlocking(fd.raw)
    try systemCall("connect", fd.raw, object: path) { unsafe clinux_unix_connect(fd.raw, bytes, bytes.count) }
    return fd
  }
}
