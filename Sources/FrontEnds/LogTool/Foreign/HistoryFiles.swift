import Syscalls

/// The files of a history on the disk.
enum HistoryFiles {
  private static let deepest = 6
  private static let most = 1_000_000

  /// The regular files of a path, which is one or a directory, in the order of their names. Links in it are not followed.
  static func below(_ path: String) throws(HistoryFailure) -> [String] {
    guard let status = try status(path, Paths.status) else {
      throw HistoryFailure(file: path, reason: "there is no such file or directory")
    }
    guard status.kind == .directory else { return try regular(path, status) }
    var found: [String] = []
    try collect(path, depth: 1, &found)
    return found
  }

  private static func regular(_ path: String, _ status: FileStatus) throws(HistoryFailure) -> [String] {
    guard status.kind == .file else { throw HistoryFailure(file: path, reason: "it is neither a file nor a directory") }
    return [path]
  }

  private static func collect(_ path: String, depth: Int, _ found: inout [String]) throws(HistoryFailure) {
    for name in try names(in: path) {
      let path = path + "/" + name
      guard let status = try status(path, Paths.linkStatus) else { continue }
      if status.kind == .file { found.append(path) }
      guard found.count <= most else { throw HistoryFailure(file: path, reason: "there are too many files") }
      if status.kind == .directory, depth < deepest { try collect(path, depth: depth + 1, &found) }
    }
  }

  private static func names(in path: String) throws(HistoryFailure) -> [String] {
    do throws(Errno) {
      let directory = try Files.openDirectory(path)
      return try Files.names(in: directory.raw).sorted()
    } catch {
      throw HistoryFailure(file: path, reason: error.text)
    }
  }

  private static func status(
    _ path: String, _ look: (String) throws(Errno) -> FileStatus?
  ) throws(HistoryFailure) -> FileStatus? {
    do throws(Errno) { return try look(path) } catch { throw HistoryFailure(file: path, reason: error.text) }
  }

  /// The last component of a path.
  static func name(of path: String) -> String { Paths.name(of: path) }

  /// The name of the directory that a path is in.
  static func folder(of path: String) -> String { Paths.name(of: Paths.parent(of: path)) }
}

/// The lines of a text file of a history, with their numbers.
struct HistoryLines: ~Copyable {
  struct Line {
    /// Without its end; nil: it is longer than any that a client writes.
    var bytes: [UInt8]?
    /// From 1.
    var number: Int
  }

  let path: String
  private let file: OwnedFD
  private var lines: InputLines
  private var number = 0

  init(_ path: String) throws(HistoryFailure) {
    self.path = path
    do throws(Errno) { file = try Files.openForReading(path) } catch {
      throw HistoryFailure(file: path, reason: error.text)
    }
    lines = InputLines(file.raw)
  }

  /// The next line; nil at the end.
  mutating func next() throws(HistoryFailure) -> Line? {
    do throws(Errno) {
      guard let line = try lines.next() else { return nil }
      number += 1
      guard case .whole(let bytes) = line else { return Line(bytes: nil, number: number) }
      return Line(bytes: bytes, number: number)
    } catch {
      throw HistoryFailure(file: path, reason: error.text)
    }
  }
}
