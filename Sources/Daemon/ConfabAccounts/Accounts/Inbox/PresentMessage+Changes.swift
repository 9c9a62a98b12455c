package import Clocks
package import Records
package import XMPPExtensions

extension PresentMessage {
  /// When it was edited last, or one side reacted to it, in milliseconds since 1970; 0: never.
  package func lastChange(by author: Author) -> Int64 {
    let change = message.details?.change
    return max(change?.edited ?? 0, change?.reactions.first { $0.author.isSame(as: author) }?.time ?? 0)
  }

  /// The message after a change, to be written; nil if it stays as it is: it was retracted, or what it says is newer.
  ///
  /// - Parameters:
  ///   - message: what brings the change; of a correction the new text.
  ///   - own: my bare JID.
  package func changed(by request: ChangeRequest, in message: MessageRecord, own: String) -> MessageRecord? {
    guard self.message.details?.change?.retraction == nil else { return nil }
    let author = message.isMine ? own : message.isOfRoom ? message.peer : message.jid
    switch request.kind {
    case .correction: return edited(by: message)
    case .retraction(let reason), .moderation(let reason):
      return retracted(.init(time: message.time, by: author, reason: reason), by: message)
    case .reactions(let emoji):
      var reactions = MessageChange.Reactions(from: author, time: message.time)
      (reactions.author, reactions.depth, reactions.emoji) = (message.author, message.depth, emoji)
      return reacted(reactions, by: message)
    }
  }

  private func edited(by message: MessageRecord) -> MessageRecord? {
    let before = self.message.details?.change
    // A message that stands for one that is not here is a correction itself.
    let standIn = self.message.details?.replaces == nil ? nil : self.message.changePlace
    if let last = before?.editPlace ?? standIn, message.changePlace < last {
      return rewritten(.edit, by: message) { _, _, change in
        change.texts = [.init(time: message.time, text: message.text, depth: message.depth)]
      }
    }
    return rewritten(.edit, by: message) { record, details, change in
      (record.text, record.subject, record.language) = (message.text, message.subject, message.language)
      (record.payloads, record.isUnstyled) = (message.payloads, message.isUnstyled)
      details.correct(self.message.text, by: message)
      (details.seal, details.unreadable) = (message.details?.seal, message.details?.unreadable)
      (change.edited, change.editedDepth, change.earlier) = (message.time, message.depth, number)
    }
  }

  private func retracted(_ retraction: MessageChange.Retraction, by message: MessageRecord) -> MessageRecord {
    rewritten(.retraction, by: message) { record, details, change in
      (record.text, record.subject, record.thread, record.language, record.payloads) = ("", nil, nil, nil, [])
      record.isUnstyled = false
      details = MessageDetails()
      (change.retraction, change.reactions) = (retraction, [])
      (change.edited, change.editedDepth, change.earlier, change.furtherTexts) = (nil, 0, 0, 0)
    }
  }

  private func reacted(_ reactions: MessageChange.Reactions, by message: MessageRecord) -> MessageRecord? {
    let before = self.message.details?.change?.reactions.first { $0.from == reactions.from }
    if let before, before.emoji == reactions.emoji || reactions.place < before.place { return nil }
    if before == nil, reactions.emoji.isEmpty { return nil }
    return rewritten(.reaction, by: message) { _, _, change in
      guard let index = change.reactions.firstIndex(where: { $0.from == reactions.from }) else {
        return change.reactions.append(reactions)
      }
      change.reactions[index] = reactions
    }
  }

  /// The message, which was unreadable, with what it says.
  func opened(by message: MessageRecord) -> MessageRecord {
    rewritten(.opened, by: message) { record, details, change in
      (record.text, record.subject, record.language) = (message.text, message.subject, message.language)
      (record.payloads, record.isUnstyled) = (message.payloads, message.isUnstyled)
      let before = details.change
      details = message.details ?? MessageDetails()
      details.change = before
      (change.stanzaID, change.archiveID) = (nil, nil)
    }
  }

  /// The message, which was changed while it waited, as it has left.
  ///
  /// - Parameter sealed: its record, encrypted.
  func encrypted(as sealed: MessageRecord) -> MessageRecord {
    rewritten(.encrypted, by: message) { _, details, change in
      details.seal = sealed.details?.seal
      (change.stanzaID, change.archiveID) = (nil, nil)
    }
  }

