import Records
import State

// A message that cannot be read has its text where a copy of it can. It may leave as two stanzas under one id, each for
// the devices that read one version of OMEMO: one of them is not for this device, and no message of its own
// (docs/decisions/0195-one-version-a-device.md).
extension Inbox {
  /// Takes an encrypted message of whose two stanzas the other one is here; false: there is no other one.
  func takeSecondHalf(_ message: MessageRecord) -> Bool {
    guard let seal = message.details?.seal, let id = message.stanzaID,
      seal.unreadable == nil ? seal.version != nil : seal.unreadable == .notForThisDevice,
      deduplicator.hasSealed(id, in: message.jid)
    else { return false }
    let others = finder.named(id, in: message.jid).filter {
      $0.message.details?.seal != nil && message.isByAuthor(of: $0.message)
    }
    guard seal.unreadable == nil else { return !others.isEmpty }
    guard let half = others.first(where: { $0.message.details?.seal?.unreadable != nil }) else { return false }
    open(half, by: message)
    return true
  }

  /// A copy of a message that could not be read says what it says, and any copy whether it was encrypted.
  func open(_ known: KnownMessage, by copy: MessageRecord) {
    encryption.noteEncrypted(copy)
    guard let seal = copy.details?.seal, seal.version != nil, seal.unreadable == nil,
      let present = finder.present(known.id, known.record), present.message.details?.seal?.unreadable != nil
    else { return }
    open(present, by: copy)
  }

  private func open(_ present: PresentMessage, by message: MessageRecord) {
    var record = present.opened(by: message)
    encryption.bind(&record)
    storage.append(.change(record))
    deduplicator.notePending(KnownMessage(id: present.id, record: record))
  }
}
