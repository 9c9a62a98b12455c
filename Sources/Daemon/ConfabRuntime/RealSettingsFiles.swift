package import ConfabConfiguration
import Syscalls

/// The configuration and the files it names, read from the disk.
package struct RealSettingsFiles: SettingsFiles {
  /// The users who may change a password: root, this process's user, and one more.
  private let trusted: Set<UInt32>

  /// - Parameter trusting: the daemon's user where this process is another's.
  package init(trusting user: UInt32? = nil) {
    trusted = Set([0, ProcessEnvironment.userID] + [user].compactMap(\.self))
  }

  package func contents(of path: String, limit: Int) throws(SettingsFileError) -> FileContents {
    let file: WholeFile
    do throws(Errno) {
      file = try WholeFile(path: path, limit: limit)
    } catch {
      throw error.isMissing ? .missing : .failed(error.text)
    }
    guard file.status.kind == .file else { throw .failed("it is not a regular file") }
    guard file.bytes.count <= limit else { throw .tooLong(limit: limit) }
    return FileContents(bytes: file.bytes, mode: file.status.mode, owner: file.status.owner)
  }

  /// A file without access counts as existing, so that reading it gives the error.
  package func exists(_ path: String) -> Bool {
    do throws(Errno) {
      return try Paths.status(path) != nil
    } catch {
      return true
    }
  }

  package func openness(of path: String) -> String? {
    FileTrust.problem(with: path, stake: "the password", trusted: trusted)?.description
  }

  package func groupID(of name: String) -> UInt32? { Groups.id(of: name) }
}
