import Clocks
import Records
import State
import XML
import XMPPExtensions

// Messages that change other ones: corrections, retractions, reactions. A change is composed when it comes, and its
// record has all of the message as it stands from then on. A change of a message that is not stored waits for it.
extension Inbox {
  /// Takes a change.
  @discardableResult
  func take(_ change: consuming IncomingChange, _ way: IncomingMessage.Way) -> Taken {
    if way == .archive { change.message.depth = order.depthOfChange }
    if let sent = sentFromHere(change) {
      if change.message.isOfRoom { received.reflected(sent) }
      return (sent, nil)
    }
    let mayHaveWaited = mayHaveWaited(change.message, way)
    if let known = known(change, way) { return (known, nil) }
    if forgotten.has(change.message, way) || leaveInArchive(change.message) { return (nil, nil) }
    if !mayHaveWaited { change.message = change.message.withoutStamp(effects.now.wall) }
    let found = finder.targets(of: change.request, in: change.message.jid)
    guard !found.isEmpty else { return takeWithoutTarget(change, way) }
    guard let target = found.first(where: { change.reference.mayBe($0.message) }) else {
      return keep(change.message, way)
    }
    // The rest of it stays.
    if change.request.takesBack, finder.isPart(change.request.target, of: target) { return (nil, nil) }
    if cameAfter(change, target) { return (KnownMessage(id: target.id, record: target.message), nil) }
    var record = target.changed(by: change.request, in: inOrder(change.message, way, of: target), own: own)
    record?.owesReceipt = change.message.owesReceipt && owesReceipt(change.message, way)
    append(record, by: change, way)
    return keepRemainder(of: change, way)
  }

  /// Appends a message as a change leaves it. A correction that changes nothing leaves its ids, so that it is no new
  /// text once its message is forgotten. A change over a bound is dropped, and taken if it is offered again.
  private func append(_ record: MessageRecord?, by change: IncomingChange, _ way: IncomingMessage.Way) {
    if var record {
      guard limits.allow(change, as: record) else { return }
      encryption.bind(&record)
      storage.append(.change(record))
      if awaited.isAny, change.request.kind == .correction {
        awaited.corrected(by: change.message.stanzaID, in: change.message.jid)
      }
    } else if change.request.kind == .correction, !forgotten.hasIDs(of: change.message, way) {
      storage.append(.erased(ErasedRecord(unchanging: change.message)))
    }
  }

  private var own: String { state.record.jid }

  /// A change with its time: the server sends changes in their order, whatever our clock says of the one before. Out of
  /// the archive that holds for what came before this stream, if the times are about the same.
  private func inOrder(
    _ message: MessageRecord, _ way: IncomingMessage.Way, of target: PresentMessage
  ) -> MessageRecord {
    let last = target.lastChange(by: message.author)
    let isLive = way != .archive && !message.delayed
    guard isLive || mayFollow(message, target, last) else { return message }
    var message = message
    message.time = max(message.time, last)
    return message
  }

  private func mayFollow(_ message: MessageRecord, _ target: PresentMessage, _ last: Int64) -> Bool {
    isNews(.archive) && order.isOfEarlierStream(target.number) && last - message.time <= MessageOrder.delay.milliseconds
  }

  private func sentFromHere(_ change: IncomingChange) -> KnownMessage? {
    guard change.message.isMine, let stanzaID = change.message.stanzaID else { return nil }
    return deduplicator.sentChange(stanzaID, to: change.message.jid)
  }

  /// The change that this one is a copy of. A live one is if it says the same: a server sends a stanza again after a
  /// crash, and senders may choose an id again. In a room, a correction that its sender repeats under its id is a copy,
  /// even if the archive keeps both.
  private func known(_ change: IncomingChange, _ way: IncomingMessage.Way) -> KnownMessage? {
    let message = change.message
    return finder.changes(copiedBy: message).first {
      guard let known = $0.record.details?.change else { return false }
      if message.isOfRoom, isSaidAgain(change, $0.record, known) { return true }
      // One that waited was given its ids when it came.
      let came = known.absorbed.first?.record ?? $0.id
      if let id = message.archiveID, let knownID = known.archiveID, came >= archive.idsSince {
        return id == knownID
      }
      guard known.stanzaID == message.stanzaID, says(change.request, message.text, $0.record, known) else {
        return false
      }
      return way != .live || message.delayed || known.kind == .edit
    }
  }

