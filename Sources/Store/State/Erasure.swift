package import MessageLog
package import Records

/// Finds what `confab log scrub` takes out of a log: all that it says of people who were forgotten, up to when they
/// were.
package struct Erasure {
  private let state: State
  /// The record with a number; nil where it cannot be read.
  private let record: (UInt64) -> Record?
  /// Messages that still wait to be sent.
  private let waiting: Set<UInt64>
  /// Messages that were erased.
  package private(set) var count = 0
  /// The erased messages with files.
  package private(set) var withFiles: Set<UInt64> = []
  /// Other records of which something was erased.
  package private(set) var otherCount = 0
  /// Messages that were forgotten and stay, since they wait to be sent.
  package private(set) var keptCount = 0

  /// - Parameter record: reads the record with a number; nil where it cannot be read.
  package init(_ state: State, record: @escaping (UInt64) -> Record?) {
    (self.state, self.record) = (state, record)
    waiting = Set(state.accounts.all.flatMap { $0.outbox.entries.map(\.id) + $0.outbox.held.keys })
  }

  /// Nothing was forgotten.
  package var isEmpty: Bool { state.accounts.all.allSatisfy(\.forgotten.isEmpty) }

  /// The replacement of a record that is erased; nil for one that stays.
  package mutating func replacement(of frame: borrowing LogFrame) -> Replacement? {
    guard let record = Record(reading: frame) else { return nil }
    if case .stream(let stream) = record {
      return replacement(of: stream, frame.sequence, byteCount: frame.payloadCount)
    }
    guard let left = left(of: record, frame.sequence) else { return nil }
    guard !waiting.contains(frame.sequence) else {
      keptCount += 1
      return nil
    }
    guard let payload = left.payload(of: frame.payloadCount) else { return nil }
    if case .message(let message) = record {
      count += 1
      if message.details?.files.isEmpty == false { withFiles.insert(frame.sequence) }
    } else {
      otherCount += 1
    }
    return Replacement(kind: RecordKind.erased.rawValue, payload: payload)
  }

  /// The record of a stream without the presences of forgotten people. A resource that is still present loses only its
  /// status.
  private mutating func replacement(of stream: StreamRecord, _ id: UInt64, byteCount: Int) -> Replacement? {
    guard let account = state.accounts[stream.account], !account.forgotten.isEmpty else { return nil }
    var left = stream
    left.presences = stream.presences.compactMap { presence in
      guard account.forgotten.hidesTraces(of: presence.jid, id) else { return presence }
      let present = account.stream?.presences.resources(of: presence.jid) ?? []
      guard present.contains(where: { $0.name == presence.resource }) else { return nil }
      var presence = presence
      presence.status = ""
      return presence
    }
    guard left != stream, let payload = left.payload(of: byteCount) else { return nil }
    otherCount += 1
    return Replacement(kind: RecordKind.stream.rawValue, payload: payload)
  }

  /// The rest of a record that goes: messages, what was to become one, what an error or a stanza that was not
  /// understood may have repeated of them, addresses of their files, and nicknames that nobody has now.
  private func left(of record: Record, _ id: UInt64) -> ErasedRecord? {
    switch record {
    case .message(let message): return state.isForgotten(message, id: id) ? ErasedRecord(message) : nil
    case .change(let message): return state.isForgotten(message, id: id) ? ErasedRecord(change: message) : nil
    case .draft(let draft):
      let account = state.accounts[draft.account]
      let isCurrent = draft.text.isEmpty || account?.conversations[draft.jid]?.draft == draft.text
      return account?.forgotten.hides(id, of: draft.jid) == true && !isCurrent
        ? ErasedRecord(account: draft.account) : nil
    case .delivery(let delivery):
      guard delivery.failure?.text != nil, !waiting.contains(delivery.id),
        state.accounts[delivery.account]?.forgotten.hides(delivery.id, of: delivery.jid) == true
      else { return nil }
      return ErasedRecord(account: delivery.account)
    case .payload(let payload):
      guard state.names(payload, id: id) else { return nil }
      return ErasedRecord(payload)
    case .nickname(let nickname):
      guard let account = state.accounts[nickname.account], account.forgotten.hidesTraces(of: nickname.jid, id)
      else { return nil }
      let current = account.contacts.nicknames[nickname.jid]
      return current == nil || current != nickname.nickname ? ErasedRecord(account: nickname.account) : nil
    case .upload(let upload): return goes(upload) ? ErasedRecord(account: upload.account) : nil
    default: return nil
    }
  }

  /// True if the address of a file is erased: its message is erased, or will be.
  private func goes(_ upload: UploadRecord) -> Bool {
    guard state.accounts[upload.account]?.forgotten.isEmpty == false, !waiting.contains(upload.id) else { return false }
    switch record(upload.id) {
    case .message(let message)?: return state.isForgotten(message, id: upload.id)
    case .erased?: return true
    default: return false
    }
  }
}

extension ErasedRecord {
  /// Makes the rest of an erased stanza that was not understood.
  package init(_ payload: PayloadRecord) {
    self.init(account: payload.account)
    archiveID = payload.archiveID.map { MessageIDHash.of($0) }
  }

  /// Makes the rest of an erased change; nothing of it can be read.
  package init(change message: MessageRecord) {
    self.init(account: message.account)
    step = message.step?.withoutMessage
    guard let change = message.details?.change else { return }
    archiveID = change.archiveID.map { MessageIDHash.of($0) }
    guard change.isSent else {
      var stanza = message
      (stanza.originID, stanza.stanzaID) = (nil, change.stanzaID)
      copy = stanza.copyHash
      return
    }
    leaveSending(of: message, change.stanzaID, key: change.key)
  }

  /// The ids of a correction that changes nothing; nothing of it can be read.
  package init(unchanging message: MessageRecord) {
    self.init(message)
    isCounted = false
  }

  /// Makes the rest of an erased message; nothing of it can be read.
  package init(_ message: MessageRecord) {
    self.init(account: message.account, isCounted: message.isCounted)
    step = message.step?.withoutMessage
    archiveID = message.archiveID.map { MessageIDHash.of($0) }
    guard message.isFromHere else {
      (place, copy) = (message.place, message.copyHash)
      return
    }
    leaveSending(of: message, message.stanzaID, key: message.key)
  }

  private mutating func leaveSending(of message: MessageRecord, _ stanzaID: String?, key: String?) {
    (place, self.stanzaID) = (message.place, stanzaID.map { MessageIDHash.of($0) })
    guard let key else { return }
    (self.key, time) = (MessageIDHash.of(key: key, of: message.sender?.socket), message.time)
  }
}
