package import Syscalls

/// A DNS server on loopback that answers from a table: enough of RFC 1035 for one question and one answer at a time.
///
/// It has no thread: watch `fd` or turn it by hand, and call `serve`.
package final class ScriptedNameServer {
  package enum Record: Sendable {
    case srv(priority: UInt16, weight: UInt16, port: UInt16, target: String)
    case a([UInt8])
    case aaaa([UInt8])

    fileprivate var type: UInt16 {
      switch self {
      case .a: 1
      case .aaaa: 28
      case .srv: 33
      }
    }
  }

  /// How a name that is not in the table is answered.
  package enum Oddity: Sendable {
    /// SERVFAIL
    case failure
    case silence
    /// The answer is cut in the middle.
    case damage
  }

  package let fd: OwnedFD
  /// `127.0.0.1:PORT`
  package let address: String
  /// By full name in lower case, without a final dot.
  package var records: [String: [Record]] = [:]
  package var oddities: [String: Oddity] = [:]
  /// Questions, as in `questions`, whose answers are kept until `release`.
  package var held: Set<String> = []
  private var heldAnswers: [(bytes: [UInt8], peer: InternetAddress)] = []
  /// Each question that came: `SRV _xmpp-client._tcp.example.org`.
  package private(set) var questions: [String] = []

  package init() throws {
    guard let loopback = InternetAddress.loopback(port: 0) else { throw TestFailure("no loopback") }
    fd = try Sockets.datagram(at: loopback)
    address = try Sockets.localAddress(fd.raw)?.description ?? ""
  }

  /// Answers every question that waits.
  package func serve() throws {
    while let question = try Sockets.receiveDatagram(fd.raw, atMost: 1500) {
      guard let peer = question.from, let answer = answer(question.bytes) else { continue }
      if let last = questions.last, held.contains(last) {
        heldAnswers.append((answer, peer))
      } else {
        try Sockets.sendDatagram(fd.raw, answer, to: peer)
      }
    }
  }

  /// Gives the answers that were held, and holds no more.
  package func release() throws {
    held = []
    for (bytes, peer) in heldAnswers { try Sockets.sendDatagram(fd.raw, bytes, to: peer) }
    heldAnswers = []
  }

  private func answer(_ query: [UInt8]) -> [UInt8]? {
    guard query.count > 12, let (name, end) = name(in: query), end + 4 <= query.count else { return nil }
    let type = UInt16(query[end]) << 8 | UInt16(query[end + 1])
    questions.append("\([1: "A", 28: "AAAA", 33: "SRV"][type] ?? "\(type)") \(name)")
    let found = (records[name] ?? []).filter { $0.type == type }
    let question = Array(query[12..<end + 4])
    switch oddities[name] {
    case .silence: return nil
    case .failure: return header(query, code: 2, answers: 0) + question
    case .damage: return Array((header(query, code: 0, answers: 1) + question + [0xc0, 12, 0, 33]).dropLast(2))
    case nil: break
    }
    let code: UInt8 = records[name] == nil ? 3 : 0
    return header(query, code: code, answers: found.count) + question + found.flatMap(encode)
  }

  private func name(in query: [UInt8]) -> (String, Int)? {
    var labels: [String] = []
    var index = 12
    while index < query.count, query[index] != 0 {
      let end = index + 1 + Int(query[index])
      guard end < query.count else { return nil }
      labels.append(String(decoding: query[index + 1..<end], as: UTF8.self).lowercased())
      index = end
    }
    return (labels.joined(separator: "."), index + 1)
  }

  private func header(_ query: [UInt8], code: UInt8, answers: Int) -> [UInt8] {
    [query[0], query[1], 0x84 | query[2] & 1, 0x80 | code, 0, 1] + be(UInt16(answers)) + [0, 0, 0, 0]
  }

  private func encode(_ record: Record) -> [UInt8] {
    let data: [UInt8]
    switch record {
    case .a(let bytes), .aaaa(let bytes): data = bytes
    case .srv(let priority, let weight, let port, let target):
      let labels = target.utf8.split(separator: UInt8(ascii: ".")).flatMap { [UInt8($0.count)] + Array($0) }
      data = be(priority) + be(weight) + be(port) + labels + [0]
    }
    return [0xc0, 12] + be(record.type) + [0, 1, 0, 0, 0, 60] + be(UInt16(data.count)) + data
  }

  private func be(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xff)] }
}
