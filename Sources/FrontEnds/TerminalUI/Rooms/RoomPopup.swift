package import ConfabClient

/// A pop-up about rooms.
package enum RoomPopup: Equatable, Sendable {
  /// The facts about a room, and the things that can be done with it.
  case menu(ConversationKey)
  case occupants(ConversationKey)
  /// One of them; whoever has the nick later is another.
  case occupant(ConversationKey, nick: String, identity: String?)
  /// The topic whole.
  case topic(ConversationKey)
  /// Chooses whether comings and goings are shown.
  case noise(ConversationKey)
  case invitation(ConversationKey)
  case voiceRequest(ConversationKey, nick: String)
  /// A room that is not there, and could be made.
  case missing(ConversationKey)
  /// The rooms that a service lists.
  case service(ConversationKey)
  /// One of these: what it says of itself, before anybody joins it.
  case listed(ConversationKey)
  /// The configuration of a room.
  case form(ConversationKey)
  /// The choices of one of its fields.
  case field(ConversationKey, name: String, label: String)

  /// - Parameter name: how a room is called.
  func title(_ name: (ConversationKey) -> String) -> String {
    switch self {
    case .menu(let key), .listed(let key): name(key) == key.jid ? key.jid : "\(name(key))  \(key.jid)"
    case .occupants(let key): "Who is in \(name(key)): type a part of a nick"
    case .topic(let key): "The topic of \(name(key))"
    case .occupant(let key, let nick, _): "\(nick) in \(name(key))"
    case .noise(let key): "Comings and goings in \(name(key))"
    case .invitation(let key): "You are invited to \(name(key))"
    case .voiceRequest(let key, let nick): "\(nick) asks to speak in \(name(key))"
    case .missing(let key): "There is no room \(key.jid)"
    case .service(let key): "Rooms of \(key.jid): type a part of a name"
    case .form(let key): "Configuration of \(name(key)): type a part of a field"
    case .field(_, _, let label): label
    }
  }

  /// True if letters narrow the list.
  var hasInput: Bool {
    switch self {
    case .occupants, .service, .form: true
    default: false
    }
  }

  var hints: String {
    switch self {
    case .occupants: "Enter chooses · Tab names them in the text · Esc back"
    case .topic: "Esc back"
    case .form: "Enter changes · the first row saves · Esc back"
    default: "Enter chooses · Esc back"
    }
  }
}

/// A question about a room, with a text for an answer.
package enum RoomQuestion: Equatable, Sendable {
  case topic, invite, nick, password
  /// The name of a room that is being made.
  case name(membersOnly: Bool)
  /// A field of its configuration.
  case field(name: String, label: String)

  var title: String {
    switch self {
    case .topic: "The topic"
    case .invite: "Invite: an address or a name, then a text"
    case .nick: "Your nick in the room"
    case .password: "The room has a password"
    case .name(let isForMembers): "A name for the new room" + (isForMembers ? ", for members only" : "")
    case .field(_, let label): label
    }
  }
}

/// An action on a room beyond a request to the daemon.
package enum RoomIntent: Equatable, Sendable {
  /// Names an occupant in the text that is being written.
  case mention(ConversationKey, nick: String)
  /// Asks for the configuration, and shows it.
  case configure(ConversationKey)
  /// Sets a field of the configuration that is shown; nothing is sent yet.
  case set(ConversationKey, name: String, values: [String])
  case save(ConversationKey)
  /// Closes the form, and with it what was changed and not saved.
  case drop
  /// Asks a service for its rooms, and shows them.
  case list(ConversationKey)
  /// Asks what a room says of itself, and shows it.
  case look(ConversationKey)
}
