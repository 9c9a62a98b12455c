import TestSupport
import Testing

@testable import LogTool

@Suite("SQLite")
struct SQLiteTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder("sqlite") }

  private func make(_ script: String) throws -> String {
    try TestDatabase.make(script, at: folder.file("a.db"))
  }

  @Test("Rows of a table come in order, with their types")
  func rows() throws {
    let path = try make("CREATE TABLE a (n INTEGER, t TEXT); INSERT INTO a VALUES (1, 'é'), (2, NULL);")
    let database = try SQLiteDatabase(path)
    try database.require("a", ["n", "t"])
    let rows = try SQLiteStatement("SELECT n, t FROM a ORDER BY n", in: database)
    #expect(try rows.next())
    #expect(rows.integer(0) == 1 && rows.text(1) == "é")
    #expect(try rows.next())
    #expect(rows.integer(0) == 2 && rows.text(1) == nil && rows.isNull(1))
    #expect(try !rows.next())
  }

  @Test("A view or a virtual table in place of a table is refused")
  func views() throws {
    let view = try SQLiteDatabase(make("CREATE VIEW a AS SELECT 1 AS n;"))
    #expect(throws: SQLiteError.self) { try view.require("a", ["n"]) }
    let table = try SQLiteDatabase(
      TestDatabase.make("CREATE VIRTUAL TABLE a USING fts4(n);", at: folder.file("b.db")))
    #expect(throws: SQLiteError.self) { try table.require("a", ["n"]) }
  }

  @Test("A missing table, a missing column, a file of another kind and a cut one are errors with words")
  func refused() throws {
    let database = try SQLiteDatabase(make("CREATE TABLE a (n INTEGER);"))
    #expect(throws: SQLiteError("it has no table b")) { try database.require("b", []) }
    #expect(throws: SQLiteError("the table a has no column t: it is of another version")) {
      try database.require("a", ["n", "t"])
    }
    let other = folder.file("other")
    try TestFiles.write(other, [UInt8](repeating: 0x41, count: 8192))
    #expect(throws: SQLiteError("file is not a database")) { try SQLiteDatabase(other).require("a", []) }
    #expect(throws: SQLiteError.self) { try SQLiteDatabase(folder.file("none")) }
  }

  @Test("A database is not written to")
  func readOnly() throws {
    let database = try SQLiteDatabase(make("CREATE TABLE a (n INTEGER);"))
    #expect(throws: SQLiteError("attempt to write a readonly database")) {
      try SQLiteStatement("INSERT INTO a VALUES (1)", in: database).run()
    }
  }
}
