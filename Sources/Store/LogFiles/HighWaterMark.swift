import Syscalls

/// The file `instance.NUMBER`. Its inode and birth time tell this data directory from a copy; its name says that the
/// log had a record with that number. A copy that is put back, in place or with new files, does not match: its file has
/// another name, or another inode.
struct HighWaterMark {
  private(set) var number: UInt64
  private(set) var renamed: Int64?

  static let prefix = "instance"
  /// Milliseconds between two renames.
  private static let pause: Int64 = 50

  var name: String { number == 0 ? Self.prefix : "\(Self.prefix).\(number)" }

  init(number: UInt64) { self.number = number }

  /// Reads the mark from a file name; nil if the name is not a mark's.
  init?(name: String) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.first == Self.prefix[...], parts.count <= 2 else { return nil }
    if parts.count == 1 {
      self.init(number: 0)
      return
    }
    guard let number = UInt64(parts[1]), "\(Self.prefix).\(number)" == name else { return nil }
    self.init(number: number)
  }

  /// Raises the mark on the disk, without waiting until it is durable. If that fails, the next raise may succeed.
  mutating func raise(to number: UInt64, in directory: CInt, at now: Int64) {
    guard number > self.number, renamed.map({ now - $0 >= Self.pause }) ?? true else { return }
    renamed = now
    let raised = HighWaterMark(number: number)
    guard (try? Files.rename(name, to: raised.name, in: directory)) != nil else { return }
    self.number = number
  }

  /// Finds the directory's mark, or makes the first one. If a copy brought a second mark, the highest counts. Durable
  /// on return.
  static func open(in directory: CInt) throws(Errno) -> (mark: HighWaterMark, file: Files.Attributes) {
    let marks = try Files.names(in: directory).compactMap(HighWaterMark.init(name:))
    let mark = marks.max { $0.number < $1.number } ?? HighWaterMark(number: 0)
    let file = try Files.open(mark.name, in: directory, .createOrOpen)
    try Files.sync(file.raw)
    try Files.sync(directory)
    return (mark, try Files.attributes(file.raw))
  }

  /// Takes the place of all marks. The new file is made before the others are removed, so that its inode differs from
  /// theirs. Durable on return.
  func replaceAll(in directory: CInt) throws(Errno) -> Files.Attributes {
    let temporary = name + ".tmp"
    let file = try Files.open(temporary, in: directory, .createOrOpen)
    for old in try Files.names(in: directory).compactMap(HighWaterMark.init(name:)) {
      try Files.remove(old.name, in: directory)
    }
    try Files.rename(temporary, to: name, in: directory)
    try Files.sync(file.raw)
    try Files.sync(directory)
    return try Files.attributes(file.raw)
  }
}
