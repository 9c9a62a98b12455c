import Records
import Testing

@Suite("Who said it")
struct AuthorTests {
  private static let ann = Occupant(nick: "ann", id: "1", presence: 7)
  private static let authors: [Author] = [
    .thisDevice, .otherDevice, .person, .occupant(ann), .occupant(Occupant(nick: "bob")),
  ]

  @Test("both devices of mine are one person, and nobody else is")
  func devices() {
    #expect(Author.thisDevice.isSame(as: .otherDevice))
    for one in Self.authors {
      for other in Self.authors where one.isMe != other.isMe { #expect(!one.isSame(as: other)) }
    }
  }

  @Test(
    "the room's word tells occupants, else one presence under one nick; a nick alone tells nothing",
    arguments: [
      (Occupant(nick: "ann", id: "1"), true), (Occupant(nick: "anna", id: "1", presence: 9), true),
      (Occupant(nick: "ann", id: "2", presence: 7), false), (Occupant(nick: "ann", presence: 7), true),
      (Occupant(nick: "anna", presence: 7), false), (Occupant(nick: "ann", presence: 8), false),
      (Occupant(nick: "ann"), false),
    ])
  func occupants(other: Occupant, isSame: Bool) {
    #expect(Self.ann.isSame(as: other) == isSame)
    #expect(other.isSame(as: Self.ann) == isSame)
    #expect(Author.occupant(Self.ann).isSame(as: .occupant(other)) == isSame)
  }

  @Test("a copy may lack the room's word, but not have another one; without it, it has the nick")
  func copies() {
    let ann = Author.occupant(Self.ann)
    #expect(Author.occupant(Occupant(nick: "ann")).mayBeCopied(from: ann))
    #expect(Author.occupant(Occupant(nick: "anna", id: "1")).mayBeCopied(from: ann))
    #expect(!Author.occupant(Occupant(nick: "ann", id: "2")).mayBeCopied(from: ann))
    #expect(!Author.occupant(Occupant(nick: "bob")).mayBeCopied(from: ann))
    #expect(!Author.person.mayBeCopied(from: ann))
  }

  @Test("a record keeps its author, and with it the kind of its conversation", arguments: authors)
  func records(author: Author) throws {
    var message = MessageRecord(account: 1, jid: "r@x", peer: "r@x/ann", time: 1)
    if case .occupant(let occupant) = author { message.peer = "r@x/\(occupant.nick)" }
    message.author = author
    guard case .message(let read) = try Record(kind: 24, payload: encoded(.message(message))) else {
      Issue.record("another record")
      return
    }
    #expect(read.author == author)
    #expect(read.kind == (author.isMe || author == .person ? .person : .room))
  }

  @Test("a conversation with one occupant is named by a full JID")
  func privateConversations() {
    var message = MessageRecord(account: 1, jid: "r@x/ann", peer: "r@x/ann", time: 1)
    message.isInPrivate = true
    #expect(message.kind == .occupant && message.author == .occupant(Occupant(nick: "ann")))
  }

  @Test("changes and reactions keep their authors", arguments: authors)
  func changes(author: Author) throws {
    var message = MessageRecord(account: 1, jid: "r@x", peer: "r@x/ann", time: 1)
    var change = MessageChange(.reaction)
    change.author = author
    change.reactions = [.init(from: "r@x/ann", time: 2)]
    change.reactions[0].author = author
    message.details = MessageDetails()
    message.details?.change = change
    #expect(try Record(kind: 33, payload: encoded(.change(message))) == .change(message))
    let isKnown = author != .occupant(Occupant(nick: "bob"))
    #expect(change.author.isSame(as: author) == isKnown)
    #expect(change.reactions[0].author.isSame(as: author) == isKnown)
  }
}
