/// SQLite databases of tests, made by Python's module.
package enum TestDatabase {
  /// Runs a script of SQL in a new database; its path.
  package static func make(_ script: String, at path: String) throws -> String {
    let program = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.stdin.read())"
    let done = try Program.run(["/usr/bin/python3", "-c", program, path], input: Array(script.utf8))
    guard done.status == .exited(0) else { throw TestFailure("sqlite3: \(done.errorText)") }
    return path
  }
}
