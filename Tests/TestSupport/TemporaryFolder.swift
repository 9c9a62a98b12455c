package import Glibc

/// A folder of a test's own, mode 0700, removed with all that is in it when the last reference goes.
///
/// Set CONFAB_KEEP_FOLDERS=1 to look at what tests leave.
package final class TemporaryFolder: Sendable {
  /// Absolute, without a final slash; short enough for the path of a Unix socket in it.
  package let path: String

  package init(_ purpose: String = "test") throws {
    var template = Array("/tmp/confab-\(purpose)-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw TestFailure("mkdtemp: errno \(errno)") }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit {
    if unsafe getenv("CONFAB_KEEP_FOLDERS") == nil { TestFiles.removeTree(path) }
  }

  /// The path of `name` in the folder.
  package func file(_ name: String) -> String { path + "/" + name }

  /// Lets others go through the folder to what they may read in it: a server that runs as another user.
  package func letOthersThrough() throws {
    guard unsafe chmod(path, 0o711) == 0 else { throw TestFailure("chmod \(path): errno \(errno)") }
  }

  /// Makes a folder in it and returns its path.
  package func makeFolder(_ name: String, mode: mode_t = 0o700) throws -> String {
    guard unsafe mkdir(file(name), mode) == 0 else { throw TestFailure("mkdir \(file(name)): errno \(errno)") }
    return file(name)
  }

  /// Writes a file in it and returns its path.
  @discardableResult
  package func write(_ name: String, _ text: String, mode: mode_t = 0o600) throws -> String {
    try TestFiles.write(file(name), Array(text.utf8), mode: mode)
    return file(name)
  }

  /// Writes a program in it and returns its path. Another process does it: what is open for writing cannot be run, and a
  /// child that another test starts has what this process has open until its exec.
  package func writeProgram(_ name: String, _ text: String) throws -> String {
    let source = try write("\(name).text", text)
    guard try runCommand("install", "-m", "700", source, file(name)) == 0 else { throw TestFailure("no \(file(name))") }
    return file(name)
  }

  /// Runs a test's body; what it throws comes out with the end of every log file in the folder.
  package func reportingLogs<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      throw TestFailure("\(error)\n\(logs())")
    }
  }

  /// The ends of all log files in the folder and in the folders in it.
  package func logs() -> String {
    let folders = [path] + TestFiles.names(in: path).map { file($0) }
    let files = folders.flatMap { folder in TestFiles.names(in: folder).map { folder + "/" + $0 } }
    return files.filter { $0.hasSuffix(".log") }.map { "--- \($0)\n" + TestFiles.tail($0) }.joined(separator: "\n")
  }
}
