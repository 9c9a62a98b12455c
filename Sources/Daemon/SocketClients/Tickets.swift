import ConfabAccounts
import LineProtocol

/// The requests whose answers come from servers, files or the configuration: each has a ticket.
struct Tickets {
  private var lastNumber: UInt64 = 0
  /// Requests that are answered out of their order.
  private var late: [Ticket: Request] = [:]
  /// `reload` requests that wait for the configuration to be read.
  private var reloads: [Ticket] = []

  mutating func make(for client: ClientID) -> Ticket {
    lastNumber += 1
    return Ticket(client: client, number: lastNumber)
  }

  /// A ticket for an answer that may come out of order.
  mutating func make(for client: ClientID, late request: Request) -> Ticket {
    let ticket = make(for: client)
    late[ticket] = request
    return ticket
  }

  /// Takes the request that is answered out of order; nil if it is none, or nobody waits for it any more.
  mutating func takeLate(_ ticket: Ticket) -> Request? { late.removeValue(forKey: ticket) }

  /// The client waits for nothing any more: takes the requests that would have been answered out of order.
  mutating func forgetLate(of client: ClientID) -> [Request] {
    let tickets = late.keys.filter { $0.client == client }
    return tickets.compactMap { takeLate($0) }
  }

  /// Answers this one once the configuration is read.
  mutating func awaitReload(_ ticket: Ticket) { reloads.append(ticket) }

  mutating func takeReloads() -> [Ticket] {
    defer { reloads = [] }
    return reloads
  }
}
