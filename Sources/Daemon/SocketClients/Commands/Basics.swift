import ConfabAccounts
import Clocks
import JSON
import LineProtocol
import MessageLog
import Records
import State
import XMPPCore

/// `help`, `ping`, `version`, `quit` and `status`.
extension Command {
  static let basics: [Verb: Handler] = [
    .help: { $0.help() },
    .ping: { $0.answerOK() },
    .version: { $0.answerOK { $0.member("version", ConfabVersion.text) } },
    .quit: { $0.quit() },
    .status: { try $0.status() },
  ]

  private func help() {
    var writer = JSONWriter()
    Help.answer(request, rights: client.socket.rights, into: &writer)
    answer(writer.bytes)
  }

  private func quit() {
    answerOK()
    client.isClosing = true
  }

  private func status() throws(RequestFailure) {
    _ = try context.accounts(of: request)
    // Hooks are of all accounts.
    let showsHooks = request.string(.for) == nil && client.socket.accounts.isEmpty
    let status = StatusAnswer(request: request, hooks: showsHooks ? clients.hooks : nil, context: context)
    guard request.string(.for) == "online", !status.isOnline else { return answer(status.bytes) }
    wait(Waiter(client: client.id, request: request))
  }
}

// MARK: - The answer of `status`

/// How the daemon is, and the accounts that a request asks about.
struct StatusAnswer {
  let request: Request
  /// Nil: they are not shown.
  let hooks: Hooks?
  let context: RequestContext

  /// All of these accounts are online.
  var isOnline: Bool {
    (try? context.accounts(of: request))?.allSatisfy { $0.status.state == .online } == true
  }

  var bytes: [UInt8] {
    let accounts = (try? context.accounts(of: request)) ?? []
    let now = context.effects.now.instant
    return accounts.flatMap { account in
      request.data("account") { AccountObject(account: account, now: now).write(into: &$0) }
    }
      + request.ok {
        if let replayed = context.storage.replayed { $0.member("reading_log", replayed) }
        if context.storage.trouble != nil { $0.object("storage") { context.writeStorage(into: &$0) } }
        context.damage?.write(unknownAccounts: context.state.accounts.unknown.count, into: &$0)
        hooks?.write(into: &$0)
      }
  }
}

extension KnownDamage {
  fileprivate func write(unknownAccounts: Int, into writer: inout JSONWriter) {
    writer.object("damaged") {
      $0.member("places", places)
      $0.member("records", records)
      if unknownAccounts > 0 { $0.member("accounts", unknownAccounts) }
      guard let first else { return }
      $0.member("segment", first.segment.fileName)
      $0.member("offset", first.offset)
      $0.member("record", first.record)
    }
  }
}

/// The object of one account in the answer of `status`.
private struct AccountObject {
  let account: Account
  let now: Instant

  func write(into writer: inout JSONWriter) {
    let (state, status) = (account.state, account.status)
    writer.member("name", account.name)
    writer.member("jid", account.jid.description)
    writer.member("state", status.state.rawValue)
    writer.member("since", status.since.rfc3339)
    writer.member("reason", status.reason)
    if let server = status.server { writer.member("server", server) }
    if let tls = status.tls { writer.member("tls", tls) }
    if let sasl = status.sasl { writer.member("sasl", sasl) }
    if let login = state.server.login { writer.member("pinned", login.words) }
    writer.member("queued", state.outbox.count + state.outbox.held.count)
    writer.member("held", state.outbox.held.values.count { $0.fileCount == 0 })
    writer.member("unacked", account.isOnline ? account.outbox.unacknowledgedCount : 0)
    if let retry = status.retryAt { writer.member("retry_at", retry.rfc3339) }
    writer.object("presence") {
      $0.member("show", state.wish.show)
      $0.member("status", state.wish.status)
    }
    if account.isOnline {
      write(account.parts, into: &writer)
      write(account.parts.messaging.rooms.all, into: &writer)
    }
    if let heard = status.lastHeard { writer.member("last_heard", heard.rfc3339) }
    if let gap = state.server.gap, let since = gap.since, let until = gap.until {
      writer.object("gap") {
        $0.member("since", Timestamp(milliseconds: since).rfc3339)
        $0.member("until", Timestamp(milliseconds: until).rfc3339)
      }
    }
  }

  /// Rooms that have not been joined for more than a minute.
  private func write(_ rooms: [Room], into writer: inout JSONWriter) {
    let troubled = rooms.filter { $0.machine.troubledSince.map { now - $0 > .minutes(1) } ?? false }
    guard !troubled.isEmpty else { return }
    writer.array("rooms") { array in
      for room in troubled {
        array.beginObject()
        array.member("jid", room.jid.description)
        array.member("state", room.machine.word)
        if let reason = room.machine.reason { array.member("reason", reason) }
        array.endObject()
      }
    }
  }

  private func write(_ parts: AccountParts, into writer: inout JSONWriter) {
    let archive = parts.core.archive
    if let trouble = parts.people.roster.trouble { writer.member("roster", trouble) }
    writer.member("carbons", parts.core.features.hasCarbons)
    writer.object("archive") {
      $0.member("state", archive.reported.rawValue)
      $0.member("taken", archive.taken)
      if archive.leftCount > 0 { $0.member("left", archive.leftCount) }
      if let reason = archive.reason { $0.member("reason", reason) }
    }
  }
}
