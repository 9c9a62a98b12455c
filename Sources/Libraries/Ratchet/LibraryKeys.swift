import COmemo

/// Calculations with keys that need no session.
enum LibraryKeys {
  static func publicKey(ofPrivate key: [UInt8]) throws(RatchetError) -> [UInt8] {
    let privateKey = try privateObject(key)
    let publicKey = try LibraryObject.make { unsafe curve_generate_public_key(&$0, privateKey.pointer) }
    return LibraryBuffer.take(unsafe ec_public_key_get_mont(publicKey.pointer))
  }

  /// y = (u - 1) / (u + 1), with the sign bit 0 (RFC 7748, section 4.1).
  static func edwards(of key: CurveKey) -> [UInt8] {
    guard let object = try? LibraryObject.make({ unsafe curve_decode_point_mont(&$0, key.bytes, 32, nil) }) else {
      return []
    }
    return LibraryBuffer.take(unsafe ec_public_key_get_ed(object.pointer))
  }

  /// u = (1 + y) / (1 - y).
  static func curve(ofEdwards bytes: [UInt8]) -> [UInt8] {
    guard bytes.count == CurveKey.byteCount,
      let object = try? LibraryObject.make({ unsafe curve_decode_point_ed(&$0, bytes, 32, nil) })
    else { return [] }
    return LibraryBuffer.take(unsafe ec_public_key_get_mont(object.pointer))
  }

  static func verifies(
    _ signature: [UInt8], of bytes: [UInt8], by identity: IdentityKey, _ version: RatchetVersion
  ) -> Bool {
    guard let key = try? object(of: identity, version) else { return false }
    return unsafe curve_verify_signature(key.pointer, bytes, bytes.count, signature, signature.count) == 1
  }

  static func sign(
    _ bytes: [UInt8], _ privateKey: [UInt8], random: @escaping RandomBytes
  ) throws(RatchetError) -> [UInt8] {
    let call = try LibraryCall(random: random)
    let key = try privateObject(privateKey)
    var signature: OpaquePointer?
    try RatchetError.check(
      unsafe curve_calculate_signature(call.context, &signature, key.pointer, bytes, bytes.count))
    return LibraryBuffer.take(signature)
  }

  /// The key of the library that is written and signed in the way of a version.
  static func object(of identity: IdentityKey, _ version: RatchetVersion) throws(RatchetError) -> LibraryObject {
    switch version {
    case .legacy: try object(of: identity.curve)
    case .omemo2: try LibraryObject.make { unsafe curve_decode_point_ed(&$0, identity.edwards, 32, nil) }
    }
  }

  static func object(of key: CurveKey) throws(RatchetError) -> LibraryObject {
    try LibraryObject.make { unsafe curve_decode_point_mont(&$0, key.bytes, 32, nil) }
  }

  static func object(of pair: CurveKeyPair) throws(RatchetError) -> LibraryObject {
    let (publicKey, privateKey) = (try object(of: pair.publicKey), try privateObject(pair.privateKey))
    return try LibraryObject.make { unsafe ec_key_pair_create(&$0, publicKey.pointer, privateKey.pointer) }
  }

  private static func privateObject(_ key: [UInt8]) throws(RatchetError) -> LibraryObject {
    guard key.count == CurveKey.byteCount else { throw .badKey }
    return try LibraryObject.make { unsafe curve_decode_private_point(&$0, key, key.count, nil) }
  }
}
