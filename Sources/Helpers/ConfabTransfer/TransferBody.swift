import Bytes
import Crypto
import HelperProtocol
import Syscalls

/// The bytes of a transfer: those of its file, or what it is encrypted to: as many bytes, and a tag behind them
/// (XEP-0454, XEP-0448). What is decrypted counts once `finish` has found that the tag fits.
final class TransferBody {
  private let file: BodyFile
  private let key: FileKey?
  /// The cipher, and how many bytes of the file it has had.
  private var cipher: RunningAESGCM?
  private var place: UInt64 = 0
  /// The last bytes that came: the tag, if no more come. Or the tag of what was encrypted.
  private var tag: [UInt8] = []

  init(_ file: BodyFile, _ key: FileKey?) { (self.file, self.key) = (file, key) }

  /// The size of the file, in bytes.
  func size() throws(TransferFailure) -> UInt64 { try file.size() }

  /// Hashes of the file, once, at the end.
  func hashes() throws(TransferFailure) -> [HashAlgorithm: [UInt8]] { try file.hashes() }

  // MARK: - Out

  /// Bytes from an offset on into `room`, as they are sent.
  ///
  /// - Parameter size: of the file; the tag follows.
  /// - Returns: how many; fewer than there is room for: there are no more.
  func read(
    into room: UnsafeMutableRawBufferPointer, at offset: UInt64, ofFile size: UInt64
  ) throws(TransferFailure) -> Int {
    guard let key else { return try unsafe file.read(into: room, at: offset) }
    if offset > size { return try unsafe copyTag(from: Int(offset - size), into: room) }
    try go(to: offset, key)
    let part = unsafe UnsafeMutableRawBufferPointer(rebasing: room.prefix(Int(clamping: size - offset)))
    let count = try unsafe file.read(into: part, at: offset)
    try unsafe transform(UnsafeMutableRawBufferPointer(rebasing: part.prefix(count)))
    guard count == part.count, count < room.count else { return count }
    if tag.isEmpty { tag = try calling { cipher throws(CryptoError) in try cipher.tag() } }
    return try unsafe count + copyTag(from: 0, into: UnsafeMutableRawBufferPointer(rebasing: room.dropFirst(count)))
  }

  private func copyTag(from start: Int, into room: UnsafeMutableRawBufferPointer) throws(TransferFailure) -> Int {
    guard start <= tag.count else { return 0 }
    let bytes = tag[start...].prefix(room.count)
    unsafe room.copyBytes(from: bytes)
    return bytes.count
  }

  /// A body that is sent once more, as behind a redirect, is encrypted once more: the same bytes.
  private func go(to offset: UInt64, _ key: FileKey) throws(TransferFailure) {
    if cipher == nil || offset < place { try begin(key, isEncrypting: true) }
    var bytes = [UInt8](repeating: 0, count: Self.piece)
    while place < offset {
      let count = Int(min(UInt64(Self.piece), offset - place))
      try skip(count, through: &bytes)
    }
  }

  private func skip(_ count: Int, through bytes: inout [UInt8]) throws(TransferFailure) {
    let start = place
    let file = file
    let result = unsafe bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(TransferFailure) in
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(count))
        guard try unsafe file.read(into: room, at: start) == count else {
          throw TransferFailure(.file, "the file became shorter while it was sent")
        }
        try unsafe transform(room)
      }
    }
    try result.get()
  }

  private static let piece = 64 << 10

  // MARK: - In

  /// Takes bytes that came, the next ones each time.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(TransferFailure) {
    guard let key else { return try unsafe file.write(bytes, at: offset) }
    if offset == 0 { try begin(key, isEncrypting: false) }
    var known = unsafe tag + Array(bytes)
    let count = max(0, known.count - FileKey.tagBytes)
    tag = Array(known[count...])
    known.removeSubrange(count...)
    try decrypt(&known)
  }

  private func decrypt(_ bytes: inout [UInt8]) throws(TransferFailure) {
    guard !bytes.isEmpty else { return }
    let (start, file) = (place, file)
    let result = unsafe bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(TransferFailure) in
        try unsafe transform(buffer)
        try unsafe file.write(UnsafeRawBufferPointer(buffer), at: start)
      }
    }
    try result.get()
  }

  /// All bytes have come: the tag is checked.
  func finish() throws(TransferFailure) {
    guard let key else { return }
    if cipher == nil { try begin(key, isEncrypting: false) }
    guard try calling({ [tag] cipher throws(CryptoError) in try cipher.matches(tag) }) else {
      throw TransferFailure(
        .file, "it cannot be decrypted: it is not the file that was sent, or its key is another one")
    }
  }

  // MARK: - The cipher

  private func begin(_ key: FileKey, isEncrypting: Bool) throws(TransferFailure) {
    do throws(CryptoError) {
      cipher = try RunningAESGCM(key: key.key, nonce: key.nonce, isEncrypting: isEncrypting)
    } catch {
      throw TransferFailure(.program, "the cipher does not start")
    }
    (place, tag) = (0, [])
  }

  private func transform(_ bytes: UnsafeMutableRawBufferPointer) throws(TransferFailure) {
    try calling { cipher throws(CryptoError) in try unsafe cipher.transform(bytes) }
    place += UInt64(bytes.count)
  }

  private func calling<Result>(_ body: (RunningAESGCM) throws(CryptoError) -> Result) throws(TransferFailure) -> Result
  {
    guard let cipher else { throw TransferFailure(.program, "the cipher has not begun") }
    do throws(CryptoError) { return try body(cipher) } catch { throw TransferFailure(.program, "the cipher fails") }
  }
}
