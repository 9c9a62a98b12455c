import CInih
import Glibc

/// A file in the form of inih: it asks for one line at a time and reports each key at once.
///
/// The only place that sees C's pointers. Inline comments, values of several lines and byte order marks are off.
final class Inih {
  /// Longest line without its end, in bytes.
  static let longestLine = Int(confab_ini_capacity) - 2
  /// Longest name of a section, in bytes; the library would cut a longer one without a word.
  static let longestHeader = 49

  /// The next line, without its end: at most `longestLine` bytes of UTF-8, no NUL; nil at the end, or to stop.
  private let nextLine: () -> ArraySlice<UInt8>?
  /// A key of the line that was read last, both trimmed; no value where the line has no separator. False stops.
  private let entry: (_ name: String, _ value: String?) -> Bool

  /// A line was longer than the library has room for.
  private var isCut = false

  /// Runs the parser to the end of the lines, or until `entry` says false.
  ///
  /// - Returns: whether all of the lines were read.
  static func parse(
    nextLine: @escaping () -> ArraySlice<UInt8>?, entry: @escaping (String, String?) -> Bool
  ) -> Bool {
    _ = setUp
    let session = Inih(nextLine, entry)
    return withExtendedLifetime(session) {
      let user = unsafe Unmanaged.passUnretained(session).toOpaque()
      return unsafe ini_parse_stream(readLine, user, takeEntry, user) == 0 && !session.isCut
    }
  }

  private init(_ nextLine: @escaping () -> ArraySlice<UInt8>?, _ entry: @escaping (String, String?) -> Bool) {
    self.nextLine = nextLine
    self.entry = entry
  }

  private static let setUp: Void = confab_ini_set_up()

  /// `ini_reader`: like fgets(3).
  private static let readLine:
    @convention(c) (UnsafeMutablePointer<CChar>?, CInt, UnsafeMutableRawPointer?) ->
      UnsafeMutablePointer<CChar>? = { buffer, capacity, user in
        guard let buffer = unsafe buffer, let user = unsafe user else { return nil }
        let session = unsafe Unmanaged<Inih>.fromOpaque(user).takeUnretainedValue()
        let target = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: Int(capacity))
        // The line before may have a password.
        unsafe explicit_bzero(buffer, target.count)
        guard let line = session.nextLine() else { return nil }
        session.isCut = line.count + 2 > Int(capacity)
        if session.isCut { return nil }
        unsafe target.copyBytes(from: line)
        unsafe target[line.count] = UInt8(ascii: "\n")
        unsafe target[line.count + 1] = 0
        return unsafe buffer
      }

  /// `ini_handler`: 0 stops.
  private static let takeEntry:
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?
    ) -> CInt = { user, _, name, value in
      guard let user = unsafe user, let name = unsafe name else { return 0 }
      let session = unsafe Unmanaged<Inih>.fromOpaque(user).takeUnretainedValue()
      return session.entry(unsafe String(cString: name), unsafe value.map { unsafe String(cString: $0) }) ? 1 : 0
    }
}
