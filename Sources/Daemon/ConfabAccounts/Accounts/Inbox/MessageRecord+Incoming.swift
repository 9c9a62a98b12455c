import Clocks
import Records
import XML
import XMPPCore
import XMPPExtensions

extension MessageParts {
  /// The id that its sender gave it, where that is another than the stanza's own. Makes no string where it is not.
  func originID(of message: Element, besides stanzaID: String?) -> String? {
    guard let originID = only(.originID) else { return nil }
    if let stanzaID, message[originID].attribute(.id, equals: stanzaID) { return nil }
    return StanzaIDs.id(in: message[originID])
  }

  /// The text of a message; nil for an empty body without a subject.
  func text(of message: Element, _ body: Element.Position) -> String? {
    let text = message[body].text
    guard text.isEmpty else { return text }
    return self[.subject].map { message[$0].text.isEmpty } ?? true ? nil : text
  }

  /// The id that our archive gave it, or that is claimed in its name; nil if there is no archive.
  func archiveID(of message: Element, to recipient: IncomingMessage.Recipient) -> String? {
    guard recipient.archiveIDs != .ignored, has(.stanzaID) else { return nil }
    return StanzaIDs.stanzaID(of: message, by: recipient.archive)
  }
}

extension MessageRecord {
  /// Subject, thread, language, styling, stamps, ids and what is not understood. Most messages have little of it.
  mutating func addDetails(
    _ parts: MessageParts, of element: Element, body: Element.Position?, to recipient: IncomingMessage.Recipient
  ) {
    if let subject = parts[.subject] { self.subject = element[subject].text }
    if let thread = parts[.thread] { self.thread = element[thread].text }
    if let language = body.flatMap({ element[$0].language }) ?? element.language { self.language = language }
    if parts.has(.unstyled) { isUnstyled = true }
    if parts.has(.delay) {
      let delay = DelayStamp(of: element, own: recipient.stamper)
      setTime(delay.time, Timestamp(milliseconds: self.time))
      claimedTime = delay.claimed?.milliseconds
    }
    if let originID = parts.originID(of: element, besides: stanzaID) { self.originID = originID }
    if parts.has(.stanzaID) { noteArchiveID(parts, of: element, to: recipient) }
    if parts.has(.receiptRequest) || parts.has(.markable) { noteRequests(parts) }
    if parts.hasMoreToText { addTexts(parts, of: element) }
    if text.isEmpty { addWords() }
    if parts.hasUnstored { payloads = UnknownPayloads.of(element) }
  }

  /// The subject stands in place of a text that is not there.
  private mutating func addWords() {
    guard let subject, !subject.isEmpty, details?.plain == nil else { return }
    var details = details ?? MessageDetails()
    details.plain = subject
    self.details = details
  }

  private mutating func noteArchiveID(
    _ parts: MessageParts, of element: Element, to recipient: IncomingMessage.Recipient
  ) {
    guard let id = parts.archiveID(of: element, to: recipient) else { return }
    if recipient.archiveIDs == .trusted { archiveID = id } else { claimedArchiveID = id }
  }

  private mutating func noteRequests(_ parts: MessageParts) {
    guard !isMine, let stanzaID, (1...DeliveryReceipt.longestID).contains(stanzaID.utf8.count) else { return }
    if parts.has(.receiptRequest) { owesReceipt = true }
    if parts.has(.markable) { isMarkable = true }
  }

  /// Takes a stamp of somebody who may set one. One from the future, by a wrong clock or a forger, would stand at the
  /// end for good: it counts as now.
  mutating func setTime(_ stamp: Timestamp?, _ now: Timestamp) {
    guard let stamp else { return }
    time = min(stamp.milliseconds, now.milliseconds)
    delayed = true
  }
}
