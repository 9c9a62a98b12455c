import Bytes
import Conversations
package import Records

/// A token of a record in the log.
typealias FoundToken = (kind: TokenKind, hash: UInt64, id: UInt64)

extension MessageRecord {
  /// A hash of sender and id; nil if the message has no id.
  package var copyHash: UInt64? { lend { $0.copyHash } }
}

extension Record {
  /// The account in whose index its tokens are; nil where it has none.
  var tokenAccount: UInt32? {
    switch self {
    case .message(let message): message.account
    case .payload(let payload): payload.account
    case .erased(let erased): erased.account
    case .archiveID(let named): named.account
    default: nil
    }
  }

  /// Shows the hashes of all that it is found by.
  func visitTokens(_ body: (TokenKind, UInt64) -> Void) {
    switch self {
    case .message(let message): message.visitTokens(body)
    case .payload(let payload):
      if let id = payload.archiveID { body(.archiveID, TokenHash.of(id)) }
    case .erased(let erased):
      if let hash = erased.archiveID { body(.archiveID, hash) }
      if let hash = erased.copy { body(.copy, hash) }
      if let hash = erased.stanzaID { body(.stanzaID, hash) }
      if let hash = erased.key { body(.key, hash) }
    case .archiveID(let named):
      body(.archiveID, TokenHash.of(named.archiveID))
      body(.archiveID, named.messageHash)
    default: break
    }
  }
}

extension MessageRecord {
  fileprivate func visitTokens(_ body: (TokenKind, UInt64) -> Void) {
    if let id = archiveID ?? claimedArchiveID { body(.archiveID, TokenHash.of(id)) }
    guard mine else { return body(.copy, contentToken) }
    guard elsewhere else { return visitTokensOfSending(body) }
    body(.copy, contentToken)
    if let copyHash { body(.copy, copyHash) }
  }

  fileprivate func visitTokensOfSending(_ body: (TokenKind, UInt64) -> Void) {
    if let stanzaID { body(.stanzaID, TokenHash.of(stanzaID)) }
    if let key { body(.key, AccountFacts.hash(ofKey: key, of: sender?.socket)) }
  }
}

extension TokenIndex {
  func note(_ record: Record, id: UInt64) { record.visitTokens { insert($0, $1, id: id) } }

  func note(_ message: MessageFact, id: UInt64) {
    if let hash = message.archiveID { insert(.archiveID, hash, id: id) }
    if let hash = message.copy { insert(.copy, hash, id: id) }
    if let hash = message.sentElsewhere { insert(.copy, hash, id: id) }
  }

  /// What a message is found by beside that, where it is to be sent from here.
  func noteSending(_ message: MessageRecord, id: UInt64) { message.visitTokensOfSending { insert($0, $1, id: id) } }
}

extension Facts {
  /// The pages of tokens to be written next; empty where there are none.
  func takeTokens() -> [WrittenPage] {
    guard isResting || pages?.wantsTokens ?? false else { return [] }
    for account in accounts.values.sorted(by: { $0.record.number < $1.record.number }) {
      let written = account.tokens.takePages(in: presentPause)
      guard written.isEmpty else {
        notingTokens = account.tokens
        return written
      }
    }
    pages?.wantsTokens = false
    return []
  }

  /// Reads what a checkpoint says: field 1 the account, the others as in `TokenIndex`. False where that cannot be.
  func readTokens(_ reader: inout FieldReader) throws(FieldError) -> Bool {
    var (account, recent): (UInt32, [UInt8]) = (0, [])
    var runs: [Run] = []
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: recent = try reader.bytes()
      case 3:
        guard let run = try reader.message({ inner throws(FieldError) in try Run.read(&inner) }) else {
          return false
        }
        runs.append(run)
      default: break
      }
    }
    return accounts[account]?.tokens.restore(recent, runs) ?? true
  }
}
