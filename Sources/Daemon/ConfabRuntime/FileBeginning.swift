import Pictures
import Syscalls

/// The bytes at the beginning of a file that say what it is: of a picture more, since a profile, a smaller picture or
/// its first frame may stand before what is looked for.
enum FileBeginning {
  private static let usual = 64 << 10
  private static let ofPicture = 1 << 20

  static func read(_ file: CInt) throws(Errno) -> [UInt8] {
    let bytes = try Files.read(file, at: 0, count: usual)
    guard bytes.count == usual, PictureHeader.begins(bytes) else { return bytes }
    return try Files.read(file, at: 0, count: ofPicture)
  }
}
