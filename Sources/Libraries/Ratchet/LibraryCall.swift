import COmemo

/// One call of libomemo-c: its context and a store of all that the call may read, in memory. What the call stores is read
/// from here afterwards. Owns all pointers but those of `LibraryObject`.
@safe final class LibraryCall {
  let context: OpaquePointer
  let random: RandomBytes
  /// Nil in calls that have no session.
  let input: Input
  /// The record that the call stored.
  var stored: [UInt8]?
  /// True if the call read the signed pre-key, as for a new session.
  var readsSignedPreKey = false
  private var store: OpaquePointer?
  private let address: UnsafeMutablePointer<signal_protocol_address>

  /// All that a call may read.
  struct Input {
    var version = RatchetVersion.legacy
    var identity: OwnIdentity?
    var record: [UInt8]?
    var preKey: PreKey?
    var signedPreKey: SignedPreKey?
  }

  init(_ input: Input = Input(), random: @escaping RandomBytes) throws(RatchetError) {
    var created: OpaquePointer?
    guard unsafe signal_context_create(&created, nil) == 0, let context = unsafe created else {
      throw .failed(code: SG_ERR_NOMEM)
    }
    (self.input, self.random) = (input, random)
    unsafe (self.context, store) = (context, nil)
    unsafe address = .allocate(capacity: 1)
    unsafe address.initialize(to: signal_protocol_address())
    var provider = unsafe Self.provider(Unmanaged.passUnretained(self).toOpaque())
    try RatchetError.check(unsafe signal_context_set_crypto_provider(context, &provider))
  }

  deinit {
    if let store = unsafe store { unsafe signal_protocol_store_context_destroy(store) }
    unsafe signal_context_destroy(context)
    unsafe address.deallocate()
  }

  /// The call whose user data a callback was given.
  static func of(_ userData: UnsafeMutableRawPointer?) -> LibraryCall? {
    unsafe userData.map { unsafe Unmanaged<LibraryCall>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Makes a session from a peer's bundle; returns its record.
  func build(_ bundle: PeerBundle) throws(RatchetError) -> [UInt8] {
    let (identity, key) = (
      try LibraryKeys.object(of: bundle.identity, input.version), try LibraryKeys.object(of: bundle.preKey)
    )
    let signedKey = try LibraryKeys.object(of: bundle.signedPreKey)
    let object = try LibraryObject.make {
      unsafe session_pre_key_bundle_create(
        &$0, 0, 0, bundle.preKeyID, key.pointer, bundle.signedPreKeyID, signedKey.pointer, bundle.signature,
        bundle.signature.count, identity.pointer)
    }
    var builder: OpaquePointer?
    try RatchetError.check(unsafe session_builder_create(&builder, try preparedStore(), address, context))
    defer { unsafe session_builder_free(builder) }
    unsafe session_builder_set_version(builder, input.version.number)
    try RatchetError.check(unsafe session_builder_process_pre_key_bundle(builder, object.pointer))
    return try storedRecord()
  }

  /// Encrypts with the session of the record.
  func encrypt(_ bytes: [UInt8]) throws(RatchetError) -> (bytes: [UInt8], isKeyExchange: Bool, record: [UInt8]) {
    let cipher = try unsafe cipher()
    defer { unsafe session_cipher_free(cipher) }
    let message = try LibraryObject.make { unsafe session_cipher_encrypt(cipher, bytes, bytes.count, &$0) }
    let isKeyExchange = unsafe ciphertext_message_get_type(message.pointer) == CIPHERTEXT_PREKEY_TYPE
    let written = LibraryBuffer.bytes(of: unsafe ciphertext_message_get_serialized(message.pointer))
    return (written, isKeyExchange, try storedRecord())
  }

  /// Decrypts with the session of the record, or a new one.
  func decrypt(_ message: RatchetMessage) throws(RatchetError) -> (bytes: [UInt8], record: [UInt8]) {
    let object = try object(of: message)
    let cipher = try unsafe cipher()
    defer { unsafe session_cipher_free(cipher) }
    var plaintext: OpaquePointer?
    let result =
      unsafe message.keyExchange == nil
      ? session_cipher_decrypt_signal_message(cipher, object.pointer, nil, &plaintext)
      : session_cipher_decrypt_pre_key_signal_message(cipher, object.pointer, nil, &plaintext)
    try RatchetError.check(result)
    return (LibraryBuffer.take(plaintext), try storedRecord())
  }

  private func object(of message: RatchetMessage) throws(RatchetError) -> LibraryObject {
    let bytes = message.bytes
    return try LibraryObject.make { object in
      switch (message.version, message.keyExchange == nil) {
      case (.legacy, true): unsafe signal_message_deserialize(&object, bytes, bytes.count, context)
      case (.legacy, false): unsafe pre_key_signal_message_deserialize(&object, bytes, bytes.count, context)
      case (.omemo2, true): unsafe signal_message_deserialize_omemo(&object, bytes, bytes.count, context)
      case (.omemo2, false):
        unsafe pre_key_signal_message_deserialize_omemo(&object, bytes, bytes.count, 0, context)
      }
    }
  }

  /// A cipher of the session, which the caller frees.
  private func cipher() throws(RatchetError) -> OpaquePointer? {
    var cipher: OpaquePointer?
    try RatchetError.check(unsafe session_cipher_create(&cipher, try preparedStore(), address, context))
    unsafe session_cipher_set_version(cipher, input.version.number)
    return unsafe cipher
  }

  private func storedRecord() throws(RatchetError) -> [UInt8] {
    guard let stored else { throw .failed(code: SG_ERR_UNKNOWN) }
    return stored
  }

  private func preparedStore() throws(RatchetError) -> OpaquePointer? {
    try RatchetError.check(unsafe signal_protocol_store_context_create(&store, context))
    try unsafe fill(store, Unmanaged.passUnretained(self).toOpaque())
    return unsafe store
  }
}
