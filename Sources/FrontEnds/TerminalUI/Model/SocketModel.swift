package import Clocks
package import ConfabClient
package import JSON
package import LineProtocol

/// The daemon's side as far as the UI knows it: lines in, requests out, no I/O.
///
/// `output` is what is to be written; the owner takes it. After a cut all is asked again, what is shown stays until the
/// answers are here, and messages that may not be stored yet go again under their keys.
package struct SocketModel {
  /// The connection to the daemon.
  package enum Link: Equatable, Sendable {
    case connecting
    case connected
    /// Why there is none.
    case lost(String)
  }

  package internal(set) var link = Link.connecting
  /// The time of the last event.
  package var wall = Timestamp(milliseconds: 0)
  package internal(set) var greeting = Greeting()
  package internal(set) var accounts: [AccountRow] = []
  package internal(set) var conversations = ConversationList()
  package internal(set) var contacts = ContactList()
  package internal(set) var rooms = RoomList()
  package internal(set) var encryption = EncryptionBook()
  /// The conversations that are open.
  package internal(set) var windows: [ConversationKey: RowWindow] = [:]
  package internal(set) var sections: [ConversationKey: [SectionRow]] = [:]
  /// The conversations whose sections are asked for, with the next connection again.
  var awaitedSections: Set<ConversationKey> = []
  package internal(set) var search: SearchResults?
  /// The answer that is shown: its data lines, then its final line.
  package internal(set) var answer: [JSONValue] = []
  package internal(set) var emoticons = LoadedEmoticons()
  /// True if the daemon is asked to turn codes of emoticons into characters; an older one refuses that.
  var expandsEmoticons = true
  /// The people who are typing, as the daemon says.
  package internal(set) var typing = Typists()
  /// The rooms in which the messages of ignored occupants are shown.
  package internal(set) var showsIgnored: Set<ConversationKey> = []
  package internal(set) var outgoing = OutgoingQueue()
  package internal(set) var fetches = FileFetches()
  /// Why the disk takes nothing; empty if it does.
  package internal(set) var storage = ""
  package var output: [UInt8] = []
  /// Requests that go with files, behind `output`; the owner takes them.
  package var fileRequests: [FileRequest] = []

  var questions = SocketQuestions()
  /// Requests that were not written, or get no answer any more, and why.
  private var refusals: [(SocketQuestions.Purpose, reason: String)] = []
  /// True if the last lines belong to an answer that changes nothing before its final line.
  var isGathering = false
  /// Rows asked for at once: what the screen shows and a screenful on each side.
  var pageSize: Int
  private var searchNumber = 0
  /// The message that a jump to a time has found so far.
  var found: (key: ConversationKey, id: UInt64?)?
  var incomingAccounts: [AccountRow] = []
  /// True until the owners of the connected daemon's accounts are known.
  var awaitsOwners = false

  package init(pageSize: Int) {
    self.pageSize = pageSize
  }

  package mutating func setPageSize(_ rows: Int) { pageSize = rows }

  // MARK: The connection

  /// The socket takes bytes; the daemon has not greeted yet.
  package mutating func connected() { link = .connecting }

  /// True if the daemon is due to send a line at once: its greeting, or an answer.
  var awaitsDaemon: Bool {
    switch link {
    case .connecting: true
    case .connected: questions.awaitsPromptAnswer
    case .lost: false
    }
  }

  package mutating func disconnected(_ reason: String) {
    link = .lost(reason)
    refuse(questions.forgetAll().filter(\.isAwaited), "the connection to the daemon was cut")
    (output, fileRequests) = ([], [])
    fetches.cut("the connection to the daemon was cut")
    typing = Typists()
    emoticons = LoadedEmoticons()
    conversations.giveUp()
    contacts.giveUp()
    rooms.giveUp()
    encryption.giveUp()
    for key in windows.keys { windows[key]?.expire() }
    if search?.isRunning == true { search?.fail("the connection to the daemon was cut") }
  }

  /// The daemon has greeted.
  mutating func begin(_ greeting: Greeting) -> [ModelEvent] {
    let isOther = !self.greeting.log.isEmpty && self.greeting.log != greeting.log
    self.greeting = greeting
    link = .connected
    expandsEmoticons = true
    if isOther {
      (windows, sections, awaitedSections, search, fetches) = ([:], [:], [], nil, FileFetches())
      encryption = EncryptionBook()
    }
    ask(Request(.watch), .watch)
    awaitsOwners = true
    ask(Request(.status), .accounts)
    askPeople()
    askRooms()
    for key in windows.keys { refresh(key) }
    for key in awaitedSections { askSections(key) }
    if let search, search.failure == nil { find(search.text, in: search.conversation) }
    guard isOther else { return [.ready] }
    // Each comes back in front of what is in the input.
    let left = outgoing.takeAll().reversed().map { ModelEvent.refused($0, "the daemon has another log now") }
    return [.ready] + left + [.otherLog]
  }

  /// Conversations asked for at once.
  static let listPage = 200

  /// Strangers asked for before anybody wants to see them: of a flood it is enough that there are more.
  static let strangersAtFirst = 100

  // MARK: Asking

  mutating func ask(_ request: Request, _ purpose: SocketQuestions.Purpose) {
    output += encode(request, purpose) ?? []
  }

  /// The bytes of a request, of which the answer is awaited from now on; nil: there is no daemon, or a line is too long for it.
  mutating func encode(_ request: Request, _ purpose: SocketQuestions.Purpose) -> [UInt8]? {
    guard link == .connected else {
      refuse([purpose].filter(\.isAwaited), "there is no connection to the daemon")
      return nil
    }
    let bytes = questions.ask(request, purpose)
    guard let reason = greeting.refusal(ofRequest: bytes) else { return bytes }
    questions.forgetLast()
    refuse([purpose], reason)
    return nil
  }

  private mutating func refuse(_ purposes: [SocketQuestions.Purpose], _ reason: String) {
    refusals += purposes.map { ($0, reason) }
  }

  /// Takes the results of requests that the daemon cannot answer: too long for it, which it would refuse without their
  /// tags, or without a connection.
  mutating func takeRefusals() -> [ModelEvent] {
    defer { refusals = [] }
    var events: [ModelEvent] = []
    for (purpose, reason) in refusals {
      events += fail(purpose, .object([JSONMember("ok", .bool(false)), JSONMember("reason", .string(reason))]))
    }
    return events
  }

  /// A request of which only a failure is shown.
  ///
  /// - Parameter label: the words for it: "could not mute bob@example.org".
  package mutating func command(_ request: Request, _ label: String) {
    ask(request, .command(label))
  }

  /// A request of which the answer is shown, line by line.
  package mutating func query(_ request: Request) {
    answer = []
    ask(request, .answer)
  }

  /// A request of which nothing is shown.
  package mutating func tell(_ request: Request) { ask(request, .silent) }

  package mutating func moreConversations(known isKnown: Bool) {
    guard isKnown ? conversations.hasMore : conversations.hasMoreStrangers,
      let last = conversations.last(known: isKnown)
    else { return }
    askConversations(known: isKnown, before: last)
  }

  mutating func askConversations(known isKnown: Bool, limit: Int = listPage, before last: ConversationKey? = nil) {
    var request = Request(
      .conversations, options: [.limit: .integer(limit), .known: .string(isKnown ? "yes" : "no")])
    if let last { request.options[.before] = .string(last.jid) }
    ask(request, .conversations(known: isKnown, isFirst: last == nil))
  }

  /// Asks whether somebody who writes, and of whom nothing is here, is one of the newest of people whom I know.
  mutating func askWhetherKnown() {
    guard !questions.contains(.newestConversations) else { return }
    ask(Request(.conversations, options: [.limit: .integer(10), .known: .string("yes")]), .newestConversations)
  }

  package mutating func refreshAccounts() { ask(Request(.status), .accounts) }

  // MARK: Searching

  package mutating func find(_ text: String, in key: ConversationKey?) {
    searchNumber += 1
    search = SearchResults(text, in: key, number: searchNumber)
    ask(searchRequest(text, key), .search(number: searchNumber))
  }

  package mutating func findMore() {
    guard let search, search.hasMore, !search.isRunning, let last = search.hits.last else { return }
    self.search?.goOn()
    var request = searchRequest(search.text, search.conversation)
    request.options[.before] = .id(last.id)
    ask(request, .search(number: search.number))
  }

  /// Asks again if messages of a conversation, or of any, were found that may be gone; one search at a time.
  mutating func searchAgain(_ key: ConversationKey?) {
    guard let search, search.failure == nil, search.mayHold(key) else { return }
    if search.isRunning { self.search?.expire() } else { find(search.text, in: search.conversation) }
  }

  mutating func finishSearch(hasMore: Bool) {
    guard let search else { return }
    if search.isOutdated { find(search.text, in: search.conversation) } else { self.search?.finish(hasMore: hasMore) }
  }

  private func searchRequest(_ text: String, _ key: ConversationKey?) -> Request {
    var request = Request(.search, options: [.limit: .integer(50)], text: text)
    if let key {
      request.options[.in] = .string(key.jid)
      request.account = key.accountName
    }
    return request
  }
}

extension ConversationKey {
  /// For a request; nil while there is one account only.
  package var accountName: String? { account.isEmpty ? nil : account }
}