  /// The message, which is kept back, as it is to leave.
  ///
  /// - Parameters:
  ///   - time: when it leaves.
  ///   - text: its new text; nil: it stays.
  ///   - request: says when that was asked for.
  package func rescheduled(to time: Timestamp, text: String?, by request: MessageRecord) -> MessageRecord {
    rewritten(.rescheduled, by: request) { record, details, change in
      record.heldUntil = time.milliseconds
      (change.stanzaID, change.archiveID) = (nil, nil)
      guard let text else { return }
      // A quotation stays before the new text, and messages inside stay behind it.
      details.plain = details.plain.map { plain in
        details.forwarded.isEmpty
          ? plain.dropLast(record.text.count) + text
          : text + (record.text.isEmpty ? "\n" : "") + plain.dropFirst(record.text.count)
      }
      record.text = text
    }
  }

  /// The message as it stood in a record before the last change of its text, with what happened to it since then.
  ///
  /// - Parameter message: says who takes the change back, and when.
  func restored(to earlier: MessageRecord, _ number: UInt64, by message: MessageRecord) -> MessageRecord {
    let wasRetracted = self.message.details?.change?.retraction != nil
    return rewritten(.edit, by: message) { record, details, change in
      (record.text, record.subject, record.thread) = (earlier.text, earlier.subject, earlier.thread)
      (record.language, record.payloads) = (earlier.language, earlier.payloads)
      record.isUnstyled = earlier.isUnstyled
      details = earlier.details ?? MessageDetails()
      let before = details.change
      (change.edited, change.editedDepth) = (before?.edited, before?.editedDepth ?? 0)
      (change.earlier, change.retraction) = (before?.earlier ?? 0, nil)
      guard wasRetracted, let before else { return }
      change.reactions = before.reactions
      change.furtherTexts = before.texts.isEmpty ? before.furtherTexts : number
    }
  }

  /// The message with what more is known of its files; of mine, the addresses stand in its body.
  ///
  /// - Parameter files: all of them (`MessageDetails.files`).
  func withFiles(_ files: [Attachment]) -> MessageRecord {
    rewritten(.files, by: message) { record, details, change in
      let wereUploaded = record.isFromHere && details.attachments.contains { $0.url.isEmpty }
      details.files = files
      if wereUploaded { details.plain = record.text + details.attachments.addresses(behind: record.text) }
      (change.stanzaID, change.archiveID) = (nil, nil)
    }
  }

  /// The message without what was true of its last record alone.
  private func rewritten(
    _ kind: MessageChange.Kind, by message: MessageRecord,
    _ body: (inout MessageRecord, inout MessageDetails, inout MessageChange) -> Void
  ) -> MessageRecord {
    var record = self.message
    (record.target, record.place, record.expires, record.heldUntil, record.sender) = (id, nil, nil, nil, nil)
    (record.step, record.isSealed) = (nil, false)
    (record.isCounted, record.owesReceipt, record.transmitted) = (false, false, false)
    var details = record.details ?? MessageDetails()
    var change = details.change ?? MessageChange(kind)
    (change.kind, change.author, change.time, change.previous) = (kind, message.author, message.time, number)
    (change.stanzaID, change.archiveID) = (message.stanzaID, message.archiveID)
    (change.isSent, change.key, change.absorbed, change.editIDs, change.references) = (false, nil, [], [], [])
    if !change.texts.isEmpty { (change.texts, change.furtherTexts) = ([], number) }
    body(&record, &details, &change)
    details.change = change
    record.details = details
    return record
  }
}

extension MessageDetails {
  /// Applies the details of a correction. Forwarded messages and files replace the previous ones, if the correction
  /// brings any; else those stay, apart from files whose addresses the text no longer has.
  fileprivate mutating func correct(_ text: String, by correction: MessageRecord) {
    let new = correction.details ?? MessageDetails()
    let inside = new.forwarded.isEmpty ? forwarded : []
    let files = attachments.filter { file in
      new.attachments.isEmpty && (!text.contains(file.url) || correction.text.contains(file.url))
    }
    let body = ForwardedText.whole(new.plain ?? correction.text, inside, files)
    plain = body == correction.text ? nil : body
    (forwarded, attachments) = (new.forwarded + inside, new.attachments + files)
    if let reply = new.reply { self.reply = reply }
    (unreadable, spoiler) = (new.unreadable, new.spoiler)
  }
}
