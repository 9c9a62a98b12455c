/// The machine's network as reported by the kernel, so that a repeated report is not a change: a wireless card
/// that scanned, a router's advertisement that renews a route.
///
/// Reads messages of rtnetlink(7) in the machine's byte order; what does not have their shape is passed over.
package struct NetworkState {
  /// True for an interface, by its index, that is up and has its cable in or its station found.
  private var links: [Int32: Bool] = [:]
  /// Routes and addresses by their identity, with their destination.
  private var entries: [[UInt8]: [UInt8]] = [:]

  /// More are not kept; then a repeated report counts as a change.
  package static let most = 4096

  package init() {}

  /// How much is kept.
  package var size: Int { max(links.count, entries.count) }

  /// Takes in the messages of one datagram; says whether any of them may change who can be reached.
  package mutating func takes(_ datagram: [UInt8]) -> Bool {
    var rest = datagram[...]
    var isChange = false
    while let message = Message(takingFrom: &rest) {
      // All of them are looked at: each belongs to the picture.
      if take(message) { isChange = true }
    }
    return isChange
  }

  private mutating func take(_ message: Message) -> Bool {
    if links.count > Self.most { links = [:] }
    if entries.count > Self.most { entries = [:] }
    switch message.kind {
    case .newLink: return note(message)
    case .goneLink: return message.number(at: 4, as: Int32.self).map { links.removeValue(forKey: $0) == true } ?? false
    case .newAddress, .newRoute:
      guard let entry = RoutingEntry(message) else { return false }
      return entries.updateValue(entry.value, forKey: entry.identity) != entry.value
    case .goneAddress, .goneRoute:
      guard let entry = RoutingEntry(message) else { return false }
      entries[entry.identity] = nil
      return true
    }
  }

  /// struct ifinfomsg: family, type, index, flags.
  private mutating func note(_ message: Message) -> Bool {
    guard let index = message.number(at: 4, as: Int32.self), let flags = message.number(at: 8, as: UInt32.self) else {
      return false
    }
    let isUp = flags & (Flags.up | Flags.lowerUp) == Flags.up | Flags.lowerUp
    let before = links.updateValue(isUp, forKey: index)
    // A new interface that is down is of no use to anybody.
    return before != isUp && (before != nil || isUp)
  }

  /// IFF_UP, IFF_LOWER_UP of netdevice(7).
  private enum Flags {
    static let up: UInt32 = 1
    static let lowerUp: UInt32 = 1 << 16
  }
}

/// A route that packets may take beyond the link, or an address of ours.
private struct RoutingEntry {
  let identity: [UInt8]
  let value: [UInt8]

  /// Nil for what makes no difference to a connection: link-local, multicast and broadcast entries, and copies in a cache.
  init?(_ message: Message) {
    switch message.kind {
    case .newAddress, .goneAddress: self.init(address: message)
    case .newRoute, .goneRoute: self.init(route: message)
    case .newLink, .goneLink: return nil
    }
  }

  /// struct ifaddrmsg: family, prefix length, flags, scope, index (8 bytes); the flags may change by themselves.
  private init?(address message: Message) {
    guard let scope = message.number(at: 3, as: UInt8.self), scope < 253,
      let index = message.number(at: 4, as: UInt32.self)
    else { return nil }
    identity = [0] + message.body.prefix(2) + "\(index)".utf8 + message.attributes(after: 8, [1, 2])
    value = []
  }

  /// struct rtmsg: family, lengths of destination and source, TOS, table, protocol, scope, type, flags (12 bytes).
  private init?(route message: Message) {
    guard let type = message.number(at: 7, as: UInt8.self), type == 1 || type == 2,
      let flags = message.number(at: 8, as: UInt32.self), flags & 0x200 == 0
    else { return nil }
    let destination = message.attributes(after: 12, [1])
    // After the attribute's own header of four bytes: fe80::/10 and ff00::/8.
    let first = destination.dropFirst(4)
    if message.body.first == 10, first.count >= 2, first[4] == 0xFF || first[4] == 0xFE && first[5] & 0xC0 == 0x80 {
      return nil
    }
    // Destination, source, priority, table; then interface, gateway, preferred source, several next hops, other family's
    // gateway, next hop object.
    identity = [1] + message.body.prefix(5) + message.attributes(after: 12, [1, 2, 6, 15])
    value = [type] + message.attributes(after: 12, [4, 5, 7, 9, 18, 30])
  }
}

/// One message of a datagram (struct nlmsghdr: length, type, flags, number, sender: 16 bytes).
private struct Message {
  enum Kind: UInt16 {
    case newLink = 16, goneLink, newAddress = 20, goneAddress, newRoute = 24, goneRoute
  }

  let kind: Kind
  let body: ArraySlice<UInt8>

  /// Takes the next message of a kind that matters; nil at the end, or where the rest is no message.
  init?(takingFrom rest: inout ArraySlice<UInt8>) {
    while let length = rest.number(at: 0, as: UInt32.self).flatMap({ Int(exactly: $0) }),
      let type = rest.number(at: 4, as: UInt16.self), length >= 16, length <= rest.count
    {
      let body = rest.prefix(length).dropFirst(16)
      rest = rest.dropFirst(min(rest.count, (length + 3) & ~3))
      guard let kind = Kind(rawValue: type) else { continue }
      (self.kind, self.body) = (kind, body)
      return
    }
    return nil
  }

  func number<Number: FixedWidthInteger>(at offset: Int, as type: Number.Type) -> Number? {
    body.number(at: offset, as: type)
  }

  /// The attributes of these types, each with its header (struct rtattr: length, type), behind the fixed part.
  func attributes(after fixed: Int, _ types: Set<UInt16>) -> [UInt8] {
    var rest = body.dropFirst(fixed)
    var found: [UInt8] = []
    while let length = rest.number(at: 0, as: UInt16.self).map({ Int($0) }),
      let type = rest.number(at: 2, as: UInt16.self), length >= 4, length <= rest.count
    {
      if types.contains(type) { found += rest.prefix(length) }
      rest = rest.dropFirst(min(rest.count, (length + 3) & ~3))
    }
    return found
  }
}

extension ArraySlice<UInt8> {
  /// The number in the machine's byte order so many bytes from the beginning; nil if the bytes end before.
  fileprivate func number<Number: FixedWidthInteger>(at offset: Int, as type: Number.Type) -> Number? {
    let size = Number.bitWidth / 8
    guard count - offset >= size else { return nil }
    var number: Number = 0
    unsafe Swift.withUnsafeMutableBytes(of: &number) {
      unsafe $0.copyBytes(from: self[(startIndex + offset)..<(startIndex + offset + size)])
    }
    return number
  }
}
