import CSQLite

/// An error of a database, in SQLite's words, or why its schema is refused.
package struct SQLiteError: Error, Equatable {
  package let reason: String

  package init(_ reason: String) { self.reason = reason }
}

/// A read-only connection to a database of another program, which may be writing to it. All reads are in one transaction.
/// Used by one thread. https://sqlite.org/c3ref/intro.html
@safe package final class SQLiteDatabase {
  /// The busy timeout in milliseconds.
  private static let patience: CInt = 5_000
  /// The greatest size of a value in bytes; a longer one is an error.
  private static let longest: CInt = 16 << 20

  let library: SQLiteLibrary
  let handle: OpaquePointer?

  /// Opens a file, and begins the read transaction.
  package init(_ path: String) throws(SQLiteError) {
    guard let library = SQLiteLibrary.shared else { throw SQLiteError("libsqlite3-0 is not installed") }
    guard !path.utf8.contains(0) else { throw SQLiteError("the path has a zero") }
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX
    let code = unsafe library.open(path, &handle, flags, nil)
    self.library = library
    unsafe self.handle = handle
    guard code == SQLITE_OK else { throw SQLiteError(lastError) }
    unsafe _ = library.timeout(handle, Self.patience)
    unsafe _ = library.limit(handle, SQLITE_LIMIT_LENGTH, Self.longest)
    // The schema of the file is not trusted to call SQL functions.
    for command in ["PRAGMA trusted_schema=OFF", "PRAGMA cell_size_check=ON", "BEGIN"] {
      try SQLiteStatement(command, in: self).run()
    }
  }

  deinit { unsafe _ = library.close(handle) }

  /// The message of SQLite for the last error.
  var lastError: String {
    guard let text = unsafe library.message(handle) else { return "out of memory" }
    return unsafe String(cString: text)
  }

  /// The value of `PRAGMA user_version`.
  package func userVersion() throws(SQLiteError) -> Int64 {
    let statement = try SQLiteStatement("PRAGMA user_version", in: self)
    return try statement.next() ? statement.integer(0) : 0
  }

  /// True if the name is a table's. A view or a virtual table of that name is an error: reading it would run what the
  /// file's author wrote.
  package func hasTable(_ name: String) throws(SQLiteError) -> Bool {
    let statement = try SQLiteStatement("SELECT name, type, rootpage, sql FROM sqlite_master", in: self)
    while try statement.next() {
      guard statement.text(0)?.lowercased() == name.lowercased(), statement.text(1) != "index" else { continue }
      guard statement.text(1) == "table", statement.integer(2) > 0 else {
        throw SQLiteError("\(name) is not a table of it")
      }
      return true
    }
    return false
  }

  /// Refuses a database that lacks one of these columns: it is of another version or of another program.
  package func require(_ table: String, _ columns: [String]) throws(SQLiteError) {
    guard try hasTable(table) else { throw SQLiteError("it has no table \(table)") }
    let found = try self.columns(of: table)
    for column in columns where !found.contains(column) {
      throw SQLiteError("the table \(table) has no column \(column): it is of another version")
    }
  }

  /// The names of a table's columns.
  ///
  /// - Parameter table: a name that needs no quotes.
  package func columns(of table: String) throws(SQLiteError) -> Set<String> {
    let statement = try SQLiteStatement("PRAGMA table_info(\(table))", in: self)
    var names: Set<String> = []
    while try statement.next() { if let name = statement.text(1) { names.insert(name) } }
    return names
  }
}
