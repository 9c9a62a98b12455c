package import Clocks
import HelperProtocol
package import LineProtocol
package import Records
package import ConfabConfiguration
import State
package import XMPPCore
package import XMPPExtensions

/// The effects of the event being handled, and what deciding needs of the outside: the time and randomness. Parts of
/// the engine share one; the driver performs the actions after each event, in their order.
package final class Effects {
  /// The time of the event being handled.
  package var now: Moment
  let random: any RandomSource
  /// Seconds east of UTC at a time, in the daemon's time zone.
  package let utcOffset: (Timestamp) -> Int
  /// The actions for the driver, in order.
  package var actions: [Action] = []
  /// Events for watchers, beside the records themselves.
  package var ephemeralEvents: [EphemeralEvent] = []
  /// The answers to requests of front ends.
  package var outcomes: [(ticket: Ticket, outcome: TicketOutcome)] = []
  /// The continuations of orders to files that have not ended.
  var fileWork: [FileTicket: (FileOutcome) -> Void] = [:]
  /// Listeners of the transfers that run.
  var transfers: [TransferTicket: (TransferEvent) -> Void] = [:]
  /// The configuration of the daemon.
  package var daemon = DaemonSettings()
  private var lastNumber: UInt64 = 0
  private var gate = JournalGate()

  package init(now: Moment, random: any RandomSource, utcOffset: @escaping (Timestamp) -> Int) {
    (self.now, self.random, self.utcOffset) = (now, random, utcOffset)
  }

  package func act(_ action: Action) { actions.append(action) }

  package func publish(_ event: EphemeralEvent) { ephemeralEvents.append(event) }

  /// Answers the request of a front end.
  package func answer(_ ticket: Ticket, _ outcome: TicketOutcome) { outcomes.append((ticket, outcome)) }

  /// Writes a line for the journal: no text, and nobody's name but an address.
  package func journal(_ level: LogLevel, _ line: String, about fields: JournalFields = JournalFields()) {
    actions.append(.journal(level, line, fields))
  }

  /// Writes a line that others can cause as often as they like, unless there were many of its topic lately.
  package func journal(
    _ level: LogLevel, _ topic: JournalGate.Topic, of account: AccountRecord? = nil, _ line: String,
    about fields: JournalFields = JournalFields()
  ) {
    guard let leftOut = gate.admit(topic, of: account?.number, at: now.instant) else { return }
    let others = leftOut == 0 ? "" : " (and \(leftOut) lines like this before it)"
    var fields = fields
    if let account { fields.account = account.name }
    journal(level, (account.map { "account \($0.name): " } ?? "") + line + others, about: fields)
  }

  /// A token that nobody can guess, of letters, digits, `-` and `_`.
  package func token(bytes: Int) -> String { random.token(bytes: bytes) }

  /// A number never given before in this process: for links and iq ids.
  package func freshNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }
}

/// Stands for a front end's request that waits for the server's answer.
package struct Ticket: Hashable, Sendable {
  package let client: ClientID
  package let number: UInt64

  package init(client: ClientID, number: UInt64) { (self.client, self.number) = (client, number) }
}

/// How the server answered.
package enum TicketOutcome: Sendable {
  /// Done; what it changed is known once the record with this number is durable (0: it left none).
  case done(UInt64)
  /// It said no, in words.
  case refused(String)
  /// The connection ended first.
  case disconnected
  case timedOut
  /// It cannot be done, for this reason.
  case failed(RequestFailure)
  /// The picture that was asked for.
  case avatar(OpenAvatar)
  /// The file of a message that was asked for.
  case file(OpenFile)
  /// The server cannot do it, in words.
  case unsupported(String)
  /// The block list of the account with this number.
  case blocked([JID], account: UInt32)
  /// There is no such thing, in words.
  case notFound(String)
  /// The profile of somebody, looked up by the account with this number.
  case profile(Profile, of: JID, account: UInt32)
  /// The rooms that a service lists.
  case rooms(RoomListing)
  /// A room that I am not in.
  case room(RoomRecord)
  /// A room that has taken me, once the record with this number is durable.
  case joined(RoomRecord, after: UInt64)
  case members([RoomOccupant])
  case topic(String)
  /// Older messages of a room are here once the record with this number is durable, as far as they can be had.
  case olderFetched(after: UInt64)
  case form(DataForm)
  /// A message of somebody else that was retracted, known once the record with the second number is durable.
  case moderated(UInt64, after: UInt64)
  /// The lists of somebody's devices are known, as far as they can be had.
  case devices(account: UInt32, of: String)
  /// The nick that a room keeps for me; nil: it keeps none.
  case registered(String?)
}

extension TicketOutcome {
  /// The descriptor that goes with the answer.
  package var descriptor: DescriptorID? {
    switch self {
    case .avatar(let avatar): avatar.descriptor
    case .file(let file): file.descriptor
    default: nil
    }
  }
}
