import Bytes
import ConfabAccounts
import Crypto
import Pictures
import Syscalls
import XMPPExtensions

/// The copies of files that wait to be uploaded, in the folder `spool` of the data directory. A copy is durable before
/// anybody hears of it.
struct SpoolFiles: Sendable {
  private let data: String

  /// Why a file is not copied.
  private enum Obstacle: Error {
    case unusable(String)
    /// They have more bytes than all copies may.
    case tooLong
    /// There is no room while other files wait.
    case full
    case system(Errno)
  }

  private static let piece = 64 << 10

  init(in data: String) { self.data = data }

  private var folder: String { data + "/spool" }

  var isThere: Bool { (try? Paths.linkStatus(folder)) != nil }

  /// Copies files, all or none.
  func copy(_ files: [PassedDescriptor], _ plan: SpoolPlan) -> FileOutcome {
    do throws(Obstacle) {
      guard files.count == plan.names.count else { throw .unusable("too many descriptors are open") }
      try Self.check(files, limit: plan.limit)
      let directory = try calling { () throws(Errno) in try makeFolder() }
      do throws(Obstacle) {
        var used = try calling { () throws(Errno) in try bytes(in: directory.raw) }
        var copied: [MeasuredFile] = []
        for (file, name) in zip(files, plan.names) {
          let measured = try copy(file.raw, to: name, in: directory.raw, plan, room: plan.limit - used)
          used += Int(measured.size)
          copied.append(measured)
        }
        try calling { () throws(Errno) in try Files.sync(directory.raw) }
        return .spooled(copied)
      } catch {
        for name in plan.names { try? Files.remove(name, in: directory.raw) }
        throw error
      }
    } catch {
      switch error {
      case .unusable(let words): return .unusable(words)
      case .tooLong: return .tooLong
      case .full: return .noRoom
      case .system(let error): return error.isNoSpace ? .noSpace : .failed("\(error)")
      }
    }
  }

  private func calling<Result: ~Copyable>(_ body: () throws(Errno) -> Result) throws(Obstacle) -> Result {
    do throws(Errno) { return try body() } catch { throw .system(error) }
  }

  /// Calls the system for a file of a client's.
  private static func reading<Result>(_ body: () throws(Errno) -> Result) throws(Obstacle) -> Result {
    do throws(Errno) { return try body() } catch { throw .unusable("the descriptor cannot be read: \(error.text)") }
  }

  /// Refuses files that could never be copied.
  private static func check(_ files: [PassedDescriptor], limit: Int) throws(Obstacle) {
    var room = UInt64(limit)
    for file in files {
      let size = try reading { () throws(Errno) in try Files.attributes(file.raw).size }
      guard size <= room else { throw .tooLong }
      room -= size
    }
  }

  private func makeFolder() throws(Errno) -> OwnedFD {
    if try Paths.linkStatus(folder) == nil {
      let parent = try Files.openDirectory(data)
      try Files.makeDirectory("spool", in: parent.raw)
      try Files.sync(parent.raw)
    }
    return try Files.openDirectory(folder)
  }

  private func bytes(in directory: CInt) throws(Errno) -> Int {
    var bytes = 0
    for name in try Files.names(in: directory) { bytes += Int(try Paths.linkStatus(folder + "/" + name)?.size ?? 0) }
    return bytes
  }

  private func copy(
    _ file: CInt, to name: String, in directory: CInt, _ plan: SpoolPlan, room: Int
  ) throws(Obstacle) -> MeasuredFile {
    let (size, beginning) = try Self.look(at: file)
    guard size <= UInt64(max(room, 0)) else { throw .full }
    var pieces = [JPEGMetadata.Piece.copy(0..<size)]
    if plan.stripsMetadata, JPEGMetadata.isJPEG(beginning) { pieces = try Self.piecesWithoutMetadata(file, size) }
    let copy = try calling { () throws(Errno) in try Files.open(name, in: directory, .createNew) }
    var measured = MeasuredFile(size: 0)
    let digest = try Self.digest()
    for piece in pieces { try Self.append(piece, of: file, to: copy.raw, &measured.size, digest) }
    try calling { () throws(Errno) in try Files.syncData(copy.raw) }
    measured.picture = PictureHeader(beginning)
    measured.type = measured.picture?.format.rawValue ?? FileType.of(path: folder + "/" + name)
    measured.hash = (try? digest.finish()).map { FileHash(.sha256, $0) }
    measured.name = plan.name ?? Self.name(of: file) ?? "file" + (Self.endings[measured.type ?? ""] ?? "")
    return measured
  }

