import Bytes
import ConfabAccounts
import Crypto
import Pictures
import Records
import Syscalls
import XMPPExtensions

/// The files that were fetched, in the folder `files` of the data directory, each for one message (`KeptFileName`);
/// messages with the same address share one file under several names, so that each can be forgotten alone. A file has
/// its name once its bytes are durable: where the sender gives no hash, nothing else tells a torn one.
struct CacheFiles: Sendable {
  private let data: String

  init(in data: String) { self.data = data }

  private var folder: String { data + "/" + KeptFileName.folder }
  var isThere: Bool { (try? Paths.linkStatus(folder)) != nil }
  private static let unfinished = "new-"

  private static func hash(of identity: String) -> String? {
    (try? Digest.hash(Array(identity.utf8), .sha256)).map { Hex.encode($0) }
  }

  private func openFolder() throws(Errno) -> OwnedFD {
    if try Paths.linkStatus(folder) == nil {
      let parent = try Files.openDirectory(data)
      try Files.makeDirectory(KeptFileName.folder, in: parent.raw)
    }
    return try Files.openDirectory(folder)
  }

  /// Makes an empty file.
  func make(_ name: String) throws(Errno) -> PassedDescriptor {
    let directory = try openFolder()
    try? Files.remove(name, in: directory.raw)
    return PassedDescriptor(taking: try Files.open(name, in: directory.raw, .createNew))
  }

  /// Removes what earlier processes did not finish, or named otherwise.
  func sweep() throws(Errno) {
    guard try Paths.linkStatus(folder) != nil else { return }
    let directory = try openFolder()
    for name in try Files.names(in: directory.raw) where KeptFileName.message(of: name) == nil {
      try? Files.remove(name, in: directory.raw)
    }
  }

  /// The messages that files are kept for.
  func messages() throws(Errno) -> [UInt64] {
    guard try Paths.linkStatus(folder) != nil else { return [] }
    let directory = try openFolder()
    return Set(try Files.names(in: directory.raw).compactMap(KeptFileName.message)).sorted()
  }

  /// Removes the files of these messages, but for what others of the same address have.
  func forget(_ messages: [UInt64]) throws(Errno) {
    guard try Paths.linkStatus(folder) != nil else { return }
    let directory = try openFolder()
    let gone = Set(messages)
    for name in try Files.names(in: directory.raw) where KeptFileName.message(of: name).map(gone.contains) == true {
      try? Files.remove(name, in: directory.raw)
    }
  }

  func remove(_ name: String) throws(Errno) {
    let directory = try openFolder()
    try? Files.remove(name, in: directory.raw)
  }

  /// A file that was made is whole; others make room for it.
  ///
  /// - Returns: false if its bytes do not match: then it is not kept, and the others stay.
  func keep(_ name: String, as source: FetchedFile, limit: Int) throws(Errno) -> Bool {
    guard let hash = Self.hash(of: source.identity) else { return true }
    let kept = KeptFileName.make(hash, for: source.message)
    let directory = try openFolder()
    let file = try Files.open(name, in: directory.raw, .read)
    guard try matches(file.raw, source.hashes) else { return false }
    try Files.syncData(file.raw)
    try Files.rename(name, to: kept, in: directory.raw)
    try prune(directory.raw, without: kept, limit: limit)
    return true
  }

  /// Takes a copy of the spool over.
  func adopt(_ copy: SpooledCopy, limit: Int) throws(Errno) {
    guard let hash = Self.hash(of: copy.identity) else { return }
    let directory = try openFolder()
    let kept = KeptFileName.make(hash, for: copy.message)
    try Files.move(data + "/spool/" + copy.name, to: folder + "/" + kept)
    try prune(directory.raw, without: kept, limit: limit)
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

  /// Opens a cached file; `.ended(.missing)` if there is none. A file that does not match is kept for other messages
  /// with this address.
  func open(_ file: FetchedFile) throws(Errno) -> FileWorker.Result {
    if let copy = file.copy {
      guard let spool = try existing({ () throws(Errno) in try Files.openDirectory(data + "/spool") }) else {
        return .ended(.missing)
      }
      return try look(at: copy, in: spool.raw, []) ?? .ended(.missing)
    }
    guard let hash = Self.hash(of: file.identity),
      let directory = try existing({ () throws(Errno) in try Files.openDirectory(folder) })
    else { return .ended(.missing) }
    // A fresh one may have got its name meanwhile.
    if let fresh = file.fresh, let result = try look(at: fresh, in: directory.raw, file.hashes) { return result }
    let own = KeptFileName.make(hash, for: file.message)
    if let result = try look(at: own, in: directory.raw, file.hashes) {
      guard case .ended = result else { return result }
    }
    return try share(own, of: hash, in: directory.raw, file.hashes)
  }

  /// Links the file of another message with this address, if it matches.
  private func share(
    _ own: String, of hash: String, in directory: CInt, _ hashes: [FileHash]
  ) throws(Errno) -> FileWorker.Result {
    var outcome = FileOutcome.missing
    for name in try Files.names(in: directory).sorted() where name.hasPrefix(hash + "-") {
      guard let result = try look(at: name, in: directory, hashes) else { continue }
      guard case .ended(let why) = result else {
        try? Files.remove(own, in: directory)
        try? Files.link(name, as: own, in: directory)
        return result
      }
      outcome = why
    }
    return .ended(outcome)
  }

  /// Nil if it is not there; links are not followed.
  private func look(at name: String, in directory: CInt, _ hashes: [FileHash]) throws(Errno) -> FileWorker.Result? {
    guard let opened = try existing({ () throws(Errno) in try Files.open(name, in: directory, .read) }) else {
      return nil
    }
    let attributes = try Files.attributes(opened.raw)
    guard attributes.kind == .regular, try matches(opened.raw, hashes) else { return .ended(.wrongHash) }
    var measured = MeasuredFile(size: attributes.size)
    measured.picture = PictureHeader(try FileBeginning.read(opened.raw))
    measured.type = measured.picture?.format.rawValue
    return .fetched(measured, PassedDescriptor(taking: opened))
  }

  private func existing(_ open: () throws(Errno) -> OwnedFD) throws(Errno) -> OwnedFD? {
    do throws(Errno) {
      return try open()
    } catch {
      if error.isMissing || error.isLink { return nil }
      throw error
    }
  }

  private func matches(_ file: CInt, _ hashes: [FileHash]) throws(Errno) -> Bool {
    let digests = hashes.compactMap { try? RunningDigest($0.function) }
    guard digests.count == hashes.count else { return false }
    guard !hashes.isEmpty else { return true }
    var place: UInt64 = 0
    while true {
      let bytes = try Files.read(file, at: place, count: 64 << 10)
      if bytes.isEmpty { break }
      place += UInt64(bytes.count)
      for digest in digests { try? digest.add(bytes) }
    }
    return zip(digests, hashes).allSatisfy { digest, hash in (try? digest.finish()) == hash.value }
  }
}
