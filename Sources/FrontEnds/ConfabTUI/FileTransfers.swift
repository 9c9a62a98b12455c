import ConfabClient
import Syscalls
import TerminalUI

/// Why a file cannot be sent or kept, for people.
struct FileFailure: Error {
  let reason: String
}

/// Files of this machine: those that are sent, and copies of those that were fetched.
struct FileTransfers {
  let home: String?

  private static let chunk = 1 << 16

  /// Opens files that are to be sent.
  func open(_ paths: [String]) throws(FileFailure) -> [PassedDescriptor] {
    var files: [PassedDescriptor] = []
    for path in paths { files.append(try open(path)) }
    return files
  }

  private func open(_ path: String) throws(FileFailure) -> PassedDescriptor {
    let path = expanded(path)
    do throws(Errno) {
      // To open a pipe would wait for its writer.
      if let status = try Paths.status(path), status.kind == .file {
        return PassedDescriptor(taking: try Files.openForReading(path))
      }
    } catch {
      throw FileFailure(reason: "\(path): \(error.text)")
    }
    throw FileFailure(reason: "\(path): there is no regular file")
  }

  /// True if a pasted path names a file.
  func isFile(_ path: String) -> Bool { ((try? Paths.status(path)) ?? nil)?.kind == .file }

  /// Entries of a folder that are listed.
  private static let mostEntries = 5000

  /// Reads a folder: its folders and regular files.
  func list(_ path: String) -> FolderListing {
    do throws(Errno) {
      let folder = expanded(path)
      let directory = try Files.openDirectory(folder)
      let names = try Files.names(in: directory.raw).prefix(Self.mostEntries)
      let entries = names.compactMap { name -> FolderListing.Entry? in
        guard let status = (try? Paths.status(folder + "/" + name)) ?? nil else { return nil }
        guard [.file, .directory].contains(status.kind) else { return nil }
        return FolderListing.Entry(name: name, isFolder: status.kind == .directory, size: Int64(clamping: status.size))
      }
      return FolderListing(path: path, entries: entries)
    } catch {
      return FolderListing(path: path, entries: [], failure: "\(path): \(error.text)")
    }
  }

  /// Saves a file under a path, or under its name into a folder; never over another one.
  ///
  /// - Returns: where it is.
  func save(_ file: CInt, as path: String, name: String) throws(FileFailure) -> String {
    var path = expanded(path)
    do throws(Errno) {
      if try Paths.status(path)?.kind == .directory { path += (path.hasSuffix("/") ? "" : "/") + name }
      let folder = try Files.openDirectory(Paths.parent(of: path))
      let last = Paths.name(of: path)
      let copy = try Files.open(last, in: folder.raw, .createNew)
      do throws(Errno) {
        try Self.copy(file, to: copy.raw)
      } catch {
        try? Files.remove(last, in: folder.raw)
        throw error
      }
      return path
    } catch {
      throw FileFailure(reason: "\(path): \(error.isExisting ? "there is such a file already" : error.text)")
    }
  }

  /// Saves a fetched file as somebody wants it; the sentence about that.
  func keep(_ file: CInt, _ wanted: WantedFile, as path: String) -> String {
    do throws(FileFailure) {
      return "Saved as \(try save(file, as: path, name: wanted.file.fileName))."
    } catch {
      return "Not saved: \(error.reason)"
    }
  }

  private static func copy(_ file: CInt, to copy: CInt) throws(Errno) {
    var offset: UInt64 = 0
    while true {
      let bytes = try Files.read(file, at: offset, count: chunk)
      if bytes.isEmpty { return }
      try Files.write(copy, bytes, at: offset)
      offset += UInt64(bytes.count)
    }
  }

  private func expanded(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home else { return path }
    return home + path.dropFirst()
  }
}

/// A copy of a fetched file for another program; it goes with this object.
final class OpenedFile {
  let path: String

  init(_ file: CInt, ending: String, folder: String) throws(FileFailure) {
    let name = "confab-\((try? Entropy.token()) ?? "file").\(ending)"
    path = try FileTransfers(home: nil).save(file, as: folder + "/" + name, name: name)
  }

  deinit { try? Paths.remove(path) }
}
