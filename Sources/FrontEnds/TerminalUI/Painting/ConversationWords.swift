import Clocks
import ConfabClient

/// The sentences around an open conversation.
struct ConversationWords {
  let model: SocketModel
  let appearance: Appearance
  /// Date of a time in the user's time zone.
  let date: (Timestamp) -> CivilDate
  let now: Timestamp

  /// `Bob  bob@example.org  available: at work`; the address of a contact whose name is nobody else's gives way to the rest.
  ///
  /// - Parameters:
  ///   - width: columns that there are.
  ///   - saysCount: false where who is in the room stands beside it.
  func header(_ key: ConversationKey, width: Int, saysCount: Bool = true) -> String {
    let name = model.name(of: key)
    let state =
      [model.accounts.count > 1 ? key.account : "", encryptionWords(key), muteWords(key)]
      + (roomWords(key, saysCount) ?? presence(key)) + [encryptionReason(key)]
    let whole = Self.joined([name, name == key.title ? "" : key.jid] + state)
    let isClear = (model.contacts.isKnown(key) || model.rooms[key] != nil) && !model.isImitated(name, key)
    return whole.count > width && isClear ? Self.joined([name] + state) : whole
  }

  private static func joined(_ parts: [String]) -> String {
    parts.filter { !$0.isEmpty }.joined(separator: "  ")
  }

  /// `⚿ encrypted`, with what is wrong with it, or `not encrypted`; empty if it is not known.
  private func encryptionWords(_ key: ConversationKey) -> String {
    guard let state = encryption(key) else { return "" }
    guard state.isActive else { return state.word }
    return "\(lock) \(state.hasTrouble ? state.words : state.word)"
  }

  /// Why it is not encrypted.
  private func encryptionReason(_ key: ConversationKey) -> String {
    guard let state = encryption(key), !state.isActive else { return "" }
    return ShownLine.clean(state.reason, limit: 120)
  }

  /// Nil of a room that is not encrypted: few are.
  private func encryption(_ key: ConversationKey) -> EncryptionState? {
    guard model.mayBeEncrypted(key), let state = model.encryption.states[key] else { return nil }
    return model.rooms[key] == nil || state.isActive ? state : nil
  }

  private var lock: String { Symbols.of(appearance.surface.capabilities).lock }

  /// The mark in front of the input: a lock where what is written there will be encrypted.
  func prompt(_ key: ConversationKey, _ symbols: Symbols) -> String {
    encryption(key)?.isActive == true ? symbols.lock : symbols.prompt
  }

  /// How it stands with a room, and its topic; nil: it is none.
  private func roomWords(_ key: ConversationKey, _ saysCount: Bool) -> [String]? {
    guard let room = model.rooms[key] else { return nil }
    let topic = ShownLine.clean(room.topic, limit: 200)
    let isThere = room.state == .joined
    guard isThere || room.movedTo.isEmpty else { return [room.stateWords, topic] }
    let state =
      isThere && !saysCount
      ? "" : isThere ? model.occupantCount(in: room).map { "\($0) here" } ?? "joined" : "\(room.state.rawValue)"
    return [state, isThere ? "" : ShownLine.clean(room.reason, limit: 100), topic]
  }

  /// The contact's presence; while the account is offline, that instead of it.
  private func presence(_ key: ConversationKey) -> [String] {
    guard model.link == .connected else { return [] }
    let words = model.contacts[key].map(model.presenceWords) ?? (key.isPrivate ? "" : "not among the contacts")
    guard let account = model.account(named: key.account), !account.isOnline else { return [words] }
    return [words, account.state == "connecting" ? "account connecting" : "account offline"]
  }

  /// `muted until 14:05 (F8 unmutes)`; empty if it is not.
  private func muteWords(_ key: ConversationKey) -> String {
    guard let row = model.conversations[key], row.notify == .never else { return "" }
    let today = date(now)
    let until = row.notifyUntil.map { time in
      let date = date(time)
      return " until " + dayWords(date, today: today) + appearance.words.time(date)
    }
    return "muted\(until ?? "") (\(appearance.keyName(.mute)) unmutes)"
  }

  private func dayWords(_ date: CivilDate, today: CivilDate) -> String {
    switch date.dayNumber - today.dayNumber {
    case 0: ""
    case 1: "tomorrow "
    default: appearance.words.short(date, today: today) + " "
    }
  }

  /// Placeholder of an empty input, in parts: what matters less is behind.
  func placeholder(_ key: ConversationKey) -> [String] {
    let name = model.name(of: key)
    if model.availability(key) == .blocked { return ["\(name) is blocked", "/unblock takes that back"] }
    if let room = model.rooms[key], [.left, .refused, .invited].contains(room.state) {
      return ["You are not in the room", "/join joins it"]
    }
    let state = encryption(key).map { [$0.hasTrouble || !$0.isActive ? $0.words : $0.word] } ?? []
    let isStranger = model.contacts[key] == nil && model.conversations[key]?.isKnown == false
    let commands = isStranger ? ["/add makes a contact", "/block blocks"] : ["/ for commands"]
    return ["Write to \(name)"] + state + ["\(appearance.keyName(.send)) sends"] + commands
      + ["\(appearance.keyName(.newline)) begins a line"]
  }
}
