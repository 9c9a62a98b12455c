import Bytes
package import Records

/// What is hidden of a conversation.
package struct Forgotten: Sendable, Equatable {
  /// The record that hid all messages before it.
  package var last: UInt64
  /// All that the archive had up to this time was here, or was not to come: milliseconds since 1970; nil: nobody knows.
  package var archive: Int64?
  /// When that was, by our clock: milliseconds since 1970; nil: a version wrote it that did not say.
  package var time: Int64?
  /// Of a domain: the bare JIDs of whom was no stranger then, and the record up to which they had been forgotten with it before.
  package var spared: [String: UInt64] = [:]
  /// Whether a later record may have something that forgetting once more would hide, or scrubbing erase.
  package var mayHaveNewer = true

  /// Of a domain: the record before which all is hidden of a bare JID there.
  func last(of jid: String) -> UInt64 { spared[jid] ?? last }
}

// Conversations whose history is hidden.
extension State {
  func apply(_ forgetting: ForgettingRecord, sequence: UInt64) -> Change {
    let account = account(forgetting.account)
    account.writtenTo.remove(forgetting.jid)
    account.forgotten[forgetting.jid] = Forgotten(
      last: sequence, archive: forgetting.archive, time: forgetting.time, spared: account.spared(by: forgetting),
      mayHaveNewer: false)
    // There is none where all of it is erased.
    guard let conversation = account.conversations[forgetting.jid] else { return .other }
    changing(conversation, of: account) { conversation.forget() }
    return .forgotten(conversation)
  }

  /// Whether a message is hidden from every answer.
  package func isForgotten(_ message: MessageRecord, id: UInt64) -> Bool {
    accounts[message.account]?.hides(id, of: message.jid) ?? false
  }

  /// Whether an unknown stanza names somebody who was forgotten later.
  package func names(_ payload: PayloadRecord, id: UInt64) -> Bool {
    guard let account = accounts[payload.account], account.hidesAnything else { return false }
    return payload.jids(besides: account.record.jid).contains { account.hidesTraces(of: $0, id) }
  }

  /// A stanza that was not understood may name people whose conversations are forgotten.
  func noteSinceForgetting(_ payload: PayloadRecord) {
    let account = account(payload.account)
    guard account.hidesAnything else { return }
    for jid in payload.jids(besides: account.record.jid) { account.noteTraces(of: jid) }
  }
}

extension PayloadRecord {
  /// The bare JIDs that the stanza names; a domain and our own JID only as its sender, since servers name themselves in other
  /// stanzas too, and all stanzas name us.
  fileprivate func jids(besides own: String) -> [String] {
    let words = String(decoding: xml, as: UTF8.self).split { $0 == "'" || $0 == "\"" || $0 == "/" }
    return zip([""] + words, words).compactMap { before, word in
      word.contains("@") && word != own || before.hasSuffix(" from=") ? String(word) : nil
    }
  }
}

// In a checkpoint: 1 account, 2 bare JID, 3 the record, 4 the archive's time, 5 nothing has come since, 6 our time, 7 who is
// spared (1 bare JID, 2 the record).
extension State {
  func writeForgotten(_ account: AccountState, into writer: inout FieldWriter) {
    for (jid, forgotten) in account.forgotten.sorted(by: { $0.key < $1.key }) {
      writer.message(Field.forgotten) {
        $0.uint(1, UInt64(account.number))
        $0.string(2, jid)
        $0.uint(3, forgotten.last)
        if let archive = forgotten.archive { $0.int(4, archive) }
        if !forgotten.mayHaveNewer { $0.uint(5, 1) }
        if let time = forgotten.time { $0.int(6, time) }
        for (jid, last) in forgotten.spared.sorted(by: { $0.key < $1.key }) {
          $0.message(7) {
            $0.string(1, jid)
            $0.uint(2, last)
          }
        }
      }
    }
  }

  func readForgotten(_ reader: inout FieldReader) throws(FieldError) {
    var (account, jid, forgotten): (UInt32, String, Forgotten) = (0, "", Forgotten(last: 0))
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: jid = try reader.string()
      case 3: forgotten.last = try reader.uint()
      case 4: forgotten.archive = try reader.int()
      case 5: forgotten.mayHaveNewer = try reader.uint(UInt32.self) == 0
      case 6: forgotten.time = try reader.int()
      case 7: try reader.message { inner throws(FieldError) in try forgotten.readSpared(&inner) }
      default: break
      }
    }
    accounts[account]?.forgotten[jid] = forgotten
  }
}

extension Forgotten {
  fileprivate mutating func readSpared(_ reader: inout FieldReader) throws(FieldError) {
    var (jid, last): (String, UInt64) = ("", 0)
    while let field = try reader.next() {
      if field == 1 { jid = try reader.string() }
      if field == 2 { last = try reader.uint() }
    }
    spared[jid] = last
  }
}

