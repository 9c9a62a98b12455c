import ConfabClient
import JSON
import LineProtocol

/// Lines of the daemon: the greeting, answers by their tags, events.
extension SocketModel {
  /// - Parameter lines: those that came together.
  package mutating func receive(_ lines: [[UInt8]]) -> [ModelEvent] {
    var events: [ModelEvent] = []
    var hasOthers = false
    for line in lines {
      isGathering = false
      events += receive(line)
      hasOthers = hasOthers || !isGathering
    }
    isGathering = !hasOthers
    return events
  }

  private mutating func receive(_ line: [UInt8]) -> [ModelEvent] {
    guard let object = try? JSONParser.parse(line, maximumDepth: 32), case .object = object else {
      return [.stranger("the daemon's answer is no JSON")]
    }
    if link != .connected { return greet(object) }
    if let event = object["event"]?.string { return take(event, object) }
    guard let tag = Self.tag(of: object), let purpose = questions.purpose(of: tag) else { return [] }
    guard let isOK = object["ok"]?.bool else {
      isGathering = purpose.isGathered
      return takeData(object, purpose)
    }
    questions.settle(tag)
    return isOK ? finish(purpose, object) : fail(purpose, object)
  }

  /// The tag of an answer; that of a request in words comes back as a string.
  private static func tag(of answer: JSONValue) -> Int64? {
    answer["tag"]?.integer ?? answer["tag"]?.string.flatMap { Int64($0) }
  }

  private mutating func greet(_ object: JSONValue) -> [ModelEvent] {
    if let greeting = Greeting(object) { return begin(greeting) }
    return [.stranger(object["reason"]?.string ?? "the daemon speaks another version of the protocol")]
  }

  // MARK: Data lines

  private mutating func takeData(_ object: JSONValue, _ purpose: SocketQuestions.Purpose) -> [ModelEvent] {
    switch purpose {
    case .accounts: if let row = object["account"].flatMap(AccountRow.init) { receive(row) }
    case .conversations, .newestConversations:
      if let row = object["conversation"].flatMap(ConversationRow.init) { conversations.receive(row) }
    case .contacts: if let row = object["contact"].flatMap(ContactRow.init) { contacts.receive(row) }
    case .rooms: if let row = object["room"].flatMap(RoomRow.init) { rooms.receive(row) }
    case .occupants(let key):
      if let row = object["member"].flatMap(OccupantRow.init) { rooms.change(key) { $0.receive(row) } }
    case .foundOccupants(let key, let query):
      if let row = object["member"].flatMap(OccupantRow.init) { rooms.change(key) { $0.receive(row, for: query) } }
    case .ignored(let key):
      if let row = object["ignored"].flatMap(IgnoredRow.init) { rooms.change(key) { $0.receive(row) } }
    case .form(let key): if rooms.form?.key == key { rooms.form?.receive(object) }
    case .service(let key): if rooms.service?.key == key { rooms.service?.receive(object) }
    case .look: rooms.listed = object["room"].flatMap(RoomRow.init)
    case .rows(let key, _, let number):
      if windows[key]?.number == number, let row = object["message"].flatMap(MessageRow.init) {
        windows[key]?.receive(row)
      }
    case .newest(let key):
      if let row = object["message"].flatMap(MessageRow.init) { conversations.change(key) { $0.last = row } }
    case .message(let key, let id):
      guard let row = object["message"].flatMap(MessageRow.init), row.id == id else { return [] }
      take(row, in: key)
      return [.current(key, row)]
    case .sections(let key):
      if let row = object["section"].flatMap(SectionRow.init) { sections[key, default: []].append(row) }
    case .beforeTime(let key): found = (key, object["message"].flatMap(MessageRow.init)?.id)
    case .search(let number):
      if search?.number == number, let row = object["message"].flatMap(MessageRow.init) { search?.receive(row) }
    case .emoticons: emoticons.receive(object)
    case .devices(let key, _):
      if let row = object["device"].flatMap(DeviceRow.init) { encryption.devices[key]?.receive(row) }
    case .answer: receiveAnswer(object)
    case .encryption, .watch, .send, .fetch, .ownPicture, .avatar, .unread, .cancel, .command, .silent, .join, .making:
      break
    }
    return []
  }

  /// The next answer replaces the one that is complete.
  private mutating func receiveAnswer(_ object: JSONValue) {
    if answer.last?["ok"] != nil { answer = [] }
    answer.append(object)
  }

  // MARK: Final lines

