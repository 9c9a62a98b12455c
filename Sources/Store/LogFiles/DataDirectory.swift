import Glibc
package import MessageLog
package import Syscalls

/// The daemon's data directory: the log's segments in `log/`, which may be a symbolic link, and beside it `lock`,
/// `instance.NUMBER`, `identity` and `checkpoint`. New directories have mode 0700, files 0600.
package struct DataDirectory: ~Copyable {
  /// For messages.
  package let path: String
  let directory: OwnedFD
  private var lockFile: FileLock?
  private var lockedLog: FileLock?

  private init(path: String, directory: consuming OwnedFD) {
    self.path = path
    self.directory = directory
  }

  /// Opens `path`, and makes it first if it is not there.
  package static func create(_ path: String) throws(Errno) -> DataDirectory {
    try make(path)
    let directory = try open(path)
    try Files.makeDirectory("log", in: directory.directory.raw)
    try Files.sync(directory.directory.raw)
    return directory
  }

  /// Opens `path`, which must be there.
  package static func open(_ path: String) throws(Errno) -> DataDirectory {
    DataDirectory(path: path, directory: try Files.openDirectory(path))
  }

  /// Takes the lock against a second daemon and keeps it as long as this value lives; false if somebody else has it.
  package mutating func lock() throws(Errno) -> Bool {
    guard let file = try FileLock.take(Files.open("lock", in: directory.raw, .createOrOpen)) else { return false }
    let log = try Self.openLog(in: directory.raw)
    // Two data directories may link to one log. On file systems without locks on directories each is unprotected.
    do throws(Errno) {
      guard let log = try FileLock.take(log) else { return false }
      lockedLog = consume log
    } catch {}
    lockFile = consume file
    return true
  }

  /// Opens the directory of the segments, which may be a symbolic link to another disk. The target must belong to the
  /// same user: otherwise that user could make root write elsewhere.
  static func openLog(in directory: CInt) throws(Errno) -> OwnedFD {
    do throws(Errno) {
      return try Files.openDirectory("log", in: directory)
    } catch { if !error.isNoDirectory { throw error } }
    let log = try Files.openDirectory("log", in: directory, followingLinks: true)
    guard try Files.attributes(log.raw).owner == Files.attributes(directory).owner else {
      throw Errno(EPERM, "openat", object: "log, a link to a directory of another user")
    }
    return log
  }

  /// The log in it.
  package func storage(readOnly: Bool) throws(Errno) -> FileStorage {
    FileStorage(
      segments: try Self.openLog(in: directory.raw),
      files: try Files.openDirectory(".", in: directory.raw),
      readOnly: readOnly, path: path)
  }

  /// The log in it, to be read, with pages in a file without a name in the directory `scratch`.
  package func storage(scratch: String) throws(Errno) -> FileStorage {
    FileStorage(
      segments: try Self.openLog(in: directory.raw),
      files: try Files.openDirectory(".", in: directory.raw),
      readOnly: true, scratch: try Files.openTemporary(in: scratch))
  }

  /// The log's UUID, and the reason if it was assigned a new one.
  package struct Identity: Equatable, Sendable {
    package var uuid: LogUUID
    /// Why it has just got another UUID; nil if it kept its own, or is new.
    package var moved: String?

    package init(uuid: LogUUID, moved: String? = nil) {
      self.uuid = uuid
      self.moved = moved
    }
  }

  /// The log's UUID; a new one, made of 16 random bytes and durable on return, if the log is new or no longer where it
  /// was.
  package func identity(
    in storage: FileStorage, random: [UInt8], machine: String? = machineID()
  ) throws(StorageError) -> Identity {
    let observed = try Self.instance(machine: machine) { () throws(Errno) in try storage.openMark() }
    let stored: [UInt8]?
    var unreadable: String?
    do throws(StorageError) {
      stored = try storage.readFile(LogIdentity.fileName, limit: LogIdentity.limit)
    } catch {
      guard error.cause == .tooLarge else { throw error }
      (stored, unreadable) = (nil, error.description)
    }
    let decision = LogIdentity.decide(stored: stored, observed: observed)
    if case .same(let uuid) = decision { return Identity(uuid: uuid, moved: nil) }
    if let uuid = try Self.takeOver(stored, at: observed, machine, in: storage) { return Identity(uuid: uuid) }
    let uuid = try Self.rename(stored, random, to: observed, in: storage)
    if case .moved(let reason) = decision { return Identity(uuid: uuid, moved: reason) }
    return Identity(uuid: uuid, moved: unreadable)
  }

  /// A new UUID for a log that was put back from an older copy; nil if it is the same log, or a longer one.
  ///
  /// - Parameter last: the number of the log's last record.
  package func identity(
    ofLogUpTo last: UInt64, in storage: FileStorage, random: [UInt8], machine: String? = machineID()
  ) throws(StorageError) -> Identity? {
    guard let marked = storage.markedNumber, last < marked else { return nil }
    let observed = try Self.instance(machine: machine) { () throws(Errno) in try storage.replaceMark(number: last) }
    let stored = try storage.readFile(LogIdentity.fileName, limit: LogIdentity.limit)
    let uuid = try Self.rename(stored, random, to: observed, in: storage)
    return Identity(
      uuid: uuid, moved: "the log ends with record \(last), and had record \(marked): an older copy was put back here")
  }

  /// The UUID of a log whose identity was written here by a version that knows no numbers of records
  /// (docs/decisions/0052-number-in-a-file-name.md): it is true of the file `instance` beside the mark. Durable
  /// on return; nil if it was not.
  private static func takeOver(
    _ stored: [UInt8]?, at observed: InstanceFacts, _ machine: String?, in storage: FileStorage
  ) throws(StorageError) -> LogUUID? {
    guard var identity = stored.flatMap({ LogIdentity(decoding: $0) }), let file = storage.plainMark,
      identity.isAt(InstanceFacts(inode: file.inode, birth: file.birth, machine: machine))
    else { return nil }
    identity.instance = observed
    try storage.replaceFile(LogIdentity.fileName, with: identity.encoded)
    storage.removePlainMark()
    return identity.uuid
  }

  /// Gives the log another UUID, durable on return.
  ///
  /// - Parameter stored: the content of `identity`.
  private static func rename(
    _ stored: [UInt8]?, _ random: [UInt8], to observed: InstanceFacts, in storage: FileStorage
  ) throws(StorageError) -> LogUUID {
    guard let uuid = LogUUID(random: random) else { throw StorageError(.failed, "a UUID takes 16 random bytes") }
    let before = stored.flatMap { LogIdentity(decoding: $0) }
    let identity = before?.copied(as: uuid, to: observed) ?? LogIdentity(uuid: uuid, instance: observed)
    try storage.replaceFile(LogIdentity.fileName, with: identity.encoded)
    return uuid
  }

  /// The machine's id, where it has one: 32 hexadecimal digits.
  package static func machineID() -> String? {
    guard let etc = try? Files.openDirectory("/etc"), let file = try? Files.open("machine-id", in: etc.raw, .read),
      let bytes = try? Files.readAll(file.raw, limit: 64)
    else { return nil }
    let digits = bytes.prefix { $0 != 0x0A }
    guard digits.count == 32, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else { return nil }
    return String(decoding: digits, as: UTF8.self)
  }

  /// The facts that identify this data directory, from its high-water mark.
  private static func instance(
    machine: String?, _ mark: () throws(Errno) -> Files.Attributes
  ) throws(StorageError) -> InstanceFacts {
    do throws(Errno) {
      let facts = try mark()
      return InstanceFacts(inode: facts.inode, birth: facts.birth, machine: machine)
    } catch {
      throw StorageError(error, HighWaterMark.prefix)
    }
  }

  /// Makes `path` and what is missing above it.
  private static func make(_ path: String) throws(Errno) {
    do throws(Errno) {
      return try Files.makeDirectory(path)
    } catch {
      guard error.isMissing, let slash = path.lastIndex(of: "/"), slash > path.startIndex else { throw error }
      try make(String(path[..<slash]))
      try Files.makeDirectory(path)
    }
  }
}
