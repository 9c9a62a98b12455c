import Records
import State
import XMPPCore
import XMPPExtensions

/// A stanza's reference to another message, by any of its ids: its stanza's id, its origin-id, its id in our archive, the
/// id of a correction of it. Changes, receipts, markers and errors all refer so. The stanza's sender decides in which
/// conversation the message may be and who may have written it, whichever way the stanza came. If the message is not
/// stored, the reference waits for it (`WaitingReferences`).
struct Reference: Equatable {
  /// The conversation's bare JID.
  let conversation: String
  /// The possible author of the message; nil: anybody.
  let author: Author?
  let id: String

  init(_ conversation: String, _ author: Author?, _ id: String) {
    (self.conversation, self.author, self.id) = (conversation, author, id)
  }

  /// The reference of a change: only its author may change a message, but both sides react, and a room moderates. In a
  /// conversation of two,
  /// one side is the conversation's bare JID, and the other is mine.
  init(_ request: ChangeRequest, in message: MessageRecord) {
    let author: Author? =
      switch request.kind {
      case .reactions, .moderation: nil
      case .correction, .retraction: message.author
      }
    self.init(message.jid, author, request.target)
  }

  /// The reference of a signal; nil if its sender may not send it about any message. A contact may acknowledge messages
  /// that I wrote to it, and another device of mine reports those that it displayed.
  ///
  /// - Parameters:
  ///   - to: the recipient of the stanza, if this is a copy of it.
  ///   - own: my bare JID.
  ///   - isRoom: true of the bare JID of a room, whose occupants have conversations of their own.
  init?(_ signal: MessageSignal, from: JID, to: JID?, own: String, isRoom: (String) -> Bool) {
    guard let id = signal.referredID else { return nil }
    let sender = from.bare.description
    guard sender == own else {
      self.init(isRoom(sender) ? from.description : sender, .thisDevice, id)
      return
    }
    guard case .displayed = signal, let jid = to?.bare.description, jid != own else { return nil }
    self.init(jid, .person, id)
  }

  /// The hash by which it waits.
  var hash: UInt64 { MessageIDHash.ofNamed(id, in: conversation) }

  /// True if it may be about this message, as far as the author tells.
  func mayBe(_ message: MessageRecord) -> Bool { message.jid == conversation && mayBe(by: message.author) }

  /// True if it may be about a message or change by this author.
  func mayBe(by other: Author) -> Bool { author.map { $0.isSame(as: other) } ?? true }
}

extension MessageSignal {
  /// The id of the message that it is about.
  var referredID: String? {
    switch self {
    case .delivered(let id), .displayed(let id), .failed(let id, _): id
    case .chatState: nil
    }
  }
}