extension AccountState {
  /// Whether a message of a conversation is hidden from every answer.
  package func hides(_ id: UInt64, of jid: String) -> Bool { forgotten[jid].map { id < $0.last } ?? false }

  /// Whether a record that is no message, and has something of a bare JID, is to be erased: the JID was forgotten later, or
  /// the domain was of whom was a stranger then.
  package func hidesTraces(of jid: String, _ id: UInt64) -> Bool {
    hides(id, of: jid) || Self.domain(of: jid).flatMap { forgotten[$0] }.map { id < $0.last(of: jid) } ?? false
  }

  /// Whom the forgetting of a domain spares, and up to which record they were forgotten with it before.
  fileprivate func spared(by forgetting: ForgettingRecord) -> [String: UInt64] {
    guard !forgetting.jid.contains("@") else { return [:] }
    let known = knownJIDs.filter { Self.domain(of: $0) == forgetting.jid }
    let before = forgotten[forgetting.jid]
    return Dictionary(uniqueKeysWithValues: known.map { ($0, before?.last(of: $0) ?? 0) })
  }

  /// Whether `forget-history` of a bare JID or domain would hide something, or have it erased.
  package func mayForgetMore(of jid: String) -> Bool {
    guard let forgotten = forgotten[jid] else { return true }
    return forgotten.mayHaveNewer || forgotten.spared.keys.contains { !knows($0) }
  }

  /// When somebody whom a stanza names was forgotten last: milliseconds since 1970; nil: nobody was, or nobody knows.
  package func timeOfForgetting(naming payload: PayloadRecord) -> Int64? {
    guard hidesAnything else { return nil }
    return payload.jids(besides: record.jid).compactMap { jid in
      let domain = Self.domain(of: jid).flatMap { forgotten[$0] }.flatMap { $0.spared[jid] == nil ? $0 : nil }
      return [forgotten[jid], domain].compactMap { $0?.time }.max()
    }.max()
  }

  /// A record has something of a conversation, which may have been forgotten before.
  func noteSinceForgetting(_ jid: String) {
    if hidesAnything { forgotten[jid]?.mayHaveNewer = true }
  }

  /// A record that is no message has something of somebody: the same, and the domain may have been forgotten before.
  func noteTraces(of jid: String) {
    noteSinceForgetting(jid)
    if hidesAnything, let domain = Self.domain(of: jid) { forgotten[domain]?.mayHaveNewer = true }
  }

  /// The domain of a bare JID; nil if it is one.
  private static func domain(of jid: String) -> String? {
    jid.lastIndex(of: "@").map { String(jid[jid.index(after: $0)...]) }
  }

  /// A message was erased: it still counts for what it counted for, and a copy of it is still known.
  func apply(_ erased: ErasedRecord) {
    if erased.isCounted { stream?.countOne() }
    if let place = erased.place { stream?.raise(to: place) }
  }

  /// The hash that stands for an idempotency key.
  package static func hash(ofKey key: String, of socket: String?) -> UInt64 {
    socket.map { MessageIDHash.of(($0, key)) } ?? MessageIDHash.of(key)
  }
}

extension ErasedRecord {
  /// What is left of a stanza that was not understood.
  package init(_ payload: PayloadRecord) {
    self.init(account: payload.account)
    archiveID = payload.archiveID.map { MessageIDHash.of($0) }
  }

  /// What is left of a change; nothing of it can be read.
  package init(change message: MessageRecord) {
    self.init(account: message.account)
    guard let change = message.details?.change else { return }
    archiveID = change.archiveID.map { MessageIDHash.of($0) }
    guard change.isSent else {
      var stanza = message
      (stanza.originID, stanza.stanzaID) = (nil, change.stanzaID)
      copy = stanza.copyHash
      return
    }
    (place, stanzaID) = (message.place, change.stanzaID.map { MessageIDHash.of($0) })
    guard let key = change.key else { return }
    (self.key, time) = (AccountState.hash(ofKey: key, of: message.sender?.socket), message.time)
  }

  /// The ids of a correction that changes nothing; nothing of it can be read.
  package init(unchanging message: MessageRecord) {
    self.init(message)
    isCounted = false
  }

  /// What is left of a message; nothing of it can be read.
  package init(_ message: MessageRecord) {
    self.init(account: message.account, isCounted: message.isCounted)
    place = message.place
    archiveID = message.archiveID.map { MessageIDHash.of($0) }
    guard message.mine, !message.elsewhere else {
      copy = message.copyHash
      return
    }
    stanzaID = message.stanzaID.map { MessageIDHash.of($0) }
    guard let key = message.key else { return }
    (self.key, time) = (AccountState.hash(ofKey: key, of: message.sender?.socket), message.time)
  }
}
