package import Clocks
package import ConfabClient
import JSON
import LineProtocol

/// Rows of the open conversations, and what is sent to them.
extension SocketModel {
  /// Opens a conversation: its newest rows, or those around a message.
  package mutating func open(_ key: ConversationKey, at page: PageRequest = .newest, name: String = "") {
    conversations.ensure(key, name: name.isEmpty ? contacts[key]?.name ?? "" : name)
    if windows[key] == nil { windows[key] = RowWindow() }
    load(page, of: key)
    askOccupants(of: key)
    askEncryption(of: key)
  }

  /// Rows of a conversation that nobody looks at are not kept.
  package mutating func close(_ key: ConversationKey) {
    windows[key] = nil
    encryption.forgetNews(of: key)
  }

  /// Asks for a page, unless one is on its way; a jump replaces what is on its way.
  package mutating func load(_ page: PageRequest, of key: ConversationKey) {
    guard let window = windows[key] else { return }
    switch page {
    case .before, .after: guard window.asked == nil else { return }
    case .newest, .around, .row: break
    }
    guard link == .connected else { return }
    windows[key]?.ask(page)
    let number = window.number + 1
    var request = page.request(key, limit: pageSize)
    if showsIgnored.contains(key) { request.options[.ignored] = .string("yes") }
    ask(request, .rows(key, page, number: number))
  }

  /// Asks for older or newer rows where a screenful is no longer at hand.
  package mutating func prefetch(_ key: ConversationKey, visible: Range<Int>, screenful: Int) {
    guard let window = windows[key], window.asked == nil, !window.isStale else { return }
    if window.hasMoreBefore, visible.lowerBound < screenful, let first = window.rows.first {
      load(.before(first.id), of: key)
    } else if window.hasMoreAfter, window.rows.count - visible.upperBound < screenful, let last = window.rows.last {
      load(.after(last.id), of: key)
    }
  }

  /// Lets rows go that are far from what is shown.
  package mutating func trim(_ key: ConversationKey, visible: Range<Int>, keep: Int) {
    guard let window = windows[key], window.rows.count > visible.count + 4 * keep else { return }
    windows[key]?.trim(around: visible, keep: keep)
  }

  /// Asks again for what is no longer right, around what is read; the newest where nothing is.
  package mutating func refresh(_ key: ConversationKey, around id: UInt64? = nil) {
    guard let window = windows[key] else { return }
    if let id = id ?? (window.hasMoreAfter ? window.rows.dropFirst(window.rows.count / 2).first?.id : nil) {
      load(.around(id), of: key)
    } else {
      load(.newest, of: key)
    }
  }

  /// Asks for the rows at a time; `found` then says where they are.
  package mutating func jump(to time: Timestamp, in key: ConversationKey) {
    var request = Request(.history, options: [.limit: .integer(1), .untilTime: .time(time)])
    request.arguments[.jid] = .string(key.jid)
    request.account = key.accountName
    ask(request, .beforeTime(key))
  }

  package mutating func askSections(_ key: ConversationKey) {
    sections[key] = nil
    awaitedSections.insert(key)
    var request = Request(.sections, options: [.limit: .integer(1000)], arguments: [.jid: .string(key.jid)])
    request.account = key.accountName
    ask(request, .sections(key))
  }

  /// The sections are all here, or there are none.
  mutating func finishSections(_ key: ConversationKey) {
    sections[key, default: []] += []
    awaitedSections.remove(key)
  }

  // MARK: Sending

  /// Sends a text; it waits here until the daemon has stored it.
  ///
  /// - Parameters:
  ///   - purpose: nil for a message of its own.
  ///   - key: random, so that a repetition after a cut is recognised.
  package mutating func send(
    _ text: String, to conversation: ConversationKey, purpose: WritingPurpose? = nil, key: String, holdSeconds: Int
  ) {
    let isHeld = purpose?.isCorrection != true
    let message = outgoing.add(
      text, to: conversation, purpose: purpose, key: key, holdSeconds: isHeld ? holdSeconds : 0)
    transmit(message)
  }

  /// Takes back a message that has not gone out.
  package mutating func cancel(_ row: MessageRow, in key: ConversationKey) {
    ask(Request(.cancel, arguments: [.id: .id(row.id)]), .cancel(key, text: row.text))
  }

  /// Asks for a message to be sent; until the owners are known, it waits with the others.
  mutating func transmit(_ message: OutgoingText) {
    if awaitsOwners { return }
    if !message.paths.isEmpty { return transmitFiles(message) }
    var request = Request(
      .send, options: [.key: .string(message.key)], arguments: [.to: .string(message.conversation.jid)],
      text: message.text)
    switch message.purpose {
    case .reply(let id, _, _): request.options[.reply] = .id(id)
    case .correction(let id, _): request.options[.replace] = .id(id)
    case nil: break
    }
    if expandsEmoticons { request.options[.emoticons] = .string("expand") }
    if message.holdSeconds > 0 { request.options[.hold] = .duration(.seconds(Int64(message.holdSeconds))) }
    request.account = message.conversation.accountName
    ask(request, .send(message.id))
  }

  /// A text that was refused for the expansion of its emoticons goes again as it is; any other one comes back.
  mutating func refuse(_ id: OutgoingText.ID, _ answer: JSONValue, _ reason: String) -> [ModelEvent] {
    let isAboutEmoticons = answer["argument"]?.string == OptionName.emoticons.rawValue
    if isAboutEmoticons, let message = outgoing.all.first(where: { $0.id == id }) {
      expandsEmoticons = false
      transmit(message)
      return []
    }
    return outgoing.take(id).map { [.refused($0, reason)] } ?? []
  }
}

extension PageRequest {
  /// The request for a page of rows.
  func request(_ key: ConversationKey, limit: Int) -> Request {
    var request = Request(.history, options: [.limit: .integer(limit)], arguments: [.jid: .string(key.jid)])
    request.account = key.accountName
    switch self {
    case .newest: break
    case .around(let id): request.options[.around] = .id(id)
    case .before(let id): request.options[.before] = .id(id)
    case .after(let id): request.options[.after] = .id(id)
    case .row(let row): request.options[.row] = .integer(row)
    }
    return request
  }
}
