import ConfabClient
import JSON
import LineProtocol
import Testing

@testable import TerminalUI

@Suite("What actions mean for a message")
struct MessageActionsTests {
  private static let bob = ConversationKey(jid: "bob@example.org")

  /// - Parameter select: the id of the message that is selected.
  private func actions(
    _ messages: [String], select id: UInt64? = nil, fetches: FileFetches = FileFetches(), moreBefore: Bool = false
  ) throws -> MessageActions {
    var window = RowWindow()
    window.ask(.newest)
    for text in messages {
      let object = try JSONParser.parse(Array(text.utf8), maximumDepth: 9)
      window.receive(try #require(MessageRow(object)))
    }
    window.finish(count: messages.count, firstRow: 0, moreBefore: moreBefore, moreAfter: false)
    var view = ConversationView(Self.bob)
    view.settle(window, RowGeometry(count: messages.count, height: 10) { _ in 1 })
    if let id { view.choose(id) }
    return MessageActions(view: view, window: window, name: "Bob", fetches: fetches)
  }

  private static let talk = [
    Harness.message(1, "hello https://example.org/", mine: true, opens: true), Harness.message(2, "how are you?"),
    Harness.message(3, "fien", mine: true),
  ]

  @Test("without a selection an action concerns the newest message that it can be meant for")
  func newest() throws {
    let actions = try actions(Self.talk)
    #expect(actions.intent(.reply) == .write(.reply(2, author: "Bob", text: "how are you?")))
    #expect(actions.intent(.react) == .popup(.react(Self.bob, 2)))
    #expect(actions.intent(.forward) == .popup(.forward(2, "how are you?")))
    #expect(actions.intent(.copy) == .copy("fien"))
    guard case .correct(let row)? = actions.intent(.correct) else { return #expect(Bool(false)) }
    #expect(row.id == 3)
    guard case .popup(.targets(let targets))? = actions.intent(.links) else { return #expect(Bool(false)) }
    #expect(targets.map(\.target) == ["https://example.org/"])
  }

  @Test("where none of mine is among those that are here, a correction says so")
  func notLoaded() throws {
    let actions = try actions([Harness.message(2, "how are you?")], moreBefore: true)
    let said = Intent.say("No message of mine is loaded: scroll to one and select it.")
    #expect(actions.intent(.correct) == said && actions.intent(.correct, words: "fine") == said)
    #expect(try self.actions([Harness.message(2, "how are you?")]).intent(.correct) == nil, "it is a key of the input")
  }

  @Test("with a selection it concerns that message, and says why it cannot")
  func chosen() throws {
    let first = try actions(Self.talk, select: 1)
    #expect(first.intent(.reply) == .write(.reply(1, author: "yourself", text: "hello https://example.org/")))
    #expect(first.intent(.copy) == .copy("hello https://example.org/"))
    let second = try actions(Self.talk, select: 2)
    #expect(second.intent(.correct) == .say("Only a message of mine can be corrected."))
    #expect(second.intent(.cancelMessage) == .say("Only a message of mine can be taken back."))
    #expect(second.intent(.files) == .say("No file is here.") && second.opening == nil)
    #expect(first.offers?.contains(.cancelMessage) == true && second.offers?.contains(.cancelMessage) == false)
  }

  @Test("a queued message is cancelled, one that has gone out is retracted after a question")
  func takingBack() throws {
    let queued = try actions(Self.talk + [Harness.message(4, "wait", mine: true, state: "queued")])
    guard case .cancel(let row)? = queued.intent(.cancelMessage) else { return #expect(Bool(false)) }
    #expect(row.id == 4)
    let sent = try actions(Self.talk, select: 3)
    guard case .confirm(let question, .request(let request, _))? = sent.intent(.cancelMessage) else {
      return #expect(Bool(false))
    }
    #expect(question == "Retract “fien” for everybody" && request.verb == .retract && request.id(.id) == 3)
    #expect(try actions(Self.talk).intent(.cancelMessage)?.isSaid == true)
  }

  @Test("words behind a command are sent, or are reactions, or say to whom a message goes")
  func words() throws {
    let actions = try actions(Self.talk)
    let reply = WritingPurpose.reply(2, author: "Bob", text: "how are you?")
    #expect(actions.intent(.reply, words: "fine") == .sendAbout("fine", reply))
    #expect(actions.intent(.correct, words: "fine") == .sendAbout("fine", .correction(3, text: "fien")))
    #expect(actions.intent(.react, words: "👍 🎂") == .react(Self.bob, 2, ["👍", "🎂"]))
    let carol = ConversationKey(jid: "carol@example.org")
    #expect(actions.intent(.forward, words: "carol@example.org look here") == .forward(2, carol, text: "look here"))
    #expect(try self.actions([]).intent(.reply, words: "fine").isSaid)
    for action in [UserAction.reply, .react, .forward] {
      #expect(try self.actions([]).intent(action)?.isSaid == true, "\(action)")
    }
  }

  @Test("files that are being fetched are stopped before anything else is taken back")
  func files() throws {
    let file = #"{"url":"https://x/a","name":"a.png","type":"image/png","size":900}"#
    let message = Harness.message(4, "look").replacing(
      #""opens_section""#, with: #""attachments":[\#(file),\#(file)],"opens_section""#)
    let actions = try actions(Self.talk + [message], select: 4)
    guard case .popup(.files(let targets))? = actions.intent(.files) else { return #expect(Bool(false)) }
    #expect(targets.map(\.index) == [0, 1] && actions.opening == actions.intent(.files))
    #expect(actions.intent(.view) == .view(targets[0]))
    #expect(actions.saving("2 /tmp/a") == targets[1].fetching(.save("/tmp/a")))
    var fetches = FileFetches()
    _ = fetches.add(targets[1].wanted(.open), Self.bob)
    let waiting = try self.actions(Self.talk + [message], fetches: fetches)
    #expect(waiting.intent(.cancelMessage) == .stopFetching(4, [1], Self.bob))
  }

  @Test("a conversation is pinned or unpinned, archived or taken back, by what it is")
  func conversations() {
    var row = ConversationRow(Self.bob)
    func value(_ action: UserAction) -> String? {
      let actions = ConversationActions(key: Self.bob, row: row, unreadFrom: 7)
      guard case .request(let request, _)? = actions.intent(action) else { return nil }
      guard case .string(let value)? = request.arguments[.value] else { return "\(request.id(.id) ?? 0)" }
      return value
    }
    #expect(value(.pin) == "yes" && value(.archive) == "yes" && value(.markUnread) == "7")
    row.isPinned = true
    row.isArchived = true
    #expect(value(.pin) == "no" && value(.archive) == "no" && value(.mute) == nil)
    #expect(ConversationActions(key: Self.bob, row: nil, unreadFrom: nil).intent(.markUnread) == nil)
  }
}

extension Intent {
  fileprivate var isSaid: Bool { if case .say = self { true } else { false } }
}
