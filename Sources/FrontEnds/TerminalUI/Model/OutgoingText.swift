package import ConfabClient

/// A message that was sent from here and that the daemon has not stored yet. Its key makes it safe to ask again after a cut.
package struct OutgoingText: Equatable, Sendable, Identifiable {
  package let id: Int
  package fileprivate(set) var conversation: ConversationKey
  package let text: String
  /// nil: a message of its own.
  fileprivate(set) var purpose: WritingPurpose?
  /// The idempotency key.
  package let key: String
  /// How long it is kept back, in seconds; 0: not at all.
  package let holdSeconds: Int
  /// Files that go with it.
  package let paths: [String]

  /// The words that are typed to send it.
  package var typed: String {
    paths.isEmpty ? text : "/file " + TypedPath.words(paths, text)
  }
}

/// Messages that wait to be stored, in order.
package struct OutgoingQueue: Sendable {
  package private(set) var all: [OutgoingText] = []
  private var lastID = 0
  /// The newest messages with files that were stored, so that their files can be sent again.
  private var stored: [(message: UInt64, outgoing: OutgoingText)] = []

  private static let mostStored = 100

  package init() {}

  mutating func add(
    _ text: String, to conversation: ConversationKey, purpose: WritingPurpose?, key: String, holdSeconds: Int,
    paths: [String] = []
  ) -> OutgoingText {
    lastID += 1
    let outgoing = OutgoingText(
      id: lastID, conversation: conversation, text: text, purpose: purpose, key: "ui-\(key)-\(lastID)",
      holdSeconds: holdSeconds, paths: paths)
    all.append(outgoing)
    return outgoing
  }

  /// Another log: nothing that was written for the one before goes to it. It may have stored some of the texts under their keys,
  /// and the messages that others are about are not here.
  mutating func takeAll() -> [OutgoingText] {
    defer { (all, stored) = ([], []) }
    return all.map { message in
      var message = message
      message.purpose = nil
      return message
    }
  }

  /// Other accounts: calls conversations otherwise, and takes out the texts of accounts that are not the same any more.
  mutating func move(from old: AccountOwners, to new: AccountOwners) -> [OutgoingText] {
    stored = []
    let isLeft = { (message: OutgoingText) in !old.hasSameAccount(message.conversation, among: new) }
    let moved = all.map { message in
      var moved = message
      moved.conversation = old.key(message.conversation, among: new) ?? message.conversation
      return (message: moved, isLeft: isLeft(message))
    }
    all = moved.filter { !$0.isLeft }.map(\.message)
    return moved.filter(\.isLeft).map(\.message)
  }

  /// Takes out what is stored under an id.
  mutating func take(_ id: OutgoingText.ID, as message: UInt64) -> OutgoingText? {
    guard let outgoing = take(id) else { return nil }
    if !outgoing.paths.isEmpty {
      stored.append((message, outgoing))
      stored.removeFirst(max(0, stored.count - Self.mostStored))
    }
    return outgoing
  }

  /// The files of a stored message, and the text that goes with them; nil: it is not from here, or too long ago.
  func files(of message: UInt64) -> (paths: [String], text: String)? {
    stored.last { $0.message == message }.map { ($0.outgoing.paths, $0.outgoing.text) }
  }

  /// Takes out what is stored, or refused.
  mutating func take(_ id: OutgoingText.ID) -> OutgoingText? {
    guard let index = all.firstIndex(where: { $0.id == id }) else { return nil }
    return all.remove(at: index)
  }
}
