import Glibc

/// The media type of a file by its content, by libmagic, where that is installed. The library and its table of types are
/// loaded for each question and unloaded behind it: a daemon that sends no files has neither. libmagic(3), dlopen(3)
///
/// All C pointers of it stay in this file.
package enum FileType {
  private typealias Open = @convention(c) (CInt) -> OpaquePointer?
  private typealias Load = @convention(c) (OpaquePointer, UnsafePointer<CChar>?) -> CInt
  private typealias Buffer = @convention(c) (OpaquePointer, UnsafeRawPointer?, Int) -> UnsafePointer<CChar>?
  private typealias Close = @convention(c) (OpaquePointer) -> Void

  private static let name = "libmagic.so.1"
  /// MAGIC_MIME_TYPE of magic.h.
  private static let mediaType: CInt = 0x10

  /// - Parameter bytes: the beginning of the file.
  /// - Returns: nil if the library is not installed, or does not know.
  package static func of(_ bytes: [UInt8]) -> String? {
    guard let library = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) else { return nil }
    defer { unsafe dlclose(library) }
    guard let open = unsafe dlsym(library, "magic_open"), let load = unsafe dlsym(library, "magic_load"),
      let buffer = unsafe dlsym(library, "magic_buffer"), let close = unsafe dlsym(library, "magic_close")
    else { return nil }
    let (ask, release) = unsafe (unsafeBitCast(buffer, to: Buffer.self), unsafeBitCast(close, to: Close.self))
    guard let magic = unsafe unsafeBitCast(open, to: Open.self)(mediaType) else { return nil }
    defer { unsafe release(magic) }
    guard unsafe unsafeBitCast(load, to: Load.self)(magic, nil) == 0 else { return nil }
    return unsafe bytes.withUnsafeBytes { bytes in
      unsafe ask(magic, bytes.baseAddress, bytes.count).map { unsafe String(cString: $0) }
    }
  }
}
