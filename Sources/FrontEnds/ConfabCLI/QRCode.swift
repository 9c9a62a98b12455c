import CQRencode
import Glibc

/// A QR code (ISO/IEC 18004): a square of light and dark modules.
///
/// libqrencode makes it, which is loaded by name: who draws no code does not pay for the library. All its pointers stay in
/// this file. qrencode.h, dlopen(3)
package struct QRCode: Equatable, Sendable {
  /// Modules of a side.
  package let width: Int
  /// Row by row.
  private let dark: [Bool]

  /// True if the module is dark; outside of the code none is.
  package subscript(column: Int, row: Int) -> Bool {
    (0..<width).contains(column) && (0..<width).contains(row) && dark[row * width + column]
  }

  /// Encodes a text with the lowest level of error correction: a screen has no dirt.
  ///
  /// Nil: the library is not installed, or the text is too long for a code or has a zero.
  package init?(_ text: String) {
    guard !text.isEmpty, !text.utf8.contains(0), let library = Library(), let (width, modules) = library.encode(text)
    else { return nil }
    self.width = width
    // The lowest bit is the colour.
    dark = modules.map { $0 & 1 == 1 }
  }
}

/// The functions of libqrencode.
@safe private struct Library {
  private typealias Encode =
    @convention(c) (UnsafePointer<CChar>, CInt, QRecLevel, QRencodeMode, CInt) -> UnsafeMutablePointer<QRcode>?
  private typealias Free = @convention(c) (UnsafeMutablePointer<QRcode>?) -> Void

  private static let name = "libqrencode.so.4"

  private let encodeString: Encode
  private let free: Free

  /// Nil: it is not installed. It stays loaded for as long as the process lives.
  init?() {
    guard let library = unsafe dlopen(Self.name, RTLD_NOW | RTLD_LOCAL),
      let encode = unsafe dlsym(library, "QRcode_encodeString"), let free = unsafe dlsym(library, "QRcode_free")
    else { return nil }
    unsafe encodeString = unsafeBitCast(encode, to: Encode.self)
    unsafe self.free = unsafeBitCast(free, to: Free.self)
  }

  func encode(_ text: String) -> (width: Int, modules: [UInt8])? {
    guard let code = unsafe encodeString(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1) else { return nil }
    defer { unsafe free(code) }
    let width = unsafe Int(code.pointee.width)
    let modules = unsafe Array(UnsafeBufferPointer(start: code.pointee.data, count: width * width))
    return width > 0 && modules.count == width * width ? (width, modules) : nil
  }
}
