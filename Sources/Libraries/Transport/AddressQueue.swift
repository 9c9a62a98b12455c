import Syscalls

/// The addresses of a host that wait to be tried: the families in turn, IPv6 first (RFC 8305, section 4). Within a
/// family they stay as the name server has them, which spreads its clients so; that one cannot be reached from here,
/// which RFC 6724 would tell beforehand, costs one system call.
struct AddressQueue {
  private var waiting: [AddressFamily: ArraySlice<InternetAddress>] = [:]
  private var turn = AddressFamily.v6
  /// No address is tried twice, however often the name server says it.
  private var seen: Set<InternetAddress> = []

  var isEmpty: Bool { waiting.values.allSatisfy(\.isEmpty) }

  /// Adds addresses of one family behind those that wait, in their order.
  mutating func add(_ addresses: [InternetAddress], _ family: AddressFamily) {
    waiting[family, default: []] += addresses.filter { seen.insert($0).inserted }
  }

  /// Takes the next address: of the family that was not the last one's, where it has any.
  mutating func next() -> InternetAddress? {
    for family in [turn, turn.other] {
      if let address = waiting[family]?.popFirst() {
        turn = family.other
        return address
      }
    }
    return nil
  }
}

extension AddressFamily {
  var other: AddressFamily { self == .v6 ? .v4 : .v6 }
}
