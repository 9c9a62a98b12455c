import MarkedText
import Syscalls

/// The packs of emoticons as they lie in folders: files `NAME.json` and `NAME.plist`, and folders `NAME` with
/// `pack.json` or `info.plist` and their pictures.
struct EmoticonFiles: Sendable {
  /// Files of one folder that are looked at.
  private static let fileLimit = 10_000

  private(set) var emoticons = Emoticons()
  /// A sentence for each pack that is not taken, or not whole.
  private(set) var problems: [String] = []

  init(problem: String) { problems = [problem] }

  /// The packs of several folders; of two of one name the first counts.
  init(in folders: [String]) {
    for folder in folders {
      for name in Self.names(in: folder) { take(folder + "/" + name) }
    }
    emoticons.finish()
  }

  /// `confab/emoticons` in the folders of data of the XDG Base Directory Specification.
  static func folders(_ environment: [String: String]) -> [String] {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let own = value("XDG_DATA_HOME") ?? value("HOME").map { $0 + "/.local/share" }
    let shared = (value("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share").split(separator: ":").map(String.init)
    return ([own].compactMap(\.self) + shared).filter { $0.hasPrefix("/") }.map { $0 + "/confab/emoticons" }
  }

  /// Sorted by the packs that they make, so that it does not matter how the disk has them; none if there is no such
  /// folder.
  private static func names(in folder: String) -> [String] {
    guard let directory = try? Files.openDirectory(folder), let names = try? Files.names(in: directory.raw) else {
      return []
    }
    return names.filter { !$0.hasPrefix(".") }.sorted { ($0.packName, $0) < ($1.packName, $1) }.prefix(fileLimit)
      .map(\.self)
  }

  private mutating func take(_ path: String) {
    let name = Paths.name(of: path)
    if (try? Paths.status(path))??.kind == .directory {
      let files = Self.names(in: path)
      guard let file = ["pack.json", "info.plist"].first(where: files.contains) else { return }
      take(path + "/" + file, name, Self.pictures(path, files))
    } else if name.packName != name {
      take(path, name.packName, [:])
    }
  }

  /// The paths of the regular files of a folder: a link could lead out of it.
  private static func pictures(_ folder: String, _ names: [String]) -> [String: String] {
    var pictures: [String: String] = [:]
    for name in names {
      let path = folder + "/" + name
      if (try? Paths.linkStatus(path))??.kind == .file { pictures[name] = path }
    }
    return pictures
  }

  private mutating func take(_ file: String, _ name: String, _ pictures: [String: String]) {
    guard emoticons.pack(named: name) == nil else { return }
    do {
      let pack = try PackContent(Self.bytes(of: file), name: name, pictures: pictures)
      _ = try emoticons.append(pack)
      if let ignored = pack.ignored {
        problems.append("emoticons of \(file) are ignored: \(ignored.count), the first because of \(ignored.reason)")
      }
    } catch {
      problems.append("the pack of emoticons \(file) is not taken: \(error)")
    }
  }

  private static func bytes(of file: String) throws -> [UInt8] {
    guard try Paths.status(file)?.kind == .file else { throw PackError("it is no regular file") }
    let open = try Files.openForReading(file)
    guard let bytes = try Files.readAll(open.raw, limit: PackContent.fileLimit) else {
      throw PackError("it has more than \(PackContent.fileLimit >> 20) MiB")
    }
    return bytes
  }
}

extension String {
  /// The name of the pack that a file or folder of this name makes.
  fileprivate var packName: String { withoutEnding(".json") ?? withoutEnding(".plist") ?? self }

  fileprivate func withoutEnding(_ ending: String) -> String? {
    count > ending.count && hasSuffix(ending) ? String(dropLast(ending.count)) : nil
  }
}
