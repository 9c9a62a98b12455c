import COmemo

/// The store of a call: the library reads the input, and its writes are kept for the caller.
extension LibraryCall {
  func fill(_ store: OpaquePointer?, _ userData: UnsafeMutableRawPointer) throws(RatchetError) {
    var sessions = unsafe Self.sessionStore(userData)
    var preKeys = unsafe Self.preKeyStore(userData)
    var signedPreKeys = unsafe Self.signedPreKeyStore(userData)
    var identities = unsafe Self.identityStore(userData)
    try RatchetError.check(unsafe signal_protocol_store_context_set_session_store(store, &sessions))
    try RatchetError.check(unsafe signal_protocol_store_context_set_pre_key_store(store, &preKeys))
    try RatchetError.check(unsafe signal_protocol_store_context_set_signed_pre_key_store(store, &signedPreKeys))
    try RatchetError.check(unsafe signal_protocol_store_context_set_identity_key_store(store, &identities))
  }

  private static func sessionStore(_ userData: UnsafeMutableRawPointer) -> signal_protocol_session_store {
    var store = unsafe signal_protocol_session_store()
    unsafe store.user_data = userData
    unsafe store.load_session_func = { record, _, _, userData in
      guard let bytes = unsafe LibraryCall.of(userData)?.input.record else { return 0 }
      unsafe record?.pointee = LibraryBuffer.make(bytes)
      return 1
    }
    unsafe store.contains_session_func = { _, userData in
      unsafe LibraryCall.of(userData)?.input.record == nil ? 0 : 1
    }
    unsafe store.store_session_func = { _, record, count, _, _, userData in
      unsafe LibraryCall.of(userData)?.stored = Array(UnsafeBufferPointer(start: record, count: count))
      return 0
    }
    return unsafe store
  }

  private static func preKeyStore(_ userData: UnsafeMutableRawPointer) -> signal_protocol_pre_key_store {
    var store = unsafe signal_protocol_pre_key_store()
    unsafe store.user_data = userData
    unsafe store.load_pre_key = { record, id, userData in
      guard let key = unsafe LibraryCall.of(userData)?.input.preKey, key.id == id else { return SG_ERR_INVALID_KEY_ID }
      return LibraryCall.write(into: record) { () throws(RatchetError) in
        let pair = try LibraryKeys.object(of: key.pair)
        return try LibraryObject.make { unsafe session_pre_key_create(&$0, id, pair.pointer) }
      } serialize: {
        unsafe session_pre_key_serialize(&$0, $1)
      }
    }
    unsafe store.remove_pre_key = { _, _ in 0 }
    return unsafe store
  }

  private static func signedPreKeyStore(
    _ userData: UnsafeMutableRawPointer
  ) -> signal_protocol_signed_pre_key_store {
    var store = unsafe signal_protocol_signed_pre_key_store()
    unsafe store.user_data = userData
    unsafe store.load_signed_pre_key = { record, id, userData in
      guard let call = unsafe LibraryCall.of(userData), let key = call.input.signedPreKey, key.id == id else {
        return SG_ERR_INVALID_KEY_ID
      }
      call.readsSignedPreKey = true
      let (legacy, omemo2) = (key.legacySignature, key.omemo2Signature)
      return LibraryCall.write(into: record) { () throws(RatchetError) in
        let pair = try LibraryKeys.object(of: key.pair)
        return try LibraryObject.make {
          unsafe session_signed_pre_key_create(
            &$0, id, 0, pair.pointer, legacy, legacy.count, omemo2, omemo2.count)
        }
      } serialize: {
        unsafe session_signed_pre_key_serialize(&$0, $1)
      }
    }
    return unsafe store
  }

  private static func identityStore(_ userData: UnsafeMutableRawPointer) -> signal_protocol_identity_key_store {
    var store = unsafe signal_protocol_identity_key_store()
    unsafe store.user_data = userData
    unsafe store.get_identity_key_pair = { publicKey, privateKey, userData in
      guard let input = unsafe LibraryCall.of(userData)?.input, let identity = input.identity else {
        return SG_ERR_UNKNOWN
      }
      unsafe publicKey?.pointee = LibraryBuffer.make(identity.key.bytes(input.version))
      unsafe privateKey?.pointee = LibraryBuffer.make(identity.pair.privateKey)
      return 0
    }
    unsafe store.get_local_registration_id = { _, id in
      unsafe id?.pointee = 0
      return 0
    }
    // The caller compared identities before; one address has one session.
    unsafe store.is_trusted_identity = { _, _, _, _ in 1 }
    unsafe store.save_identity = { _, _, _, _ in 0 }
    return unsafe store
  }

  /// Writes an object that `make` makes into a record for the library.
  @safe private static func write(
    into record: UnsafeMutablePointer<OpaquePointer?>?, make: () throws(RatchetError) -> LibraryObject,
    serialize: (inout OpaquePointer?, OpaquePointer) -> Int32
  ) -> Int32 {
    guard let object = try? make(), let record = unsafe record else { return SG_ERR_UNKNOWN }
    return unsafe serialize(&record.pointee, object.pointer)
  }
}
