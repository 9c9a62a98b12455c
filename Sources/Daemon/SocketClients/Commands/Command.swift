import State
import ConfabAccounts
import Clocks
import JSON
import LineProtocol
import Records
import XMPPCore

/// A request to be carried out: who asked, and what its handler may use. Each family of verbs is an extension in a file
/// of its own, with the handlers, the answers, and the row by which a verb finds its handler.
struct Command {
  /// Throws a `RequestFailure`. (The compiler infers no typed errors for closures.)
  typealias Handler = @Sendable (Command) throws -> Void

  let request: Request
  let client: Client
  let clients: Clients
  let context: RequestContext

  /// The handler of each verb.
  static let handlers: [Verb: Handler] =
    [
      basics, sending, scheduling, typing, changing, history, searching, reading, settings, watching, cursors,
      emoticons, roster,
      people, encryption, rooms, roomNews, roomOrders, avatars, files, connecting,
    ]
    .reduce(into: [:]) { $0.merge($1) { first, _ in first } }

  func perform() throws(RequestFailure) {
    guard let handler = Self.handlers[request.verb] else {
      preconditionFailure("verb \(request.verb) has no handler")
    }
    do { try handler(self) } catch { throw error as? RequestFailure ?? RequestFailure(.failed, "\(error)") }
  }
}

// MARK: - What handlers have in common

extension Command {
  /// The account of the request: the one it names, or else the only one.
  func account() throws(RequestFailure) -> Account { try context.account(of: request) }

  /// The JID that the request is about.
  func jid() throws(RequestFailure) -> JID { try context.jid(request.string(.jid), "jid") }

  /// The JID of somebody on the server's roster or block list, or to be put there.
  func contact() throws(RequestFailure) -> JID { try context.jid(request.string(.jid), "jid", isContact: true) }

  /// The conversation that the request is about: a JID without its resource, unless that is an occupant of a room.
  func bareJID() throws(RequestFailure) -> String { try conversation(with: jid()) }

  private func conversation(with jid: JID) throws(RequestFailure) -> String {
    // One with an occupant of a room that is not known yet is in the log all the same.
    let isOfRoom = try context.accounts(of: request).contains {
      $0.room(jid.bare) != nil || $0.state.conversations[jid.description] != nil
    }
    return isOfRoom ? jid.description : jid.bare.description
  }

  /// The bare JID that an option names.
  func bareJID(_ option: OptionName) throws(RequestFailure) -> String? {
    guard let text = request.string(option) else { return nil }
    return try conversation(with: context.jid(text, option.rawValue))
  }

  func answer(_ bytes: [UInt8]) { client.answers.append(bytes) }

  func answerOK(_ members: (inout JSONWriter) -> Void = { _ in }) { answer(request.ok(members)) }

  /// Appends a record, and answers when it is durable.
  @discardableResult
  func store(_ record: Record, then completion: AnswerQueue.Completion = .plain) -> UInt64 {
    let sequence = context.storage.appendUrgently(record)
    answer(whenDurable: sequence, then: completion)
    return sequence
  }

  /// Answers when a record that has been appended is durable.
  func answer(whenDurable sequence: UInt64, then completion: AnswerQueue.Completion = .plain) {
    client.lastAppended = max(client.lastAppended, sequence)
    client.answers.append(.stored(sequence: sequence, request.withoutText, then: completion))
  }

  /// The answer comes out of order, at the latest at the time-out.
  func wait(_ waiter: Waiter) {
    guard context.storage.isWhole, !client.output.hasFailed else { return }
    clients.shares.beginWaiting(waiter.request, client)
    let wanted = request.duration(.timeout) ?? .seconds(30)
    let timeout = client.socket.rights == .full ? wanted : min(wanted, Self.longestWait)
    clients.waiters.add(waiter, until: context.effects.now.instant.advanced(by: timeout))
  }

  /// The longest time-out on a socket without all rights.
  private static let longestWait = Interval.minutes(10)

  /// A ticket for the answer, which comes from the server or the disk.
  func ticket() -> Ticket {
    let ticket = clients.tickets.make(for: client.id)
    client.answers.append(.ticket(ticket.number, request))
    return ticket
  }

  /// A ticket for an answer that may come out of order, with a descriptor or without one.
  func lateTicket() -> Ticket {
    clients.shares.beginWaiting(request, client)
    if request.row.givesDescriptor { client.output.oweDescriptor() }
    return clients.tickets.make(for: client.id, late: request)
  }

  /// The answer, once the record is durable.
  func complete(_ sequence: UInt64, _ completion: AnswerQueue.Completion) -> [UInt8] {
    switch completion {
    case .plain: request.ok()
    case .send(let place): sendAnswer(sequence, place, isRepeat: false)
    case .status(let id, let place): request.stored(id, context.status(of: id, at: place), isRepeat: false)
    case .moderated(let id): request.stored(id, DeliveryStatus(state: .delivered), isRepeat: false)
    case .cancelled(let id): request.stored(id, DeliveryStatus(state: .cancelled), isRepeat: false)
    case .read: readAnswer()
    case .room(let record): request.ok { $0.object("room") { context.write(record, into: &$0) } }
    case .forgotten(let count, let kept):
      request.ok {
        $0.member("forgotten", count)
        $0.member("kept", kept)
      }
    case .encryption(let account, let jid):
      context.accounts.numbered(account).map { request.answer($0.parts.messaging.encryption.state(of: jid)) }
        ?? request.ok()
    case .watch(let start): request.ok { $0.member("seq", start) }
    }
  }
}

extension Request {
  /// The request without its text, for answers that wait: the record has the text.
  var withoutText: Request {
    var copy = self
    copy.text = nil
    return copy
  }
}
