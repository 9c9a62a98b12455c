import Clocks
import Conversations
import Facts
import JSON
import LineProtocol
import MessageLog
import Records
import XMPPCore

/// The version of this release: the greeting's, `version`'s and XEP-0092's.
package enum ConfabVersion {
  package static let text = "0.1.0"
}

/// The lines of answers, as bytes.
enum Lines {
  static func ok(_ request: Request, _ members: (inout JSONWriter) -> Void = { _ in }) -> [UInt8] {
    var writer = JSONWriter()
    Answer.ok(request.tag, into: &writer, members)
    return writer.bytes
  }

  static func failure(_ failure: RequestFailure, _ tag: RequestTag?) -> [UInt8] {
    var failure = failure
    failure.tag = failure.tag ?? tag
    var writer = JSONWriter()
    Answer.error(failure, into: &writer)
    return writer.bytes
  }

  static func data(_ name: StaticString, _ request: Request, _ members: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    Answer.data(name, request.tag, into: &writer, members)
    return writer.bytes
  }

  static func help(_ request: Request, _ rights: Rights) -> [UInt8] {
    var writer = JSONWriter()
    Help.answer(request, rights: rights, into: &writer)
    return writer.bytes
  }

  static func greeting(log: String, last: UInt64, rights: Rights) -> [UInt8] {
    var writer = JSONWriter()
    Greeting(version: ConfabVersion.text, log: log, last: last, rights: rights).write(into: &writer)
    return writer.bytes
  }

  /// A message of mine is stored, and this is how far it got.
  static func stored(_ id: UInt64, _ standing: Standing, _ request: Request, isRepeat: Bool) -> [UInt8] {
    ok(request) {
      $0.member("id", id)
      $0.member("state", standing.state.word)
      if standing.inDoubt { $0.member("in_doubt", true) }
      if isRepeat { $0.member("repeated", true) }
      if let failure = standing.failure { write(failure, into: &$0) }
    }
  }

  /// A message of mine is stored and did not get as far as was waited for.
  static func unsuccessful(_ code: ErrorCode, _ id: UInt64, _ standing: Standing, _ request: Request) -> [UInt8] {
    let reason =
      switch code {
      case .notFound where standing.state == .failed: "it has failed already"
      case .notFound: "it has gone out already, or may have"
      case .timeout: "it is stored and still goes its way; it did not get that far in time"
      case _ where standing.state == .cancelled: "it was taken back"
      default: "its delivery failed: \(standing.failure?.text ?? standing.failure?.condition ?? standing.state.word)"
      }
    var writer = JSONWriter()
    let argument = code == .notFound ? "id" : nil
    Answer.error(RequestFailure(code, reason, argument: argument, tag: request.tag), into: &writer) {
      $0.member("id", id)
      $0.member("state", standing.state.word)
      if let failure = standing.failure { write(failure, into: &$0) }
    }
    return writer.bytes
  }

  /// A watch begins behind this number.
  static func watching(since start: UInt64, _ request: Request) -> [UInt8] {
    ok(request) { $0.member("seq", start) }
  }

  static func unread(_ count: Int, _ request: Request) -> [UInt8] {
    ok(request) {
      $0.member("unread", count)
      // Mentions exist in rooms, which are not joined yet.
      $0.member("mentions", 0)
    }
  }

  /// How the server answered a change of the roster.
  static func outcome(_ outcome: TicketOutcome, _ request: Request) -> [UInt8] {
    switch outcome {
    case .done: ok(request)
    case .refused(let words): failure(RequestFailure(.failed, words), request.tag)
    case .disconnected:
      failure(RequestFailure(.notConnected, "the connection ended before the server answered"), request.tag)
    case .timedOut: failure(RequestFailure(.timeout, "the server did not answer"), request.tag)
    }
  }

  /// What a reloaded configuration changed.
  static func reloaded(_ changes: ConfigurationChanges, _ request: Request) -> [UInt8] {
    ok(request) {
      $0.array("changed") { array in changes.changed.forEach { array.value($0) } }
      $0.array("restart") { array in changes.restart.forEach { array.value($0) } }
    }
  }

  static func write(_ section: Section, _ request: Request, _ desk: Desk, into writer: inout JSONWriter) {
    Answer.data("section", request.tag, into: &writer) {
      $0.member("id", section.id)
      $0.member("start", section.start)
      $0.member("end", section.end)
      $0.member("count", section.count)
      $0.member("first", section.first)
      $0.member("last", section.last)
      let offset = desk.effects.utcOffset(section.start)
      $0.member("title", plain: SectionTitle.longest) {
        SectionTitle.append(section.start, offsetSeconds: offset, to: &$0)
      }
    }
  }

  /// Where a search found its text.
  static func write(_ ranges: [Range<Int>], into writer: inout JSONWriter) {
    writer.array("hits") { array in
      for range in ranges {
        array.beginArray()
        array.value(range.lowerBound)
        array.value(range.upperBound)
        array.endArray()
      }
    }
  }

  static func write(_ failure: Failure, into writer: inout JSONWriter) {
    writer.object("failure") {
      $0.member("condition", failure.condition)
      if let text = failure.text { $0.member("text", text) }
    }
  }
}

// MARK: - Accounts, contacts, conversations

