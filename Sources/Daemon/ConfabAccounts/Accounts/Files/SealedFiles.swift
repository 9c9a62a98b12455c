import Records
import State
import XMPPExtensions

// Encrypted files in what goes out: their keys stand inside of the encryption alone.
extension MessageDetails {
  /// True if a file of it, or of a message inside, is encrypted.
  var hasSealedFiles: Bool { files.contains { $0.key != nil } }

  /// The body as it is sent. Addresses of encrypted files are of no use without their keys, so they stand only in what
  /// scripts and logs read.
  func sentBody(_ text: String) -> String {
    let whole = (plain ?? text).unicodeScalars
    guard attachments.contains(where: { $0.key != nil }) else { return String(whole) }
    let end = attachments.addresses(behind: text).unicodeScalars
    guard whole.reversed().starts(with: end.reversed()) else { return String(whole) }
    return String(String.UnicodeScalarView(whole.dropLast(end.count)))
  }

  /// The texts of the stanzas to devices that read one file or text in each: the files first.
  ///
  /// - Parameter body: what stands beside the files.
  func legacyBodies(_ body: String) -> [String] {
    let addresses = files.compactMap { file in file.key.flatMap { EncryptedFileAddress(url: file.url, key: $0)?.text } }
    return addresses + (body.isEmpty && !addresses.isEmpty ? [] : [body])
  }
}

extension MessageRecord {
  /// The ids of the stanzas that a message of mine left in for devices that read a file in each; empty: in one.
  package var partIDs: [String] {
    guard isFromHere, let stanzaID, let details, details.seal?.version == .legacy else { return [] }
    let count = details.legacyBodies(details.sentBody(text)).count
    return count < 2 ? [] : (0..<count - 1).map { PartID.make($0, of: stanzaID) } + [stanzaID]
  }

  /// True if it names the key of an encrypted file: it goes encrypted, or not at all.
  var hasSealedFiles: Bool { details?.hasSealedFiles == true }

  /// True if files of mine in it were uploaded as they are. What is sent later of it, as a correction, brings no file.
  var hasOpenUploads: Bool {
    guard isFromHere, let details, target == nil || details.change?.kind == .files else { return false }
    return details.attachments.contains { $0.key == nil && !$0.url.isEmpty }
  }
}

extension Encryption {
  /// How a message may leave, by the files in it: those that were uploaded encrypted have their keys in it, and with
  /// those that were not it leaves as was decided when they were uploaded, unless that is not allowed any more
  /// (docs/decisions/0200-encrypted-files.md).
  func readiness(withFilesOf message: MessageRecord) -> Recipients.Readiness {
    // A reaction or a retraction says nothing of a file.
    if message.target != nil, [.reaction, .retraction].contains(message.details?.change?.kind) { return .plain }
    if message.hasOpenUploads { return policy(of: message) == .required ? .refused(.openFile) : .plain }
    let readiness = recipients.readiness(of: message)
    guard message.hasSealedFiles, case .plain = readiness else { return readiness }
    return .refused(.sealedFile)
  }

  private func policy(of message: MessageRecord) -> EncryptionPolicies.Decision {
    message.isSecret ? policies.decision(for: message) : .never
  }

  /// How a file of a message of mine is to be uploaded.
  ///
  /// - Parameter begun: the uploads of the message that were done or begun.
  func uploading(of message: MessageRecord, _ begun: [UploadRecord]) -> UploadDecision {
    let policy = policy(of: message)
    if begun.contains(where: { $0.key != nil }) { return policy == .never ? .refused(.sealedFile) : .encrypted }
    if !begun.isEmpty { return policy == .required ? .refused(.openFile) : .plain }
    switch recipients.readiness(of: message) {
    case .plain: return .plain
    case .encrypted: return .encrypted
    case .waits: return .waits
    case .refused(let failure): return .refused(failure)
    }
  }
}

/// The fate of a file that is to be uploaded, by the policy of its conversation and the devices that are known.
enum UploadDecision {
  case plain
  case encrypted
  /// The devices of its recipient are not known yet.
  case waits
  case refused(Failure)
}

extension Failure {
  static let sealedFile = Failure(
    condition: "policy-violation", text: "a file in it is encrypted, and this message would go in plain text")
  static let openFile = Failure(
    condition: "policy-violation",
    text: "its file was uploaded before the conversation was encrypted, and lies there in plain; send it again")
}
