import Crypto
import HelperProtocol
import Syscalls

/// The file that is moved, and the hashes of its bytes.
final class BodyFile {
  private let fd: CInt
  private let digests: [RunningDigest]
  /// Bytes from the start that are hashed: what is sent once more is not.
  private var hashed: UInt64 = 0

  init(_ fd: CInt, _ hashes: [HashAlgorithm]) throws(CryptoError) {
    self.fd = fd
    digests = try hashes.map { (hash) throws(CryptoError) in try RunningDigest(hash) }
  }

  /// Bytes from an offset on into `room`; 0: there are no more.
  func read(into room: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(TransferFailure) -> Int {
    do {
      let count = unsafe try Files.read(fd, at: offset, into: room)
      try unsafe hash(UnsafeRawBufferPointer(rebasing: room[..<count]), at: offset)
      return count
    } catch {
      throw TransferFailure(.file, "the file cannot be read: \(Self.words(error))")
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(TransferFailure) {
    do {
      try unsafe Files.write(fd, bytes, at: offset)
      try unsafe hash(bytes, at: offset)
    } catch {
      let isFull = (error as? Errno)?.isNoSpace ?? false
      throw TransferFailure(isFull ? .noSpace : .file, "the file cannot be written: \(Self.words(error))")
    }
  }

  /// In bytes.
  func size() throws(TransferFailure) -> UInt64 {
    do throws(Errno) {
      return UInt64(clamping: try Paths.status(of: fd).size)
    } catch {
      throw TransferFailure(.file, "the file cannot be used: \(error.text)")
    }
  }

  /// Once, at the end.
  func hashes() throws(TransferFailure) -> [HashAlgorithm: [UInt8]] {
    do throws(CryptoError) {
      return Dictionary(
        uniqueKeysWithValues: try digests.map { (digest) throws(CryptoError) in (digest.algorithm, try digest.finish())
        })
    } catch {
      throw TransferFailure(.file, "the file cannot be hashed")
    }
  }

  private func hash(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(CryptoError) {
    let end = offset + UInt64(bytes.count)
    guard offset <= hashed, end > hashed else { return }
    let fresh = unsafe UnsafeRawBufferPointer(rebasing: bytes[Int(hashed - offset)...])
    for digest in digests { try unsafe digest.add(fresh) }
    hashed = end
  }

  private static func words(_ error: any Error) -> String { (error as? Errno)?.text ?? "it cannot be hashed" }
}
