import LineProtocol
import Syscalls

/// Files that go to the daemon with a request, and the one that comes with an answer.
struct FileTransfer {
  private let file: PassedDescriptor

  init(_ file: PassedDescriptor) { self.file = file }

  /// Opens the files that a user named; `-` is standard input, which is copied to memory first.
  ///
  static func open(_ paths: [String], inputLimit: InputLimit) throws(UsageFailure) -> [PassedDescriptor] {
    var files: [PassedDescriptor] = []
    for path in paths { files.append(try open(path, inputLimit)) }
    return files
  }

  private static func open(_ path: String, _ inputLimit: InputLimit) throws(UsageFailure) -> PassedDescriptor {
    if path == "-" { return try copy(of: StandardStreams.input, atMost: inputLimit) }
    do throws(Errno) {
      // To open a pipe would wait for its writer.
      if let status = try Paths.status(path), status.kind == .file {
        return PassedDescriptor(taking: try Files.openForReading(path))
      }
    } catch {
      throw UsageFailure("\(path): \(error.text)")
    }
    throw UsageFailure("\(path): there is no regular file")
  }

  /// A copy of standard input in memory.
  static func copy(of input: CInt, atMost limit: InputLimit) throws(UsageFailure) -> PassedDescriptor {
    do throws(Errno) {
      let memory = try Files.inMemory([])
      var size: UInt64 = 0
      while size <= limit.bytes {
        let bytes = try Descriptors.read(input, atMost: 256 << 10) ?? []
        if bytes.isEmpty { return PassedDescriptor(taking: memory) }
        try Files.write(memory.raw, bytes, at: size)
        size += UInt64(bytes.count)
      }
    } catch {
      throw UsageFailure("standard input: \(error.text)")
    }
    throw UsageFailure("standard input has more than \(limit.bytes) bytes, the most that \(limit.words)", .badText)
  }

  /// Hands the bytes on, piece by piece.
  func write(_ take: ([UInt8]) throws -> Void) throws {
    var offset: UInt64 = 0
    while true {
      let bytes = try Files.read(file.raw, at: offset, count: 64 << 10)
      if bytes.isEmpty { return }
      try take(bytes)
      offset += UInt64(bytes.count)
    }
  }

  /// Writes it to a new file. Until it is whole that has no name, if the file system allows that, so a signal leaves
  /// nothing.
  ///
  /// - Parameter replaces: a file that has the name already.
  func save(as path: String, replacing replaces: Bool) throws {
    if let there = try Paths.linkStatus(path) {
      guard replaces else { throw UsageFailure("\(path) exists; --force replaces it") }
      guard [.file, .link].contains(there.kind) else { throw UsageFailure("\(path) is no file, and is not replaced") }
    }
    let folder = try Files.openDirectory(Paths.parent(of: path))
    let name = Paths.name(of: path)
    let unfinished = ".\(name).\(try Entropy.token())"
    do {
      let copy = try Files.openTemporary(in: Paths.parent(of: path))
      try fill(copy)
      guard replaces else { return try Files.name(copy.raw, name, in: folder.raw) }
      try Files.name(copy.raw, unfinished, in: folder.raw)
      try removing(unfinished, in: folder.raw) { try Files.rename(unfinished, to: name, in: folder.raw) }
    } catch let error as Errno where error.isMissing {
      try saveWithName(replaces ? unfinished : name, as: name, in: folder.raw)
    }
  }

  /// Saves the file by a named copy, for file systems that cannot link an unnamed file.
  private func saveWithName(_ unfinished: String, as name: String, in folder: CInt) throws {
    let copy = try Files.open(unfinished, in: folder, .createNew)
    try removing(unfinished, in: folder) {
      try fill(copy)
      if unfinished != name { try Files.rename(unfinished, to: name, in: folder) }
    }
  }

  /// Removes a file of ours where `body` fails.
  private func removing(_ name: String, in folder: CInt, _ body: () throws -> Void) throws {
    do { try body() } catch {
      try? Files.remove(name, in: folder)
      throw error
    }
  }

  private func fill(_ copy: borrowing OwnedFD) throws {
    var offset: UInt64 = 0
    try write { bytes in
      try Files.write(copy.raw, bytes, at: offset)
      offset += UInt64(bytes.count)
    }
  }
}

/// The most bytes of standard input that go with a request.
struct InputLimit {
  let bytes: UInt64
  /// The end of a sentence for people: the most that …
  let words: String

  static let avatar = InputLimit(bytes: UInt64(Limits.avatar), words: "an avatar may have")

  static func spool(_ bytes: UInt64) -> InputLimit {
    InputLimit(bytes: bytes, words: "may wait to be uploaded (`spool-size`)")
  }
}
