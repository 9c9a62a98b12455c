package import Settings
import Syscalls

/// The configuration and the files it names, read from the disk.
package struct RealSettingsFiles: SettingsFiles {
  package init() {}

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

  package func groupID(of name: String) -> UInt32? { Groups.id(of: name) }
}
