package import ConfabClient

/// An event that a line of the daemon means beyond the change of the model.
package enum ModelEvent: Equatable, Sendable {
  /// The daemon has greeted; all is asked for.
  case ready
  /// It has another log than before: ids of before mean nothing.
  case otherLog
  /// Behind `ready`: it is known whose accounts the daemon has.
  case ownersKnown
  /// Accounts are new or gone, or belong to somebody else: conversations are called otherwise, or are gone.
  case otherOwners(AccountOwners, AccountOwners)
  /// The other end speaks no protocol that we know.
  case stranger(String)
  /// A message came that is worth a notice.
  case notice(ConversationKey, MessageRow)
  /// A message was added to a conversation.
  case message(ConversationKey, MessageRow)
  /// A message was changed.
  case changed(ConversationKey, MessageRow, RowChange)
  /// A message that was asked about, as it is.
  case current(ConversationKey, MessageRow)
  /// Messages of a conversation, or of all, may have been changed or forgotten without an event of each.
  case doubtful(ConversationKey?)
  /// A message that was asked about is not there any more.
  case forgotten(ConversationKey, UInt64)
  /// A message of mine that is not held here was not delivered, and why, as the daemon says it.
  case undelivered(ConversationKey, reason: String?)
  /// A message of ours is stored under an id.
  case stored(OutgoingText, UInt64)
  /// A message was taken back before it went out.
  case takenBack(ConversationKey, String)
  /// It could not be stored; the text goes back to the input.
  case refused(OutgoingText, String)
  /// A file is here: its descriptor came with the line.
  case fetched(WantedFile, ConversationKey)
  /// The avatar that somebody has, by its hash: its descriptor came with the line; empty: none is here.
  case avatar(ConversationKey, String)
  /// Something that was asked was refused: a sentence.
  case failed(String)
  /// A page, a list or a search came in.
  case loaded(SocketQuestions.Purpose)
  /// The shared draft of a conversation changed elsewhere.
  case draft(ConversationKey, String)
  /// Somebody invites me to a room, and why.
  case invited(ConversationKey, by: String, reason: String)
  /// A room has another state.
  case roomChanged(ConversationKey)
  /// A room has taken me out.
  case removed(ConversationKey)
  /// A join failed, with the reason.
  case notJoined(ConversationKey, String)
  /// Somebody asks for the right to speak in a room of mine.
  case askedToSpeak(ConversationKey, String)
  /// A device of somebody, or one of mine, is new, or its key or trust changed: a sentence.
  case device(ConversationKey, String)
  /// Somebody asks to be a contact.
  case asked(ContactRow)
  /// Somebody whom I asked before asks to be a contact, and is accepted.
  case accepted(ContactRow)
  /// The message before which a jump to a time leads; nil: there is none, so it leads to the first.
  case found(ConversationKey, UInt64?)
}