  /// The size of a regular file that is not empty, which a file in memory is, too, and how it begins.
  private static func look(at file: CInt) throws(Obstacle) -> (size: UInt64, beginning: [UInt8]) {
    let attributes = try reading { () throws(Errno) in try Files.attributes(file) }
    guard attributes.kind == .regular else { throw .unusable("the descriptor is not of a regular file") }
    guard attributes.size > 0 else { throw .unusable("the file is empty") }
    let bytes = try reading { () throws(Errno) in try FileBeginning.read(file) }
    return (attributes.size, bytes)
  }

  private static func piecesWithoutMetadata(_ file: CInt, _ size: UInt64) throws(Obstacle) -> [JPEGMetadata.Piece] {
    let pieces = try reading { () throws(Errno) in
      try JPEGMetadata.removed { (place, count) throws(Errno) in
        try Files.read(file, at: place, count: min(count, Int(size - min(place, size))))
      }
    }
    guard let pieces else {
      throw .unusable("the JPEG is damaged, and where it was taken cannot be removed (strip-metadata)")
    }
    return pieces
  }

  private static func digest() throws(Obstacle) -> RunningDigest {
    do throws(CryptoError) { return try RunningDigest(.sha256) } catch { throw .unusable("\(error)") }
  }

  private static func append(
    _ piece: JPEGMetadata.Piece, of file: CInt, to copy: CInt, _ size: inout UInt64, _ digest: RunningDigest
  ) throws(Obstacle) {
    switch piece {
    case .bytes(let bytes): try append(bytes, to: copy, &size, digest)
    case .copy(let range):
      var place = range.lowerBound
      while place < range.upperBound {
        let bytes = try reading { () throws(Errno) in
          try Files.read(file, at: place, count: Int(min(UInt64(Self.piece), range.upperBound - place)))
        }
        guard !bytes.isEmpty else { throw .unusable("the file became shorter while it was read") }
        try append(bytes, to: copy, &size, digest)
        place += UInt64(bytes.count)
      }
    }
  }

  private static func append(
    _ bytes: [UInt8], to copy: CInt, _ size: inout UInt64, _ digest: RunningDigest
  ) throws(Obstacle) {
    do throws(Errno) { try Files.write(copy, bytes, at: size) } catch { throw .system(error) }
    do throws(CryptoError) {
      try digest.add(bytes)
    } catch {
      throw .unusable("\(error)")
    }
    size += UInt64(bytes.count)
  }

  /// The last part of the path, for others; nil for a file in memory.
  private static func name(of file: CInt) -> String? {
    guard var path = Paths.target("/proc/self/fd/\(file)"), !path.hasPrefix("/memfd:") else { return nil }
    let isGone = (try? Files.attributes(file).links) == 0
    if isGone, path.hasSuffix(" (deleted)") { path.removeLast(" (deleted)".count) }
    return FileName.cleaned(String(path.split(separator: "/").last ?? ""))
  }

  /// Name endings for files without a name, by media type.
  private static let endings = [
    "image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp", "text/plain": ".txt",
    "application/pdf": ".pdf",
  ]

  // MARK: - Copies that are there

  /// Opens a copy; nil if it is gone, or something else stands in its place.
  func open(_ name: String) throws(Errno) -> PassedDescriptor? {
    do throws(Errno) {
      let directory = try Files.openDirectory(folder)
      let file = try Files.open(name, in: directory.raw, .read)
      guard try Files.attributes(file.raw).kind == .regular else { return nil }
      return PassedDescriptor(taking: file)
    } catch {
      if error.isMissing || error.isLink { return nil }
      throw error
    }
  }

  func remove(_ names: [String]) throws(Errno) {
    do throws(Errno) {
      let directory = try Files.openDirectory(folder)
      for name in names { try? Files.remove(name, in: directory.raw) }
    } catch {
      if !error.isMissing { throw error }
    }
  }

  func removeAll(but kept: [String]) throws(Errno) {
    guard try Paths.linkStatus(folder) != nil else { return }
    let directory = try Files.openDirectory(folder)
    for name in try Files.names(in: directory.raw) where !kept.contains(name) {
      try Files.remove(name, in: directory.raw)
    }
  }
}

extension RunningDigest {
  func add(_ bytes: [UInt8]) throws(CryptoError) {
    try unsafe bytes.withUnsafeBytes { bytes in
      Result { () throws(CryptoError) in unsafe try add(bytes) }
    }.get()
  }
}