  /// True if a correction in the log has the same id, and the same text for the same message.
  private func isSaidAgain(_ change: IncomingChange, _ record: MessageRecord, _ known: MessageChange) -> Bool {
    change.request.kind == .correction && change.message.stanzaID != nil && known.stanzaID == change.message.stanzaID
      && says(change.request, change.message.text, record, known)
      && finder.named(change.request.target, in: record.jid).contains { $0.id == record.target }
  }

  /// True if a message of history has this correction in it already: only its text and time tell.
  private func cameAfter(_ correction: IncomingChange, _ target: PresentMessage) -> Bool {
    guard correction.request.kind == .correction, target.message.isHistory,
      let written = finder.written(target.id), target.message.text == written.text,
      let change = written.details?.change, let edited = change.edited
    else { return false }
    let texts = change.texts.dropFirst() + [.init(time: edited, text: written.text)]
    return texts.contains {
      $0.text == correction.message.text && MessageCopy.areNear($0.time, correction.message.time)
    }
  }

  /// True if a change in the log makes the same request.
  private func says(_ request: ChangeRequest, _ text: String, _ record: MessageRecord, _ known: MessageChange) -> Bool {
    switch request.kind {
    case .correction: return known.kind == .edit && (record.text == text || known.texts.contains { $0.text == text })
    case .retraction, .moderation:
      return known.kind == .retraction
        && finder.named(request.target, in: record.jid).contains { $0.id == record.target }
    case .reactions(let emoji):
      let reactions = known.reactions.first { $0.author.isSame(as: known.author) }?.emoji ?? []
      return known.kind == .reaction && reactions == emoji
        && finder.named(request.target, in: record.jid).contains { $0.id == record.target }
    }
  }

  /// The message that it changes is not here. A correction stands for it until then, and is what other changes of it
  /// change.
  private func takeWithoutTarget(_ change: IncomingChange, _ way: IncomingMessage.Way) -> Taken {
    let isCorrection = change.request.kind == .correction
    if isCorrection, let known = deduplicator.known(change.message, way) {
      deduplicator.note(change.message, way, copyOf: known)
      return (known, nil)
    }
    let standIn = finder.standIns(for: change.request.target, in: change.message.jid)
      .first { change.reference.mayBe($0.message) }
    if let standIn { apply(change, way, to: standIn) }
    if isCorrection { return standIn == nil ? keepCorrection(change, way) : (nil, nil) }
    keepStanza(change, way)
    return keepRemainder(of: change, way)
  }

  /// Changes what stands for the message that it is about.
  private func apply(_ change: IncomingChange, _ way: IncomingMessage.Way, to standIn: PresentMessage) {
    var message = inOrder(change.message, way, of: standIn)
    // A change that waits as a stanza, too, is known by that.
    if change.request.kind != .correction { (message.stanzaID, message.archiveID) = (nil, nil) }
    append(standIn.changed(by: change.request, in: message, own: own), by: change, way)
  }

  /// A correction becomes a message that stands for the one that it corrects.
  private func keepCorrection(_ change: IncomingChange, _ way: IncomingMessage.Way) -> Taken {
    var message = change.message
    if message.stanzaID != change.request.target {
      var details = message.details ?? MessageDetails()
      details.replaces = change.request.target
      message.details = details
    }
    return keep(message, way)
  }

  /// Another change waits for its message as a stanza.
  private func keepStanza(_ change: IncomingChange, _ way: IncomingMessage.Way) {
    guard let payload = change.payload, way != .archive || !forgotten.has(payload) else { return }
    keep(payload, of: change.element)
  }

  private func keepRemainder(of change: IncomingChange, _ way: IncomingMessage.Way) -> Taken {
    guard !change.remainder.isEmpty, case .reactions = change.request.kind else { return (nil, nil) }
    var message = change.message
    message.text = change.remainder
    return keep(message, way)
  }

  private func keep(_ message: MessageRecord, _ way: IncomingMessage.Way) -> Taken {
    guard !message.text.isEmpty else { return (nil, nil) }
    if way == .archive { return take(archived: message) }
    return (nil, take(message, way) ? message : nil)
  }
}
