package import Clocks

/// `[hook NAME]`: a command that the daemon runs for each event of some kinds.
package struct HookSettings: Equatable, Sendable {
  package var name: String
  /// The events that start it; not empty.
  package var events: [HookEvent] = []
  /// The JIDs of the conversations that count, as written; empty for all.
  package var conversations: [String] = []
  /// A command line for the shell.
  package var command = ""
  /// The longest duration of one run.
  package var timeout = Interval.minutes(1)
  /// The time after its first failure at which an event is given up.
  package var giveUp = Interval.hours(1)

  /// The greatest number of hooks.
  package static let most = 32

  package init(name: String) { self.name = name }
}

/// The events that can start a hook (docs/PROTOCOL.md, "Events").
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
  /// An account went online or offline.
  case online, offline
}