extension Lines {
  static func status(_ request: Request, _ desk: Desk) -> [UInt8] {
    let accounts = (try? desk.accounts(of: request)) ?? []
    return accounts.flatMap { account in data("account", request) { write(account, into: &$0) } }
      + ok(request) {
        if let replayed = desk.storage.replayed { $0.member("reading_log", replayed) }
        if let storage = desk.storageStatus { $0.object("storage") { storage.write(into: &$0) } }
        if let damage = desk.damage { write(damage, unknownAccounts: desk.facts.unknownAccounts.count, into: &$0) }
      }
  }

  private static func write(_ damage: KnownDamage, unknownAccounts: Int, into writer: inout JSONWriter) {
    writer.object("damaged") {
      $0.member("places", damage.places)
      $0.member("records", damage.records)
      if unknownAccounts > 0 { $0.member("accounts", unknownAccounts) }
      guard let first = damage.first else { return }
      $0.member("segment", first.segment.fileName)
      $0.member("offset", first.offset)
      $0.member("record", first.record)
    }
  }

  private static func write(_ account: Account, into writer: inout JSONWriter) {
    let status = account.status
    writer.member("name", account.name)
    writer.member("jid", account.jid.description)
    writer.member("state", status.state.rawValue)
    writer.member("since", status.since.rfc3339)
    writer.member("reason", status.reason)
    if let server = status.server { writer.member("server", server) }
    if let tls = status.tls { writer.member("tls", tls) }
    if let sasl = status.sasl { writer.member("sasl", sasl) }
    if let login = account.facts.login { writer.member("pinned", login.words) }
    writer.member("queued", account.facts.outbox.count + account.facts.outbox.held.count)
    writer.member("held", account.facts.outbox.held.count)
    writer.member("unacked", account.isOnline ? account.outbox.unacknowledgedCount : 0)
    if let retry = status.retryAt { writer.member("retry_at", retry.rfc3339) }
    writer.object("presence") {
      $0.member("show", account.facts.wish.show)
      $0.member("status", account.facts.wish.status)
    }
    if account.isOnline { write(account.router, into: &writer) }
    if let heard = status.lastHeard { writer.member("last_heard", heard.rfc3339) }
    if let gap = account.facts.gap, let since = gap.since, let until = gap.until {
      writer.object("gap") {
        $0.member("since", Timestamp(milliseconds: since).rfc3339)
        $0.member("until", Timestamp(milliseconds: until).rfc3339)
      }
    }
  }

  private static func write(_ router: StanzaRouter, into writer: inout JSONWriter) {
    if let trouble = router.roster.trouble { writer.member("roster", trouble) }
    writer.member("carbons", router.features.hasCarbons)
    writer.object("archive") {
      $0.member("state", router.archive.progress.phase.rawValue)
      $0.member("taken", router.archive.progress.taken)
      if let reason = router.archive.progress.reason { $0.member("reason", reason) }
    }
  }

  static func write(
    _ conversation: Conversation, _ request: Request, _ desk: Desk, into writer: inout JSONWriter
  ) {
    Answer.data("conversation", request.tag, into: &writer) { desk.writeConversation(conversation, into: &$0) }
  }
}

extension Desk {
  func writeConversation(_ conversation: Conversation, into writer: inout JSONWriter) {
    let contact = facts.accounts[conversation.account]?.contacts[conversation.jid]
    writer.member("jid", conversation.jid)
    if let account = shownName(of: conversation.account) { writer.member("account", account) }
    writer.member("name", contact?.name ?? conversation.jid)
    writer.member("kind", "chat")
    writer.member("unread", conversation.unread)
    writer.member("mentions", 0)
    writer.member("count", conversation.timeline.count)
    writeNewest(of: conversation, into: &writer)
    writer.member("draft", conversation.draft)
    writer.member("read", conversation.read?.id ?? 0)
  }

  private func writeNewest(of conversation: Conversation, into writer: inout JSONWriter) {
    let timeline = conversation.timeline
    guard let row = (0..<timeline.count).last else { return }
    let (entry, placement) = (timeline[row], timeline.placements(of: row..<row + 1).first)
    records.withMessage(entry.id, at: entry.location) { message in
      writer.key("last")
      surroundings(account: conversation.account, conversation.jid)
        .object(entry, isMine: message.mine, placement: placement).write(message, into: &writer)
    }
  }

  /// A `contact` member.
  func writeContact(_ contact: ContactRecord, into writer: inout JSONWriter) {
    writer.member("jid", contact.jid)
    if let account = shownName(of: contact.account) { writer.member("account", account) }
    if let name = contact.name { writer.member("name", name) }
    writer.array("groups") { array in contact.groups.forEach { array.value($0) } }
    writer.member("subscription", contact.isGone ? "remove" : contact.subscription ?? "none")
    if let ask = contact.ask { writer.member("ask", ask) }
    if contact.request { writer.member("request", true) }
    writer.array("presence") { array in
      for resource in accounts.numbered(contact.account)?.presences.resources(of: contact.jid) ?? [] {
        array.beginObject()
        array.member("resource", resource.name)
        array.member("show", resource.show)
        array.member("status", resource.status)
        array.endObject()
      }
    }
  }
}
