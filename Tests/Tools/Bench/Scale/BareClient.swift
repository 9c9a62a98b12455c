import Glibc
import Syscalls
import TestSupport

/// A front end that only takes in what it is told: what it measures is the daemon and the socket, and hardly itself.
final class BareClient {
  private let descriptor: OwnedFD
  private var buffer = [UInt8](repeating: 0, count: 1 << 20)
  /// Bytes of the last answer before its last line.
  private var data = 0
  private static let final = Array("{\"ok\":".utf8)
  private static let good = Array("{\"ok\":true".utf8)

  /// Of something that does not greet; takes the descriptor.
  init(on descriptor: CInt) { self.descriptor = OwnedFD(taking: descriptor) }

  /// Connects, and takes the greeting.
  init(of daemon: Daemon) throws {
    descriptor = try SocketClient.connect(daemon.socketPath)
    while buffer[..<(try take(at: 0))].last != UInt8(ascii: "\n") {}
  }

  /// Lines of the last answer before its last one.
  var lines: Int { buffer[..<data].count { $0 == UInt8(ascii: "\n") } }

  /// Asks, and takes the answer without looking at it.
  func ask(_ request: String) throws {
    let line = Array((request + "\n").utf8)
    guard unsafe send(descriptor.raw, line, line.count, Int32(MSG_NOSIGNAL)) == line.count else {
      throw TestFailure("send: errno \(errno)")
    }
    var count = 0
    while true {
      count += try take(at: count)
      guard buffer[count - 1] == UInt8(ascii: "\n") else { continue }
      data = lastLine(of: count)
      guard buffer[data..<count].starts(with: Self.final) else { continue }
      guard buffer[data..<count].starts(with: Self.good) else {
        throw TestFailure(String(decoding: buffer[data..<count], as: UTF8.self))
      }
      return
    }
  }

  /// Where the last line begins of so many bytes.
  private func lastLine(of count: Int) -> Int {
    (buffer[..<(count - 1)].lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
  }

  /// What is said next, put in at a place; how many bytes that are.
  private func take(at place: Int) throws -> Int {
    if place == buffer.count { buffer += [UInt8](repeating: 0, count: place) }
    let count = unsafe buffer.withUnsafeMutableBytes { room in
      unsafe recv(descriptor.raw, room.baseAddress.map { unsafe $0 + place }, room.count - place, 0)
    }
    guard count > 0 else { throw TestFailure("the daemon says nothing: errno \(errno)") }
    return count
  }
}

extension BareClient {
  /// The median time of an answer in microseconds, each asked for in other words.
  func median(_ rounds: Int, lines: Int? = nil, _ request: (Int) -> String) throws -> Double {
    try (0..<rounds).map { round in
      let text = request(round)
      let time = try Stopwatch.measure { try ask(text) }
      guard lines.map({ $0 == self.lines }) ?? true else { throw TestFailure("\(self.lines) lines: \(text)") }
      return time
    }.median
  }
}
