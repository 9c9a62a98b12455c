import ConfabClient
import JSON
import LineProtocol

/// Events of the watch; an event that is not known is left alone.
extension SocketModel {
  mutating func take(_ event: String, _ object: JSONValue) -> [ModelEvent] {
    switch EventKind(rawValue: event) {
    case .message: return takeMessage(object)
    case .edit, .decrypted: return takeChange(object, .edit)
    case .retract: return takeChange(object, .retraction)
    case .reaction: return takeChange(object, .reaction)
    case .emoticonUsed: if let code = object["code"]?.string { emoticons.use(code) }
    case .state: return takeState(object)
    case .read: takeRead(object)
    case .draft: return takeDraft(object)
    case .roster: return object["contact"].flatMap(ContactRow.init).map { takeContact($0) } ?? []
    case .presence: if let key = key(of: object, "jid") { contacts.takePresence(object, of: key) }
    case .typing: takeTyping(object)
    case .transfer: if let key = key(of: object) { takeTransfer(object, in: key) }
    case .resection: return takeResection(object)
    case .connection:
      refreshAccounts()
      askEncryption()
    case .storage: storage = object["state"]?.string == "ok" ? "" : object["reason"]?.string ?? ""
    case .conversation: if let row = object["conversation"].flatMap(ConversationRow.init) { conversations.replace(row) }
    case .room: return takeRoom(object)
    case .invitation: return takeInvitation(object)
    case .member: takeOccupant(object)
    case .readBy: takeReader(object)
    case .voiceRequest: return takeVoiceRequest(object)
    case .members: takeCount(object)
    case .device: return takeDevice(object)
    case .encryption: if let key = key(of: object), windows[key] != nil { askEncryption(of: key) }
    case .caughtUp, nil: break
    }
    return []
  }

  func key(of object: JSONValue, _ member: String = "conversation") -> ConversationKey? {
    object[member]?.string.map { ConversationKey(account: object["account"]?.string ?? "", jid: $0) }
  }

  private mutating func takeMessage(_ object: JSONValue) -> [ModelEvent] {
    guard let message = object["message"], let row = MessageRow(message), let key = key(of: message) else { return [] }
    guard !row.isIgnored || showsIgnored.contains(key) else { return [] }
    windows[key]?.append(row)
    // Keys are made, and devices looked for, when they are needed.
    if row.isMine, windows[key] != nil, encryption.states[key]?.isActive == false { askEncryption(of: key) }
    if row.isEvent || row.isIgnored {
      if row.isEvent { conversations.countEvent(in: key) }
      return [.message(key, row)]
    }
    takeIntoList(row, key)
    typing.wrote(row, in: key)
    let isNotice = object["notice"]?.bool ?? false
    return isNotice ? [.message(key, row), .notice(key, row)] : [.message(key, row)]
  }

  private mutating func takeIntoList(_ row: MessageRow, _ key: ConversationKey) {
    let isKnown = row.isMine || contacts.isKnown(key)
    let isDoubtful = !isKnown && conversations[key] == nil && conversations.hasMore
    conversations.take(row, in: key, isKnown: isKnown, name: contacts[key]?.name ?? "")
    if isDoubtful { askWhetherKnown() }
  }

  private mutating func takeState(_ object: JSONValue) -> [ModelEvent] {
    guard let key = key(of: object), let id = object["id"]?.integer.map({ UInt64(clamping: $0) }) else { return [] }
    let change: (inout MessageRow) -> Void = { row in
      row.delivery = object["state"]?.string.flatMap(MessageRow.Delivery.init(rawValue:)) ?? row.delivery
      if row.delivery != .queued { row.progress = nil }
      row.failure = object["failure"].flatMap(MessageRow.failure)
      row.isInDoubt = object["in_doubt"]?.bool ?? row.isInDoubt
      row.isHeld = object["held"]?.bool ?? false
      if !row.isHeld { row.heldUntil = nil }
    }
    windows[key]?.update(id, change)
    if windows[key]?.rows.contains(where: { $0.id == id && $0.lacksAddresses }) == true { check(id, in: key) }
    conversations.change(key) { conversation in
      guard var last = conversation.last, last.id == id else { return }
      change(&last)
      conversation.last = last
    }
    let row = windows[key]?.rows.first { $0.id == id } ?? conversations[key]?.last.flatMap { $0.id == id ? $0 : nil }
    guard object["state"]?.string == MessageRow.Delivery.failed.rawValue else { return [] }
    guard let row else { return [.undelivered(key, reason: object["failure"].flatMap(MessageRow.failure))] }
    return [.changed(key, row, .failure)]
  }

  /// How many are unread then is the daemon's to say, but for all of them.
  private mutating func takeRead(_ object: JSONValue) {
    guard let key = key(of: object), let id = object["id"]?.integer else { return }
    conversations.change(key) { $0.read = UInt64(clamping: id) }
    askUnread(key)
  }

  mutating func askUnread(_ key: ConversationKey) {
    ask(Request(.unread, options: [.in: .string(key.jid)], account: key.accountName), .unread(key))
  }

  private mutating func takeDraft(_ object: JSONValue) -> [ModelEvent] {
    guard let key = key(of: object) else { return [] }
    let text = object["text"]?.string ?? ""
    conversations.change(key) { $0.draft = text }
    return [.draft(key, text)]
  }

  private mutating func takeContact(_ row: ContactRow) -> [ModelEvent] {
    let isNew = row.isRequest && contacts[row.key]?.isRequest != true
    contacts.take(row)
    conversations.change(row.key) { conversation in
      if !row.name.isEmpty { conversation.name = row.name }
      if contacts.isKnown(row.key) { conversation.isKnown = true }
    }
    guard isNew else { return [] }
    return row.isAwaited ? accept([row]) : [.asked(row)]
  }

  /// Accepts people whom I asked to be contacts, and who ask for the same.
  mutating func accept(_ rows: [ContactRow]) -> [ModelEvent] {
    for row in rows {
      tell(Request(.accept, arguments: [.jid: .string(row.key.jid)], account: row.key.accountName))
    }
    return rows.map(ModelEvent.accepted)
  }

  private mutating func takeTyping(_ object: JSONValue) {
    guard let key = key(of: object) else { return }
    typing.take(object["nick"]?.string ?? "", in: key, isTyping: object["state"]?.string == "composing")
  }

  /// Takes new sections. If the event does not say between which messages, some may be forgotten: nothing shows them any more.
  private mutating func takeResection(_ object: JSONValue) -> [ModelEvent] {
    let key = key(of: object)
    for key in key.map({ [$0] }) ?? Array(windows.keys) { windows[key]?.invalidate() }
    guard object["from"] == nil, object["to"] == nil else { return [] }
    if let key { askNewest(key) }
    searchAgain(key)
    return [.doubtful(key)]
  }

  /// Asks for what the list shows of a conversation.
  private mutating func askNewest(_ key: ConversationKey) {
    guard conversations[key] != nil, !questions.contains(.newest(key)) else { return }
    let arguments: NamedValues<ArgumentName> = [.jid: .string(key.jid)]
    ask(
      Request(.history, options: [.limit: .integer(1)], arguments: arguments, account: key.accountName), .newest(key))
    askUnread(key)
  }
}