  private mutating func finish(_ purpose: SocketQuestions.Purpose, _ object: JSONValue) -> [ModelEvent] {
    switch purpose {
    case .accounts: return finishAccounts()
    case .conversations(let isKnown, let isFirst):
      let last = conversations.last(known: isKnown)
      conversations.finish(known: isKnown, isFirst: isFirst, hasMore: object["more_before"]?.bool ?? false)
      // The search by name and the order by what is unread need all of them; a page that brings nothing new is the end.
      if isKnown, isFirst || conversations.last(known: true) != last { moreConversations(known: true) }
    case .newestConversations: conversations.finishNewest()
    case .contacts:
      contacts.finish(leftOut: Int(clamping: object["requests_left_out"]?.integer ?? 0))
      return accept(contacts.requests.filter(\.isAwaited)) + [.loaded(purpose)]
    case .rooms:
      rooms.finish()
      for room in rooms.rows.values { showInList(room) }
      for key in windows.keys { askOccupants(of: key) }
    case .rows(let key, _, let number):
      guard windows[key]?.number == number else { return [] }
      windows[key]?.finish(
        count: Int(clamping: object["count"]?.integer ?? 0), firstRow: Int(clamping: object["first_row"]?.integer ?? 0),
        moreBefore: object["more_before"]?.bool ?? false, moreAfter: object["more_after"]?.bool ?? false)
    case .sections(let key): finishSections(key)
    case .beforeTime(let key):
      defer { found = nil }
      return [.found(key, found?.key == key ? found?.id : nil)]
    case .search(let number):
      guard search?.number == number else { return [] }
      finishSearch(hasMore: object["more_before"]?.bool ?? false)
    case .emoticons(let list): emoticons.finish(list)
    case .send(let id):
      let message = UInt64(clamping: object["id"]?.integer ?? 0)
      return outgoing.take(id, as: message).map { [.stored($0, message)] } ?? []
    case .fetch(let wanted, let key):
      guard endFetch(of: wanted) else { return [] }
      return [.fetched(fetched(wanted, object, in: key), key)]
    case .ownPicture(let wanted, let key): return [.fetched(fetched(wanted, object, in: key), key)]
    case .avatar(let key, _): return [.avatar(key, object["hash"]?.string ?? "")]
    case .unread(let key):
      let counts = ["unread", "mentions"].map { Int(clamping: object[$0]?.integer ?? 0) }
      conversations.setUnread(counts[0], mentions: counts[1], of: key)
    case .newest(let key): conversations.setCount(Int(clamping: object["count"]?.integer ?? 0), of: key)
    case .answer: receiveAnswer(object)
    case .cancel(let key, let text): return [.takenBack(key, text)]
    case .occupants(let key):
      finishOccupants(of: key, count: Int(clamping: object["count"]?.integer ?? 0))
    case .form(let key): if rooms.form?.key == key { rooms.form?.isWhole = true }
    case .service(let key): if rooms.service?.key == key { rooms.service?.isWhole = true }
    case .making(let key, let name, let membersOnly): configureMade(key, name: name, membersOnly: membersOnly)
    case .foundOccupants(let key, let query): rooms.change(key) { $0.finish(query) }
    case .encryption(let key): takeEncryption(object, of: key)
    case .devices(let key, _): encryption.devices[key]?.finish()
    case .ignored(let key): rooms.change(key) { $0.finishIgnored() }
    case .watch, .command, .silent, .message, .join, .look: break
    }
    return [.loaded(purpose)]
  }

  /// Why a request was refused, for people.
  static func reason(_ answer: JSONValue) -> String {
    if answer["error"]?.string == ErrorCode.unknownVerb.rawValue {
      return "the running daemon is older than this program and does not know it; restart the daemon"
    }
    return answer["reason"]?.string ?? "the daemon refused"
  }

  mutating func fail(_ purpose: SocketQuestions.Purpose, _ object: JSONValue) -> [ModelEvent] {
    let reason = Self.reason(object)
    let isNotFound = object["error"]?.string == ErrorCode.notFound.rawValue
    switch purpose {
    case .rows(let key, .around, let number) where isNotFound:
      // That message was forgotten.
      if windows[key]?.number == number { load(.newest, of: key) }
      return []
    case .rows(let key, _, let number):
      // Nothing was ever written there: that is no error for a person.
      if windows[key]?.number == number {
        windows[key]?.finish(count: 0, firstRow: 0, moreBefore: false, moreAfter: false)
      }
      return isNotFound ? [] : [.failed(reason)]
    case .search(let number):
      if search?.number == number { search?.fail(reason) }
      return []
    case .send(let id): return refuse(id, object, reason)
    case .emoticons(let list): emoticons.finish(list)
    case .command(let label): return [.failed("\(label): \(reason)")]
    case .fetch(let wanted, _):
      guard endFetch(of: wanted, failure: reason) else { return [] }
      return [.failed("\(wanted.file.title) was not fetched: \(reason)")]
    case .avatar(let key, let isWanted):
      if isWanted { return [.failed("The avatar of \(key.jid) was not fetched: \(reason)")] }
      return isNotFound ? [.avatar(key, "")] : []
    case .newest(let key) where isNotFound:
      conversations.setCount(0, of: key)
      return []
    case .message(let key, let id):
      guard isNotFound else { return [] }
      windows[key]?.remove(id)
      dropAnswers(about: id)
      return [.forgotten(key, id)]
    case .conversations(_, let isFirst):
      conversations.giveUp()
      // An address of two accounts cannot be asked from: the list ends here.
      if !isFirst { return [] }
    case .newestConversations: conversations.giveUp()
    case .contacts: contacts.giveUp()
    case .join(let key, _): return joinFailed(key, reason)
    case .making(let key, _, _): return [.failed("\(key.jid) was not created: \(reason)")]
    case .form, .service, .look: return [.failed(reason), .loaded(purpose)]
    // A socket without the right has no rooms.
    case .rooms:
      rooms.giveUp()
      return []
    // The room was left meanwhile, or the socket has no right to ask.
    case .occupants, .foundOccupants, .ignored: return []
    case .sections(let key): finishSections(key)
    case .beforeTime(let key): return [.found(key, nil)]
    case .cancel: return [.failed("Not taken back: \(reason)")]
    case .answer:
      receiveAnswer(object)
      return [.loaded(purpose)]
    // A socket may not tell it; what was typed goes out all the same.
    case .accounts: return learnOwners() + [.failed(reason)]
    case .ownPicture: return []
    // An older daemon, or a socket without the right: nothing is shown of encryption.
    case .encryption: return []
    case .devices(let key, _): encryption.devices[key]?.giveUp()
    case .watch, .silent, .unread, .newest: break
    }
    return purpose == .silent ? [] : [.failed(reason)]
  }
}
