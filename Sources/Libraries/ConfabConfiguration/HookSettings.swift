package import Clocks

/// `[hook NAME]`: a program that is run for each event of some kinds.
package struct HookSettings: Equatable, Sendable {
  package var name: String
  /// The events that start it; not empty.
  package var events: [HookEvent] = []
  /// The JIDs whose conversations count, as written; empty: all do.
  package var conversations: [String] = []
  /// A command line for the shell.
  package var command = ""
  /// How long one run may take.
  package var timeout = Interval.minutes(1)
  /// How long a failing event is run again.
  package var giveUp = Interval.hours(1)

  /// So many hooks there may be.
  package static let most = 32

  package init(name: String) { self.name = name }
}

/// The events that a hook can be started by (docs/PROTOCOL.md, "Events").
package enum HookEvent: String, CaseIterable, Sendable {
  case message
  /// A message that names me in a room.
  case mention
  /// A message that the user wants to be notified of.
  case notice
  case edit, retract, reaction, state, read, draft, conversation, roster, room, invitation
  case voiceRequest = "voice-request"
  case readBy = "read-by"
  case emoticonUsed = "emoticon-used"
  case device, encryption, decrypted
  /// An account got online, or is online no more.
  case online, offline
}
