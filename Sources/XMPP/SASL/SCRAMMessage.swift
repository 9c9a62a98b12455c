import Bytes
import Crypto

/// A SCRAM message cut into its attributes: letter, `=`, value, separated by commas (RFC 5802, sections 5 and 7).
struct SCRAMAttributes {
  /// In the order of the message; at least one.
  private(set) var list: [(name: UInt8, value: ArraySlice<UInt8>)] = []

  /// Throws where the bytes are not UTF-8, hold a NUL, or are not attributes with values.
  init(_ message: [UInt8]) throws(SASLError) {
    guard String(validating: message, as: UTF8.self) != nil else { throw .malformed("it is not UTF-8") }
    guard !message.contains(0) else { throw .malformed("it holds a NUL") }
    for part in message.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      guard
        part.count > 2, let name = part.first, Self.isLetter(name),
        part[part.startIndex + 1] == UInt8(ascii: "=")
      else { throw .malformed("item \(list.count + 1) is not an attribute") }
      guard name != UInt8(ascii: "m") else { throw .mandatoryExtension }
      list.append((name, part.dropFirst(2)))
    }
  }

  /// The values of the attributes `names`, which must be the first ones, in this order. Later attributes are extensions
  /// and ignored, unless they repeat one of these.
  func values(of names: StaticString) throws(SASLError) -> [ArraySlice<UInt8>] {
    let names = Array(names.description.utf8)
    guard list.count >= names.count, list.prefix(names.count).map(\.name) == names else {
      throw .malformed("it does not begin with the attributes \(String(decoding: names, as: UTF8.self))")
    }
    guard !list.dropFirst(names.count).contains(where: { names.contains($0.name) }) else {
      throw .malformed("an attribute is repeated")
    }
    return list.prefix(names.count).map(\.value)
  }

  /// The reason of an `e=` attribute that stands first: the server's error (RFC 5802, section 7, server-error).
  var serverError: String? {
    guard let first = list.first, first.name == UInt8(ascii: "e") else { return nil }
    return String(String(decoding: first.value, as: UTF8.self).unicodeScalars.prefix(SASLError.textLimit))
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}

/// The server's first message: its nonce, salt and iteration count.
struct ServerFirst {
  /// The whole nonce: ours and what the server added.
  let nonce: [UInt8]
  let derivation: KeyDerivation
  /// The values of the attribute `h` as they stand there: hashes of the server's offer, at most one by rights.
  private let offerHashes: [ArraySlice<UInt8>]

  /// Checks everything that RFC 5802, sections 5.1 and 7, and our bounds ask for.
  init(_ message: [UInt8], clientNonce: [UInt8], hash: HashAlgorithm) throws(SASLError) {
    let attributes = try SCRAMAttributes(message)
    if let reason = attributes.serverError { throw .refused(reason) }
    let values = try attributes.values(of: "rsi")
    nonce = Array(values[0])
    guard nonce.allSatisfy(SCRAM.isNonceCharacter) else { throw .malformed("its nonce is not printable ASCII") }
    guard nonce.starts(with: clientNonce), nonce.count > clientNonce.count else { throw .nonceMismatch }
    guard let salt = Base64.decode(values[1]), !salt.isEmpty else { throw .malformed("its salt is not base64") }
    derivation = KeyDerivation(hash: hash, salt: salt, iterations: try Self.iterations(values[2]))
    offerHashes = attributes.list.filter { $0.name == UInt8(ascii: "h") }.map(\.value)
  }

  /// False if the message names another offer than this one. One that names none says nothing.
  func confirms(_ offer: SASLOffer) throws(SASLError) -> Bool {
    guard !offerHashes.isEmpty else { return true }
    do throws(CryptoError) {
      let expected = try offer.hash(derivation.hash)
      return offerHashes.allSatisfy { Base64.decode($0) == expected }
    } catch { throw .crypto(error) }
  }

  /// A positive decimal number without leading zeros, within bounds.
  private static func iterations(_ text: ArraySlice<UInt8>) throws(SASLError) -> Int {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard text.allSatisfy(digits.contains), text.first != digits.lowerBound else {
      throw .malformed("its iteration count is not a number")
    }
    let bounds = KeyDerivation.iterationBounds
    guard let count = Int(String(decoding: text, as: UTF8.self)), count <= bounds.upperBound else {
      throw .tooManyIterations
    }
    guard count >= bounds.lowerBound else { throw .tooFewIterations(count) }
    return count
  }
}

/// The server's last message: its signature over the exchange.
struct ServerFinal {
  let signature: [UInt8]

  init(_ message: [UInt8]) throws(SASLError) {
    let attributes = try SCRAMAttributes(message)
    if let reason = attributes.serverError { throw .refused(reason) }
    guard let signature = Base64.decode(try attributes.values(of: "v")[0]) else {
      throw .malformed("its signature is not base64")
    }
    self.signature = signature
  }
}
