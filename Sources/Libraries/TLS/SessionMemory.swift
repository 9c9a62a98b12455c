import COpenSSL

/// A session's ciphertext in memory, by a BIO of our own.
///
/// OpenSSL's memory BIO would copy each byte once more and keep its largest buffer for as long as the session lives.
/// This one reads straight from the bytes of the running `receive`, and keeps nothing but what is to be sent.
@safe final class SessionMemory {
  /// The unread ciphertext of the running call; lent, empty between calls.
  private var input = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
  /// Ciphertext to be sent.
  private(set) var output: [UInt8] = []
  /// Why the certificate was refused, left here by the verify callback.
  var problem: CertificateProblem?
  /// The host that the certificate must be for.
  let expectedHost: String
  /// Called with the connection (SSL) and what the server gave for the next one (SSL_SESSION), lent both.
  var onNewSession: (_ ssl: OpaquePointer, _ session: OpaquePointer) -> Void = { _, _ in }

  init(expectedHost: String) {
    self.expectedHost = expectedHost
  }

  /// Lends ciphertext for the duration of `body`; what is not used by then is dropped.
  func withInput<Result>(_ ciphertext: UnsafeRawBufferPointer, _ body: () -> Result) -> Result {
    unsafe input = ciphertext
    defer { unsafe input = UnsafeRawBufferPointer(start: nil, count: 0) }
    return body()
  }

  /// Takes what is to be sent.
  func takeOutput() -> [UInt8] {
    defer { output = [] }
    return output
  }

  /// A BIO over this memory, for a session that this object outlives. The session owns and frees it.
  func makeBIO() -> OpaquePointer? {
    guard let method = unsafe BIOMethod.shared.handle, let bio = unsafe BIO_new(method) else { return nil }
    unsafe BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
    unsafe BIO_set_init(bio, 1)
    return unsafe bio
  }

  /// The memory behind a BIO of `makeBIO`.
  static func of(_ bio: OpaquePointer?) -> SessionMemory? {
    guard let data = unsafe BIO_get_data(bio) else { return nil }
    return unsafe Unmanaged<SessionMemory>.fromOpaque(data).takeUnretainedValue()
  }

  fileprivate func read(into buffer: UnsafeMutableRawPointer, _ capacity: Int) -> Int {
    let count = unsafe min(capacity, input.count)
    guard count > 0, let base = unsafe input.baseAddress else { return 0 }
    unsafe buffer.copyMemory(from: base, byteCount: count)
    unsafe input = UnsafeRawBufferPointer(rebasing: input[count...])
    return count
  }

  fileprivate func write(_ bytes: UnsafeRawBufferPointer) {
    unsafe output.append(contentsOf: bytes)
  }
}

/// The functions behind every BIO of `SessionMemory`, registered once.
@safe private struct BIOMethod: @unchecked Sendable {
  // Unchecked because the pointer's type says nothing: the table behind it is not changed after `make`.
  let handle: OpaquePointer?

  static let shared = unsafe BIOMethod(handle: make())

  private static func make() -> OpaquePointer? {
    guard let method = unsafe BIO_meth_new(BIO_get_new_index() | confab_bio_type, "confab memory") else { return nil }
    unsafe BIO_meth_set_read_ex(method) { bio, buffer, capacity, count in
      unsafe confab_bio_clear_retry(bio)
      guard let memory = unsafe SessionMemory.of(bio), let buffer = unsafe buffer, let count = unsafe count else {
        return 0
      }
      unsafe count.pointee = unsafe memory.read(into: buffer, capacity)
      if unsafe count.pointee > 0 { return 1 }
      unsafe confab_bio_retry_read(bio)
      return 0
    }
    unsafe BIO_meth_set_write_ex(method) { bio, buffer, size, count in
      unsafe confab_bio_clear_retry(bio)
      guard let memory = unsafe SessionMemory.of(bio), let count = unsafe count else { return 0 }
      unsafe memory.write(UnsafeRawBufferPointer(start: buffer, count: size))
      unsafe count.pointee = size
      return 1
    }
    unsafe BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
    return unsafe method
  }
}
