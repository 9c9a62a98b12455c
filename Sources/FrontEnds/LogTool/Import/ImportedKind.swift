import ConfabClient
import Records

// The kind of a conversation, as lines of a file name it: `"kind":"room"`, or `"kind":"private"` of an occupant's. Lines of
// conversations with people have none.

extension ConversationKind {
  /// Nil: with a person.
  var word: String? {
    switch self {
    case .person: nil
    case .room: "room"
    case .occupant: "private"
    }
  }
}

extension ImportedObject {
  func kind() throws(LineProblem) -> ConversationKind {
    let word = try name("kind")
    guard let kind = [ConversationKind.person, .room, .occupant].first(where: { $0.word == word }) else {
      throw LineProblem("'kind' is \(TerminalText.quoted(word ?? "")); expected room or private")
    }
    return kind
  }
}

extension MessageRecord {
  /// Notes who wrote a message: in a room by the nick, and by the id that the room gave its occupant.
  mutating func setAuthor(_ sender: ImportedSender, _ kind: ConversationKind, occupant id: String?) {
    let occupant = Occupant(nick: sender.nick, id: id)
    author = sender.isMe ? .otherDevice : kind == .room ? .occupant(occupant) : .person
    isOfRoom = kind == .room
    isInPrivate = kind == .occupant
    if kind == .occupant { occupantID = id }
  }
}
