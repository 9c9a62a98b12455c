import Bytes
import ConfabEngine
import Crypto
import Pictures
import Syscalls
import XMPPExtensions

/// The files that were fetched, in the folder `files` of the data directory: each has a hash of its address as its name.
/// A file has its name once its bytes are durable: where the sender gives no hash, nothing else tells a torn one.
struct CacheFiles: Sendable {
  private let data: String

  init(in data: String) { self.data = data }

  private var folder: String { data + "/files" }
  var isThere: Bool { (try? Paths.linkStatus(folder)) != nil }
  private static let unfinished = "new-"

  private static func name(of url: String) -> String? {
    (try? Digest.hash(Array(url.utf8), .sha256)).map { Hex.encode($0) }
  }

  private func openFolder() throws(Errno) -> OwnedFD {
    if try Paths.linkStatus(folder) == nil {
      let parent = try Files.openDirectory(data)
      try Files.makeDirectory("files", in: parent.raw)
    }
    return try Files.openDirectory(folder)
  }

  /// Makes an empty file.
  func make(_ name: String) throws(Errno) -> PassedDescriptor {
    let directory = try openFolder()
    try? Files.remove(name, in: directory.raw)
    return PassedDescriptor(taking: try Files.open(name, in: directory.raw, .createNew))
  }

  /// Removes what earlier processes did not finish.
  func sweep() throws(Errno) {
    guard try Paths.linkStatus(folder) != nil else { return }
    let directory = try openFolder()
    for name in try Files.names(in: directory.raw) where name.hasPrefix(Self.unfinished) {
      try? Files.remove(name, in: directory.raw)
    }
  }

  func remove(_ name: String) throws(Errno) {
    let directory = try openFolder()
    try? Files.remove(name, in: directory.raw)
  }

  /// A file that was made is whole; others make room for it.
  func keep(_ name: String, as url: String, limit: Int) throws(Errno) {
    guard let hash = Self.name(of: url) else { return }
    let directory = try openFolder()
    let file = try Files.open(name, in: directory.raw, .read)
    try Files.syncData(file.raw)
    try Files.rename(name, to: hash, in: directory.raw)
    try prune(directory.raw, without: hash, limit: limit)
  }

  /// Takes a copy of the spool over.
  func adopt(_ copy: SpooledCopy, limit: Int) throws(Errno) {
    guard let hash = Self.name(of: copy.url) else { return }
    let directory = try openFolder()
    try Files.move(data + "/spool/" + copy.name, to: folder + "/" + hash)
    try prune(directory.raw, without: hash, limit: limit)
  }

  private func prune(_ directory: CInt, without newest: String, limit: Int) throws(Errno) {
    var files: [(name: String, size: Int64, modified: Int64)] = []
    var bytes = try Paths.linkStatus(folder + "/" + newest)?.size ?? 0
    for name in try Files.names(in: directory) where name != newest && !name.hasPrefix(Self.unfinished) {
      guard let status = try Paths.linkStatus(folder + "/" + name) else { continue }
      files.append((name, status.size, status.modified))
      bytes += status.size
    }
    for file in files.sorted(by: { ($0.modified, $0.name) < ($1.modified, $1.name) }) where bytes > limit {
      try? Files.remove(file.name, in: directory)
      bytes -= file.size
    }
  }

  /// A file, if it is here. What does not match stays for other messages with this address, until it is fetched anew.
  func open(_ file: FetchedFile) throws(Errno) -> FileWorker.Result {
    do throws(Errno) {
      guard let hash = Self.name(of: file.url) else { return .ended(.missing) }
      let directory = try Files.openDirectory(folder)
      let opened = try Files.open(hash, in: directory.raw, .read)
      let attributes = try Files.attributes(opened.raw)
      guard attributes.kind == .regular, try matches(opened.raw, file.hashes) else {
        return .ended(.wrongHash)
      }
      var facts = FileFacts(size: attributes.size)
      facts.picture = PictureHeader(try Files.read(opened.raw, at: 0, count: SpoolFiles.beginning))
      facts.type = facts.picture?.format.rawValue
      return .fetched(facts, PassedDescriptor(taking: opened))
    } catch {
      if error.isMissing { return .ended(.missing) }
      throw error
    }
  }

  private func matches(_ file: CInt, _ hashes: [FileHash]) throws(Errno) -> Bool {
    let digests = hashes.compactMap { try? RunningDigest($0.function) }
    guard digests.count == hashes.count else { return false }
    guard !hashes.isEmpty else { return true }
    var place: UInt64 = 0
    while true {
      let bytes = try Files.read(file, at: place, count: 256 << 10)
      if bytes.isEmpty { break }
      place += UInt64(bytes.count)
      for digest in digests { try? digest.add(bytes) }
    }
    return zip(digests, hashes).allSatisfy { digest, hash in (try? digest.finish()) == hash.value }
  }
}
