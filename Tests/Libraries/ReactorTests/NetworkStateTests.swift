import Testing

@testable import Reactor

/// Messages of rtnetlink(7), as the kernel writes them.
private enum Netlink {
  static func message(_ type: UInt16, _ body: [UInt8]) -> [UInt8] {
    let length = UInt32(16 + body.count)
    return bytes(length) + bytes(type) + [0, 0] + bytes(UInt32(0)) + bytes(UInt32(0)) + body
      + Array(repeating: 0, count: (4 - body.count % 4) % 4)
  }

  static func link(_ index: Int32, flags: UInt32, gone: Bool = false) -> [UInt8] {
    message(gone ? 17 : 16, [0, 0, 1, 0] + bytes(index) + bytes(flags) + bytes(UInt32(0)))
  }

  static func address(_ last: UInt8, scope: UInt8 = 0, gone: Bool = false, lifetime: UInt8 = 0) -> [UInt8] {
    let attributes = attribute(2, [10, 0, 0, last]) + attribute(6, Array(repeating: lifetime, count: 16))
    return message(gone ? 21 : 20, [2, 24, 0, scope] + bytes(UInt32(3)) + attributes)
  }

  static func route(
    family: UInt8 = 2, to: [UInt8] = [], via: UInt8 = 1, type: UInt8 = 1, flags: UInt32 = 0, gone: Bool = false,
    expires: UInt8 = 0
  ) -> [UInt8] {
    let attributes =
      (to.isEmpty ? [] : attribute(1, to)) + attribute(5, [10, 0, 0, via]) + attribute(4, bytes(UInt32(3)))
      + attribute(12, Array(repeating: expires, count: 32))
    let fixed = [family, UInt8(to.count * 8), 0, 0, 254, 3, 0, type] + bytes(flags)
    return message(gone ? 25 : 24, fixed + attributes)
  }

  private static func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
    bytes(UInt16(4 + value.count)) + bytes(type) + value
  }

  private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number.littleEndian >> Number($0 * 8)) }
  }
}

/// A picture that expectations may change.
private final class Picture {
  var value = NetworkState()
  func takes(_ datagram: [UInt8]) -> Bool { value.takes(datagram) }
}

@Suite("what the kernel tells of the network")
struct NetworkPictureTests {
  private static let up: UInt32 = 1 | 1 << 16

  @Test("an interface counts when it comes up and when it goes down, not when it is told of again")
  func links() {
    let picture = Picture()
    #expect(!picture.takes(Netlink.link(2, flags: 0)))
    #expect(!picture.takes(Netlink.link(2, flags: 1)))
    #expect(picture.takes(Netlink.link(2, flags: Self.up)))
    #expect(!picture.takes(Netlink.link(2, flags: Self.up | 0x40)))
    #expect(picture.takes(Netlink.link(2, flags: 1)))
    #expect(!picture.takes(Netlink.link(2, flags: 1, gone: true)))
    #expect(picture.takes(Netlink.link(2, flags: Self.up)))
    #expect(picture.takes(Netlink.link(2, flags: Self.up, gone: true)))
  }

  @Test("an address counts when it comes and goes, not when it is renewed, nor one for the link alone")
  func addresses() {
    let picture = Picture()
    #expect(picture.takes(Netlink.address(7)))
    #expect(!picture.takes(Netlink.address(7, lifetime: 9)))
    #expect(picture.takes(Netlink.address(8)))
    #expect(picture.takes(Netlink.address(7, gone: true)))
    #expect(picture.takes(Netlink.address(7)))
    #expect(!picture.takes(Netlink.address(9, scope: 253)))
  }

  @Test("a route counts when it leads elsewhere, even back to where it led before, not when it is renewed")
  func routes() {
    let picture = Picture()
    #expect(picture.takes(Netlink.route(via: 1)))
    #expect(!picture.takes(Netlink.route(via: 1, expires: 5)))
    #expect(picture.takes(Netlink.route(via: 2)))
    #expect(picture.takes(Netlink.route(via: 1)))
    #expect(picture.takes(Netlink.route(via: 1, gone: true)))
    #expect(picture.takes(Netlink.route(via: 1)))
    #expect(picture.takes(Netlink.route(family: 10, to: [0x20, 1] + Array(repeating: 0, count: 14), type: 2)))
  }

  @Test("ways on the link, to many, and copies in a cache are nothing")
  func uselessRoutes() {
    let picture = Picture()
    let local = [0xFE, 0x80] + Array(repeating: UInt8(1), count: 14)
    #expect(!picture.takes(Netlink.route(family: 10, to: local)))
    #expect(!picture.takes(Netlink.route(family: 10, to: [0xFF] + Array(repeating: 0, count: 15))))
    for type in [3, 4, 5] as [UInt8] { #expect(!picture.takes(Netlink.route(type: type))) }
    #expect(!picture.takes(Netlink.route(flags: 0x200)))
  }

  @Test("several messages of one datagram are all taken in; other kinds are passed over")
  func datagrams() {
    let picture = Picture()
    let other = Netlink.message(28, Array(repeating: 7, count: 13))
    #expect(picture.takes(other + Netlink.address(1) + other + Netlink.route()))
    #expect(!picture.takes(Netlink.route() + Netlink.address(1)))
    #expect(!picture.takes(other))
  }

  @Test("what is cut short, too long or nonsense harms nobody")
  func hostile() {
    let good = Netlink.link(2, flags: Self.up) + Netlink.address(1) + Netlink.route(to: [10, 0, 0, 0])
    for end in 0..<good.count {
      let picture = Picture()
      _ = picture.takes(Array(good[..<end]))
      _ = picture.takes(Array(good[end...]))
    }
    for index in good.indices {
      for byte in [0, 1, 3, 0x7F, 0xFF] as [UInt8] {
        var bytes = good
        bytes[index] = byte
        let picture = Picture()
        _ = picture.takes(bytes)
      }
    }
  }

  @Test("what is kept is bounded")
  func bounded() {
    let picture = Picture()
    for number in 0..<(3 * NetworkState.most) {
      let to = [10, UInt8(number >> 16 & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
      #expect(picture.takes(Netlink.route(to: to)))
    }
    #expect(picture.value.size <= NetworkState.most + 1)
  }
}

@Suite("sleep")
struct SleepGaugeTests {
  @Test("only a clock that stood still while the other went on tells of sleep")
  func gauge() {
    var gauge = SleepDetector(boot: 5_000, awake: 4_000)
    let answers = [(9_000, 7_990), (60_000, 8_000), (61_000, 9_001)].map { gauge.hasSlept(boot: $0.0, awake: $0.1) }
    #expect(answers == [false, true, false])
  }
}
