import Syscalls

/// Files that go to the daemon with a request, and the one that comes with an answer.
struct FileTransfer {
  private let file: PassedDescriptor

  init(_ file: PassedDescriptor) { self.file = file }

  /// Opens the files that a user named; `-` is standard input, which is copied to memory first.
  static func open(_ paths: [String]) throws(UsageFailure) -> [PassedDescriptor] {
    var files: [PassedDescriptor] = []
    for path in paths { files.append(try open(path)) }
    return files
  }

  private static func open(_ path: String) throws(UsageFailure) -> PassedDescriptor {
    if path == "-" { return try readInput() }
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

  private static func readInput() throws(UsageFailure) -> PassedDescriptor {
    do throws(Errno) {
      let memory = try Files.inMemory([])
      var size: UInt64 = 0
      while true {
        let bytes = try Descriptors.read(StandardStreams.input, atMost: 256 << 10) ?? []
        if bytes.isEmpty { return PassedDescriptor(taking: memory) }
        try Files.write(memory.raw, bytes, at: size)
        size += UInt64(bytes.count)
      }
    } catch {
      throw UsageFailure("standard input: \(error.text)")
    }
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

  /// Writes it to a new file, which has its name once it is whole.
  ///
  /// - Parameter replaces: a file that has the name already.
  func save(as path: String, replacing replaces: Bool) throws {
    if !replaces, try Paths.linkStatus(path) != nil { throw UsageFailure("\(path) exists; --force replaces it") }
    let folder = try Files.openDirectory(Paths.parent(of: path))
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let unfinished = ".\(name).\(try Entropy.token())"
    let copy = try Files.open(unfinished, in: folder.raw, .createNew)
    do {
      var offset: UInt64 = 0
      try write { bytes in
        try Files.write(copy.raw, bytes, at: offset)
        offset += UInt64(bytes.count)
      }
      try Files.rename(unfinished, to: name, in: folder.raw)
    } catch {
      try? Files.remove(unfinished, in: folder.raw)
      throw error
    }
  }
}
