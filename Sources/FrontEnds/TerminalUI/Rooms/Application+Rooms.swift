import ConfabClient
import LineProtocol
import Screen

/// Effects of intents about rooms, of answers to their questions, and of a join that failed.
extension Application {
  func perform(_ intent: RoomIntent) {
    switch intent {
    case .mention(let key, let nick): mention(nick, in: key)
    case .configure(let key):
      model.askForm(of: key)
      push(.room(.form(key)))
    case .set(let key, let name, let values): set(name, values, of: key)
    case .save(let key):
      guard let request = model.rooms.form?.saving else { return }
      screen.popups.close()
      model.command(request, "/configure \(key.jid)")
    case .drop:
      model.rooms.form = nil
      screen.popups.close()
      screen.popups.close()
    case .list(let service):
      model.askRooms(of: service)
      push(.room(.service(service)))
    case .look(let key):
      model.look(at: key)
      push(.room(.listed(key)))
    }
  }

  /// Asks before a form is left by a key, or by a click beside it, that has changes.
  ///
  /// - Returns: whether it asks.
  func asksAboutChanges(of action: UserAction = .back) -> Bool {
    let isLeft = [.back, .help, .switcher, .search, .contacts, .accounts].contains(action)
    guard isLeft, case .room(.form)? = screen.popups.last?.kind, let words = model.rooms.form?.changeWords else {
      return false
    }
    push(.confirm("Drop \(words) that you have not saved", .room(.drop)))
    return true
  }

  private func mention(_ nick: String, in key: ConversationKey) {
    screen.popups.closeAll()
    if screen.focused?.key != key { open(key) }
    write(key) { $0.input.insert($0.input.isEmpty ? "\(nick): " : "\(nick) ") }
  }

  /// One of several values is chosen: the list of the others stays.
  private func set(_ name: String, _ values: [String], of key: ConversationKey) {
    model.rooms.form?.set(name, values)
    if case .room(.field)? = screen.popups.last?.kind, model.rooms.form?.isMany(name) == false { screen.popups.close() }
  }

  func answer(_ question: RoomQuestion, _ key: ConversationKey, _ text: String) {
    let rooms = RoomCommand(
      slash: SlashCommand(conversation: key, book: model.book, rooms: model.rooms), rooms: model.rooms)
    switch question {
    case .nick where text.isEmpty, .password where text.isEmpty, .invite where text.isEmpty: break
    case .topic: perform(rooms.topic(text, of: key))
    case .invite: if let intent = rooms.intent("invite", text) { perform(intent) }
    case .nick: perform(RoomMenu.join(key, options: [.nick: .string(text)]))
    case .password: perform(RoomMenu.join(key, options: [.password: .string(text)]))
    case .name(let isForMembers):
      screen.popups.closeAll()
      model.make(key, name: text, membersOnly: isForMembers)
    case .field(let name, _): model.rooms.form?.set(name, text)
    }
  }

  /// Handles a join that failed: offers to create the room, asks for its password, or says the reason.
  func notJoined(_ key: ConversationKey, _ reason: String) {
    switch model.rooms[key]?.condition {
    case "item-not-found": push(.room(.missing(key)))
    case "not-authorized": push(.prompt(.room(.password, key)))
    case _ where reason.contains("conflict"): say("\(model.name(of: key)): somebody else has that nick.")
    default: say("\(model.name(of: key)): \(reason)")
    }
  }

  func closeRoomPopup(_ key: ConversationKey) {
    let popups: [RoomPopup] = [.form(key), .service(key), .listed(key)]
    if case .room(let popup)? = screen.popups.last?.kind, popups.contains(popup) { screen.popups.close() }
  }

  // MARK: Who is there, who named me

  /// Shows the occupants at the right, if the screen is wide enough, or hides them.
  func toggleOccupants() {
    guard let key = screen.focused?.key, model.rooms[key] != nil else { return say("Open a room first.") }
    settings.hasOccupants.toggle()
    guard screen.surface.columns < Surface.wideColumns else { return }
    say("That needs \(Surface.wideColumns) columns; \(appearance.keyName(.members)) lists the occupants.")
  }

  /// Shows the occupants of the room that has the keys, and asks for those who are missing.
  func settleOccupants() {
    let key = screen.focused?.key
    let isWanted = settings.hasOccupants && !screen.surface.isCopyView
    let isThere = isWanted && key.flatMap { model.rooms[$0]?.state } == .joined
    if screen.occupantsOf != (isThere ? key : nil) { screen.occupantsTop = 0 }
    screen.occupantsOf = isThere ? key : nil
    if let key = screen.occupantsOf { model.findSpeakers(in: key) }
    if case .room(.occupants(let key))? = screen.popups.last?.kind, let query = screen.popups.last?.query {
      model.findOccupants(query, in: key)
    }
  }

  /// Opens a pop-up about the room that is open.
  func pushRoom(_ popup: (ConversationKey) -> RoomPopup) {
    guard let key = screen.concerned, model.rooms[key] != nil else { return say("Open a room first.") }
    push(.room(popup(key)))
  }

  func pushOccupant(_ nick: String, of key: ConversationKey) {
    push(.room(.occupant(key, nick: nick, identity: model.rooms.occupants(of: key)[nick]?.identity)))
  }

  func toggleIgnored() {
    guard let key = screen.focused?.key, model.rooms[key] != nil else { return say("Open a room first.") }
    screen.popups.closeAll()
    model.toggleIgnored(in: key)
    say(model.showsIgnored.contains(key) ? "What ignored people say is shown." : "What ignored people say is hidden.")
  }

  /// Goes to the next message that names me: further down in the open room, else the first unread one of the next.
  func goToNextMention() {
    if let key = screen.focused?.key, !screen.isInList, let window = model.windows[key], let view = screen.focused {
      let start =
        view.selected.flatMap(window.index(of:)).map { $0 + 1 } ?? view.unreadFrom.flatMap(window.index(of:)) ?? 0
      let next = window.rows.dropFirst(start).first { $0.isMention }
      if let next, next.id != view.selected { return load(screen.focused?.go(to: next.id), key) }
    }
    guard
      let key = screen.list.next(
        model.conversations, after: screen.isInList ? nil : screen.focused?.key, with: \.mentions)
    else {
      return say("No further message names you.")
    }
    open(key)
    screen.conversations.change(key) { $0.seeksMention = true }
  }
}
