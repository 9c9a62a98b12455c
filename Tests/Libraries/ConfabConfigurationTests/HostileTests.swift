import Testing

@testable import ConfabConfiguration
@Suite("Hostile configurations")
struct HostileTests {
  @Test(
    "lines that no parser gets",
    arguments: [
      (Array("[daemon]\nsocket = /a\0b\n".utf8), "/c:2: expected text, found a NUL byte"),
      ([0], "/c:1: expected text, found a NUL byte"),
      (Array("[daemon]\rsocket = /a\r".utf8), "/c:1: expected text, found the control character 13"),
      (Array("[daemon]\n# \u{1B}[2J\n".utf8), "/c:2: expected text, found the control character 27"),
      (Array("[daemon]\n# \u{7F}\n".utf8), "/c:2: expected text, found the control character 127"),
      (Array("[daemon]\n; ".utf8) + [0xFF, 0x0A], "/c:2: expected UTF-8, found other bytes"),
      (Array("[daemon]\ndata = /".utf8) + [0xC3], "/c:2: expected UTF-8, found other bytes"),
      ([0xC0, 0x80], "/c:1: expected UTF-8, found other bytes"),
      ([0xED, 0xA0, 0x80], "/c:1: expected UTF-8, found other bytes"),
      ([0xFF, 0xFE, 0x5B, 0x00], "/c:1: expected text, found a NUL byte"),
      ([UInt8](repeating: 0x61, count: 4097), "/c:1: expected a line of at most 4096 bytes, found 4097"),
      ([UInt8](repeating: 0x61, count: 1 << 20), "/c:1: expected a line of at most 4096 bytes, found 1048576"),
      (
        [UInt8](repeating: 0x3B, count: (1 << 20) + 1),
        "/c: expected a configuration file of at most 1048576 bytes, found a longer one"
      ),
      ([UInt8](repeating: 0x5B, count: 4096), "/c:1: expected a ] at the end of the section's name"),
    ] as [([UInt8], String)])
  func refused(bytes: [UInt8], error: String) {
    #expect(complaint(bytes: bytes) == error)
  }

  @Test("a byte order mark is only one at the beginning")
  func mark() {
    #expect(
      complaint("\n\u{FEFF}[daemon]\n")
        == "/c:2: expected KEY = VALUE")
    #expect(
      complaint("\u{FEFF}\u{FEFF}[daemon]\n") == "/c:1: expected KEY = VALUE")
  }

  @Test("the first error in the order of the lines is told")
  func first() {
    #expect(complaint("[daemon]\nx = 1\n\0") == "/c:2: [daemon] x: \(Self.daemonKeys), found an unknown key")
    #expect(complaint("[daemon]\n\0\nx = 1\n") == "/c:2: expected text, found a NUL byte")
  }

  @Test("a megabyte of empty lines, and of line feeds without text, is counted")
  func manyLines() {
    let lines = [UInt8](repeating: 0x0A, count: 1_000_000)
    #expect(complaint(bytes: lines + Array("x".utf8)) == "/c:1000001: expected KEY = VALUE")
  }

  @Test("an indented line does not go on with the value before it")
  func noContinuation() {
    let text = "[account a]\njid = a@b\npassword = one\n  two\n"
    #expect(complaint(text) == "/c:4: [account a]: expected KEY = VALUE")
  }

  @Test("every cut of a file that is right is read or refused, and every changed byte too")
  func damaged() {
    let bytes = Array(("[daemon]\ndata = ${X}/~\ndns-server = [::1]:53\n" + rightAccount + "server = [::1]:1\n").utf8)
    for count in bytes.indices { _ = complaint(bytes: Array(bytes[..<count]), environment: ["X": "/x"]) }
    for index in bytes.indices {
      for byte in UInt8.min...UInt8.max {
        var damaged = bytes
        damaged[index] = byte
        let error = complaint(bytes: damaged, environment: ["X": "/x"])
        #expect(error?.contains("\n") != true)
      }
    }
  }

  private static let daemonKeys = "expected " + Phrase.oneOf(SettingTable.names(in: .daemon))
}
