import Syscalls
import XMPPExtensions

/// The pictures that are kept, in the folder `avatars` of the data directory: each has its hash as its name. None is
/// believed: what does not match its name is removed. They are not synced, for the same reason.
struct AvatarFiles: Sendable {
  private let data: String
  /// The most bytes and files that are kept.
  private let limits: (bytes: Int64, count: Int)

  /// A file while it is being written.
  private static let unfinished = "new"

  init(in data: String, limit: Int64 = 64 << 20, count: Int = 10_000) {
    (self.data, limits) = (data, (limit, count))
  }

  private var folder: String { data + "/avatars" }

  /// The picture with this hash, and a descriptor of it that is open for reading; nil if there is none.
  func open(_ hash: String) throws(Errno) -> (Avatar, PassedDescriptor)? {
    do throws(Errno) {
      let directory = try Files.openDirectory(folder)
      let file = try Files.open(hash, in: directory.raw, .read)
      if try Files.attributes(file.raw).kind == .regular,
        let bytes = try Files.readAll(file.raw, limit: Avatar.largest), let avatar = Avatar(bytes), avatar.hash == hash
      {
        return (avatar, PassedDescriptor(taking: file))
      }
      try Files.remove(hash, in: directory.raw)
      return nil
    } catch {
      if error.isMissing { return nil }
      throw error
    }
  }

  /// Keeps a picture; the oldest of the others make room for it.
  func keep(_ avatar: Avatar) throws(Errno) {
    let directory = try makeFolder()
    try? Files.remove(Self.unfinished, in: directory.raw)
    let file = try Files.open(Self.unfinished, in: directory.raw, .createNew)
    try Files.write(file.raw, avatar.bytes, at: 0)
    try Files.rename(Self.unfinished, to: avatar.hash, in: directory.raw)
    try prune(directory.raw, without: avatar.hash)
  }

  private func makeFolder() throws(Errno) -> OwnedFD {
    let parent = try Files.openDirectory(data)
    try Files.makeDirectory("avatars", in: parent.raw)
    return try Files.openDirectory("avatars", in: parent.raw)
  }

  private func prune(_ directory: CInt, without newest: String) throws(Errno) {
    var files: [(name: String, size: Int64, modified: Int64)] = []
    for name in try Files.names(in: directory) where name != newest {
      guard let status = try Paths.linkStatus(folder + "/" + name) else { continue }
      files.append((name, status.size, status.modified))
    }
    var (bytes, count) = (files.reduce(Int64(Avatar.largest)) { $0 + $1.size }, files.count + 1)
    for file in files.sorted(by: { ($0.modified, $0.name) < ($1.modified, $1.name) }) {
      guard bytes > limits.bytes || count > limits.count else { return }
      try? Files.remove(file.name, in: directory)
      (bytes, count) = (bytes - file.size, count - 1)
    }
  }
}
