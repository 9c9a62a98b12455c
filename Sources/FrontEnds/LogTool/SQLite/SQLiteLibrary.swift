import CSQLite
import Glibc

/// The functions of libsqlite3, which is loaded by name: a command that reads no database does not pay for it.
@safe struct SQLiteLibrary {
  typealias Open =
    @convention(c) (UnsafePointer<CChar>?, UnsafeMutablePointer<OpaquePointer?>?, CInt, UnsafePointer<CChar>?) -> CInt
  typealias Close = @convention(c) (OpaquePointer?) -> CInt
  typealias Message = @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>?
  typealias Timeout = @convention(c) (OpaquePointer?, CInt) -> CInt
  typealias Prepare =
    @convention(c) (
      OpaquePointer?, UnsafePointer<CChar>?, CInt, UnsafeMutablePointer<OpaquePointer?>?,
      UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) -> CInt
  typealias OfStatement = @convention(c) (OpaquePointer?) -> CInt
  typealias OfColumn = @convention(c) (OpaquePointer?, CInt) -> CInt
  typealias Integer = @convention(c) (OpaquePointer?, CInt) -> Int64
  typealias Real = @convention(c) (OpaquePointer?, CInt) -> Double
  typealias Text = @convention(c) (OpaquePointer?, CInt) -> UnsafePointer<UInt8>?
  typealias Limit = @convention(c) (OpaquePointer?, CInt, CInt) -> CInt

  private static let name = "libsqlite3.so.0"

  let open: Open
  let close: Close
  let message: Message
  let timeout: Timeout
  let prepare: Prepare
  let step: OfStatement
  let finalize: OfStatement
  let type: OfColumn
  let integer: Integer
  let real: Real
  let text: Text
  let bytes: OfColumn
  let limit: Limit

  /// The library; nil: it is not installed. It stays loaded for as long as the process lives.
  static let shared = SQLiteLibrary()

  private init?() {
    guard let library = unsafe dlopen(Self.name, RTLD_NOW | RTLD_LOCAL) else { return nil }
    guard let open = unsafe dlsym(library, "sqlite3_open_v2"), let close = unsafe dlsym(library, "sqlite3_close"),
      let message = unsafe dlsym(library, "sqlite3_errmsg"),
      let timeout = unsafe dlsym(library, "sqlite3_busy_timeout"),
      let prepare = unsafe dlsym(library, "sqlite3_prepare_v2"), let step = unsafe dlsym(library, "sqlite3_step"),
      let finalize = unsafe dlsym(library, "sqlite3_finalize"),
      let type = unsafe dlsym(library, "sqlite3_column_type"),
      let integer = unsafe dlsym(library, "sqlite3_column_int64"),
      let real = unsafe dlsym(library, "sqlite3_column_double"),
      let text = unsafe dlsym(library, "sqlite3_column_text"),
      let bytes = unsafe dlsym(library, "sqlite3_column_bytes"), let limit = unsafe dlsym(library, "sqlite3_limit")
    else { return nil }
    unsafe self.open = unsafeBitCast(open, to: Open.self)
    unsafe self.close = unsafeBitCast(close, to: Close.self)
    unsafe self.message = unsafeBitCast(message, to: Message.self)
    unsafe self.timeout = unsafeBitCast(timeout, to: Timeout.self)
    unsafe self.prepare = unsafeBitCast(prepare, to: Prepare.self)
    unsafe self.step = unsafeBitCast(step, to: OfStatement.self)
    unsafe self.finalize = unsafeBitCast(finalize, to: OfStatement.self)
    unsafe self.type = unsafeBitCast(type, to: OfColumn.self)
    unsafe self.integer = unsafeBitCast(integer, to: Integer.self)
    unsafe self.real = unsafeBitCast(real, to: Real.self)
    unsafe self.text = unsafeBitCast(text, to: Text.self)
    unsafe self.bytes = unsafeBitCast(bytes, to: OfColumn.self)
    unsafe self.limit = unsafeBitCast(limit, to: Limit.self)
  }
}
