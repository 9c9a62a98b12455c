import CSQLite

/// A prepared statement, stepped one row at a time.
@safe package final class SQLiteStatement {
  private let database: SQLiteDatabase
  private let handle: OpaquePointer?

  /// - Parameter query: a constant of this program; never text from a file.
  package init(_ query: String, in database: SQLiteDatabase) throws(SQLiteError) {
    self.database = database
    var handle: OpaquePointer?
    let code = unsafe database.library.prepare(database.handle, query, -1, &handle, nil)
    unsafe self.handle = handle
    guard code == SQLITE_OK else { throw SQLiteError(database.lastError) }
  }

  deinit { unsafe _ = database.library.finalize(handle) }

  /// Steps to the next row; false after the last one.
  package func next() throws(SQLiteError) -> Bool {
    switch unsafe database.library.step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw SQLiteError(database.lastError)
    }
  }

  /// Runs a statement without rows.
  func run() throws(SQLiteError) { while try next() {} }

  /// True if the value of a column is NULL.
  package func isNull(_ column: Int32) -> Bool { unsafe database.library.type(handle, column) == SQLITE_NULL }

  package func integer(_ column: Int32) -> Int64 { unsafe database.library.integer(handle, column) }

  package func real(_ column: Int32) -> Double { unsafe database.library.real(handle, column) }

  /// The text of a column, with U+FFFD for what is not UTF-8; nil for NULL.
  package func text(_ column: Int32) -> String? {
    guard let start = unsafe database.library.text(handle, column) else { return nil }
    let count = unsafe Int(database.library.bytes(handle, column))
    return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// The text of a column; nil for NULL and for an empty text.
  package func name(_ column: Int32) -> String? { text(column).flatMap { $0.isEmpty ? nil : $0 } }
}
