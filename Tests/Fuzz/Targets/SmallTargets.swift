import Crypto
import Clocks
import JSON
import SASL
import ConfabConfiguration
import XMPPCore

/// Addresses: what is read is written so that it reads the same.
@Sendable func fuzzJIDs(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  guard let jid = try? JID(text) else { return }
  hold((try? JID(jid.description)) == jid, "\(jid) reads as it was written")
  hold(jid.bare.isBare && jid.bare.hasSameBare(as: jid) && jid.bare.server == jid.server, "\(jid) has a bare form")
  hold((try? JID(jid.bare.description)) == jid.bare, "the bare form of \(jid) is an address")
  hold((try? JID(jid.server.description)) == jid.server, "the server of \(jid) is an address")
  let parts = (jid.local.map { $0 + "@" } ?? "") + jid.domain + (jid.resource.map { "/" + $0 } ?? "")
  hold(parts.utf8.elementsEqual(jid.description.utf8), "\(jid) is its parts")
  if let resource = jid.resource {
    hold((try? jid.bare.with(resource: resource)) == jid, "\(jid) is its bare form with its resource")
  }
  for part in [jid.local, jid.domain, jid.resource] {
    hold((part?.utf8.count ?? 1) <= JID.longestPart && part != "", "a part of \(jid) is short and not empty")
  }
}

/// JSON: what is read is written so that it reads the same; what is read strictly is read leniently.
@Sendable func fuzzJSON(_ bytes: [UInt8]) {
  let lenient = try? JSONParser.parse(bytes, isLenient: true)
  guard let value = try? JSONParser.parse(bytes) else { return }
  hold(lenient == value, "the lenient reading is the same")
  var writer = JSONWriter()
  writer.value(value)
  hold((try? JSONParser.parse(writer.bytes)) == value, "JSON that is written reads the same")
  hold(!writer.bytes.contains(0x0A), "a line of JSON is one line")
}

/// SCRAM: first byte which hash, and whether the nonce is put right; then both messages, a NUL between. Nobody without
/// the password is believed.
@Sendable func fuzzSCRAM(_ bytes: [UInt8]) {
  var script = Script(bytes)
  let choice = script.byte()
  let hash = HashAlgorithm.allCases[choice % 3]
  let parts = script.remaining().split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false).map(Array.init)
  guard
    var scram = try? SCRAM(hash: hash, username: "us=er,é", nonce: "nonce", gs2: .unsupported),
    (try? scram.firstMessage()) != nil
  else { return hold(false, "an exchange begins") }
  let challenge = (choice & 0x80 == 0 ? [] : Array("r=nonce".utf8)) + (parts.first ?? [])
  guard let derivation = try? scram.receive(challenge: challenge, offer: SASLOffer(mechanisms: ["SCRAM-SHA-1"])) else {
    return
  }
  hold(KeyDerivation.iterationBounds.contains(derivation.iterations) && !derivation.salt.isEmpty, "bounds hold")
  let key = [UInt8](repeating: 7, count: hash.byteCount)
  hold((try? scram.finalMessage(saltedPassword: key)) != nil, "a good challenge is answered")
  try? scram.verify(serverFinal: parts.count > 1 ? parts[1] : [])
  hold(!scram.isVerified, "a server without the password is not believed")
}

/// The configuration file: it is read, or refused with its place.
@Sendable func fuzzConfiguration(_ bytes: [UInt8]) {
  do throws(ConfigurationError) {
    let configuration = try Configuration.read(
      path: "/c", environment: ["HOME": "/home/alice", "PASSWORD": "secret"], files: OneFile(bytes: bytes))
    hold(Set(configuration.accounts.map(\.name)).count == configuration.accounts.count, "each account is there once")
  } catch {
    hold(!error.description.utf8.contains { $0 < 0x20 || $0 == 0x7F }, "an error is one line: \(error)")
  }
}

private struct OneFile: SettingsFiles {
  let bytes: [UInt8]

  func contents(of path: String, limit: Int) throws(SettingsFileError) -> FileContents {
    guard bytes.count <= limit else { throw .tooLong(limit: limit) }
    return FileContents(bytes: bytes, mode: 0o600, owner: 0)
  }

  func exists(_ path: String) -> Bool { true }

  func openness(of path: String) -> String? { nil }
  func groupID(of name: String) -> UInt32? { UInt32(name) }
}

/// Time stamps and intervals: what is read is written so that it reads the same.
@Sendable func fuzzTimes(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  if let time = Timestamp(rfc3339: text) {
    hold(Timestamp(rfc3339: time.rfc3339) == time, "\(time) reads as it was written")
    let date = CivilDate(time)
    hold((1...12).contains(date.month) && (1...31).contains(date.day), "\(time) is a date")
  }
  if let interval = Interval(text) {
    hold(Interval(interval.description) == interval, "\(interval) reads as it was written")
    _ = Timestamp.latestWritten.advanced(by: interval)
    _ = Instant(milliseconds: .max).advanced(by: interval)
  }
  checkNumber(bytes)
}

/// Any 64 bits are a time that can be written and taken apart.
private func checkNumber(_ bytes: [UInt8]) {
  let number = bytes.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
  let time = Timestamp(milliseconds: number)
  _ = CivilDate(time, offsetSeconds: Int(number % 86_400))
  hold(Timestamp(rfc3339: time.rfc3339) != nil, "\(number) ms is written as a time: \(time)")
  _ = Interval(milliseconds: number).description
}
