import HelperProtocol
import Testing

@Suite("Addresses that are globally reachable")
struct AddressRulesTests {
  private static func ipv4(_ text: String) -> [UInt8] { text.split(separator: ".").compactMap { UInt8($0) } }

  /// Reads groups of hexadecimal digits; `::` stands for zeros.
  private static func ipv6(_ text: String) -> [UInt8] {
    let halves = text.split(separator: "::", omittingEmptySubsequences: false).map { half in
      half.split(separator: ":").flatMap { group -> [UInt8] in
        let number = UInt16(group, radix: 16) ?? 0
        return [UInt8(number >> 8), UInt8(number & 0xFF)]
      }
    }
    let tail = halves.count > 1 ? halves[1] : []
    return halves[0] + [UInt8](repeating: 0, count: 16 - halves[0].count - tail.count) + tail
  }

  @Test("IPv4 addresses of IANA's registry are not, at both ends of each block")
  func specialIPv4() {
    for address in [
      "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1",
      "127.255.255.255", "169.254.0.0", "169.254.169.254", "172.16.0.0", "172.31.255.255", "192.0.0.0", "192.0.0.8",
      "192.0.0.170", "192.0.0.255", "192.0.2.1", "192.88.99.1", "192.168.0.0", "192.168.255.255", "198.18.0.0",
      "198.19.255.255", "198.51.100.7", "203.0.113.255", "224.0.0.1", "239.255.255.255", "240.0.0.0",
      "255.255.255.255",
    ] { #expect(!AddressRules.isGlobal(Self.ipv4(address)), "\(address)") }
  }

  @Test("Their neighbours are, and the exceptions")
  func globalIPv4() {
    for address in [
      "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
      "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.0.9", "192.0.0.10", "192.0.1.0",
      "192.0.3.0", "192.31.196.1", "192.52.193.1", "192.88.98.255", "192.88.100.0", "192.167.255.255", "192.169.0.0",
      "192.175.48.1", "198.17.255.255", "198.20.0.0", "198.51.99.255", "203.0.114.0", "223.255.255.255",
    ] { #expect(AddressRules.isGlobal(Self.ipv4(address)), "\(address)") }
  }

  @Test("IPv6 addresses of IANA's registry are not, nor are unassigned ones, nor private IPv4 ones in IPv6")
  func specialIPv6() {
    for address in [
      "::", "::1", "::7f00:1", "::808:808", "::ffff:7f00:1", "::ffff:a00:1", "::ffff:a9fe:a9fe", "::ffff:0:808:808",
      "64:ff9b::7f00:1", "64:ff9b::c0a8:1", "64:ff9b:1::808:808", "100::1", "100:0:0:1::1", "2001::1",
      "2001:0:808:808::1", "2001:1::4", "2001:2::1", "2001:5::1", "2001:10::1", "2001:40::1", "2001:1ff:ffff::1",
      "2001:db8::1", "2002:7f00:1::1", "2002:a00:1::", "2002:c0a8:101::1", "3fff::1", "3fff:fff::1", "4000::1",
      "5f00::1", "fc00::1", "fdff::1", "fe80::1", "fec0::1", "ff02::1", "1fff::1",
    ] { #expect(!AddressRules.isGlobal(Self.ipv6(address)), "\(address)") }
  }

  @Test("Assigned IPv6 addresses are, and global IPv4 ones in IPv6")
  func globalIPv6() {
    for address in [
      "2606:4700::1111", "2001:200::1", "2001:4860:4860::8888", "2001:1::1", "2001:1::2", "2001:1::3", "2001:3::1",
      "2001:4:112::1", "2001:20::1", "2001:2f::1", "2001:30::1", "2001:db7:ffff::1", "2001:db9::1", "2002:808:808::1",
      "2620:4f:8000::1", "3ffe::1", "3fff:1000::1", "::ffff:808:808", "64:ff9b::808:808",
    ] { #expect(AddressRules.isGlobal(Self.ipv6(address)), "\(address)") }
  }

  @Test("Other lengths are no addresses")
  func lengths() {
    for count in [0, 1, 3, 5, 15, 17] { #expect(!AddressRules.isGlobal([UInt8](repeating: 8, count: count))) }
  }
}
