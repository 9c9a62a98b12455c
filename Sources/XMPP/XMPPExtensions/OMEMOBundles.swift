import Bytes
package import Ratchet
package import XML

/// XEP-0384, section 5.3.2: the public keys of a device, from which others begin sessions.
package struct DeviceBundle: Sendable, Equatable {
  /// A pre-key without its secret.
  package struct Key: Sendable, Hashable {
    package let id: UInt32
    package let key: CurveKey

    package init(id: UInt32, key: CurveKey) { (self.id, self.key) = (id, key) }
  }

  /// Pre-keys of one bundle that are read.
  package static let mostPreKeys = 200
  private static let mostKeyBytes = 64

  package let version: RatchetVersion
  package let identity: IdentityKey
  package let signedPreKey: Key
  package let signature: [UInt8]
  /// At least one.
  package let preKeys: [Key]

  /// Our own.
  package init(_ version: RatchetVersion, _ identity: IdentityKey, _ signed: SignedPreKey, _ preKeys: [PreKey]) {
    (self.version, self.identity) = (version, identity)
    signedPreKey = Key(id: signed.id, key: signed.pair.publicKey)
    signature = signed.signature(version)
    self.preKeys = preKeys.map { Key(id: $0.id, key: $0.pair.publicKey) }
  }

  /// Reads the payload of an item; nil unless it has all keys, each a point to agree with, of a right form. The signature
  /// is checked when a session begins. Pre-keys that are none are passed over.
  package init?(_ element: Element) {
    guard let version = OMEMO.version(of: element), element.isNamed("bundle", OMEMO.namespace(version)) else {
      return nil
    }
    let names = Names(version)
    let reader = Reader(version: version, names: names, bundle: element)
    guard let identity = reader.identity, let signedPreKey = reader.signedPreKey,
      let signature = reader.signature
    else { return nil }
    (self.version, self.identity) = (version, identity)
    (self.signedPreKey, self.signature, preKeys) = (signedPreKey, signature, reader.preKeys)
    if preKeys.isEmpty { return nil }
  }

  /// The keys for one key exchange, with the pre-key of this index; nil: there is none.
  package func peerBundle(preKey index: Int) -> PeerBundle? {
    guard preKeys.indices.contains(index) else { return nil }
    return PeerBundle(
      identity: identity, signedPreKeyID: signedPreKey.id, signedPreKey: signedPreKey.key, signature: signature,
      preKeyID: preKeys[index].id, preKey: preKeys[index].key)
  }

  package func write(into writer: inout XMLWriter) {
    let names = Names(version)
    writer.open("bundle", xmlns: OMEMO.namespace(version))
    write(signedPreKey, names.signedPreKey, names.signedPreKeyID, into: &writer)
    writer.element(names.signature, text: Base64.encode(signature))
    writer.element(names.identity, text: Base64.encode(identity.bytes(version)))
    writer.open("prekeys")
    for key in preKeys { write(key, names.preKey, names.preKeyID, into: &writer) }
    writer.close()
    writer.close()
  }

  private func write(_ key: Key, _ name: StaticString, _ idName: StaticString, into writer: inout XMLWriter) {
    writer.open(name)
    writer.attribute(idName, "\(key.id)")
    writer.text(Base64.encode(version == .legacy ? key.key.typed : key.key.bytes))
    writer.close()
  }

  /// Stores the bundle of our device at our own account.
  package func publish(for device: UInt32, options: NodeOptions? = OMEMO.options, id: String) -> [UInt8] {
    PubSub.publish(
      OMEMO.bundleItem(version, of: device), on: OMEMO.bundleNode(version, of: device), options: options, id: id
    ) { write(into: &$0) }
  }

  /// The names of the elements and attributes.
  private struct Names {
    let identity, signedPreKey, signedPreKeyID, signature, preKey, preKeyID: StaticString

    init(_ version: RatchetVersion) {
      let isLegacy = version == .legacy
      identity = isLegacy ? "identityKey" : "ik"
      signedPreKey = isLegacy ? "signedPreKeyPublic" : "spk"
      signedPreKeyID = isLegacy ? "signedPreKeyId" : "id"
      signature = isLegacy ? "signedPreKeySignature" : "spks"
      preKey = isLegacy ? "preKeyPublic" : "pk"
      preKeyID = isLegacy ? "preKeyId" : "id"
    }
  }

  private struct Reader {
    let version: RatchetVersion
    let names: Names
    let bundle: Element

    var identity: IdentityKey? {
      OMEMO.bytes(of: child(names.identity), most: mostKeyBytes).flatMap { IdentityKey($0, version) }
    }

    var signedPreKey: Key? { child(names.signedPreKey).flatMap { key($0, names.signedPreKeyID) } }

    var signature: [UInt8]? {
      let bytes = OMEMO.bytes(of: child(names.signature), most: mostKeyBytes)
      return bytes?.count == OwnIdentity.signatureBytes ? bytes : nil
    }

    var preKeys: [Key] {
      var keys: [Key] = []
      var seen: Set<UInt32> = []
      for element in child("prekeys")?.children(names.preKey, OMEMO.namespace(version)) ?? [] {
        guard let key = key(element, names.preKeyID), seen.insert(key.id).inserted else { continue }
        keys.append(key)
        if keys.count == mostPreKeys { break }
      }
      return keys
    }

    private func child(_ name: StaticString) -> Element? { bundle.child(name, OMEMO.namespace(version)) }

    private func key(_ element: Element, _ idName: StaticString) -> Key? {
      guard let id = OMEMO.preKeyID(element.attribute(idName)),
        let bytes = OMEMO.bytes(of: element, most: mostKeyBytes),
        let key = version == .legacy ? CurveKey(typed: bytes) : CurveKey(bytes)
      else { return nil }
      return Key(id: id, key: key)
    }
  }
}
