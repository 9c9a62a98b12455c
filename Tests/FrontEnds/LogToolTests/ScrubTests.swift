import Glibc
import LogFiles
import LogTool
import MessageLog
import Records
import TestSupport
import Testing

@Suite("confab log scrub") struct ScrubTests {
  private static let forgetting = Record.forgetting(.init(account: 1, jid: "bob@example.org"))

  private func folder() throws -> ToolFolder {
    let folder = try ToolFolder()
    var other = MessageRecord(account: 1, jid: "carol@example.org", peer: "carol@example.org/x", time: Sample.time)
    other.text = "not hidden"
    let filler = (0..<40).map { Sample.message("hidden \($0)", after: Int64($0)) }
    try folder.write(
      [Sample.account] + filler + [.message(other), Self.forgetting, Sample.message("said later", after: 1_000)],
      segmentSize: 1_000)
    return folder
  }

  private func segments(_ folder: ToolFolder) -> [String: [UInt8]] {
    let names = TestFiles.names(in: folder.path + "/log")
    return Dictionary(uniqueKeysWithValues: names.map { ($0, TestFiles.read("\(folder.path)/log/\($0)") ?? []) })
  }

  /// How many files of the data directory hold a text.
  private func count(of text: String, in folder: ToolFolder) -> Int {
    [folder.path, folder.path + "/log"].reduce(0) { count, folder in
      count + TestFiles.names(in: folder).count { TestFiles.contains("\(folder)/\($0)", text) }
    }
  }

  @Test("nothing of what was hidden is left, all else is as it was, and every record is sound")
  func erases() throws {
    let folder = try folder()
    #expect(folder.run("export").lines.count == 2)
    #expect(count(of: "hidden 1", in: folder) > 0)
    let before = segments(folder)
    let outcome = folder.run("scrub")
    #expect(outcome.status == 0, "\(outcome.complaints)")
    #expect(outcome.output == "40 messages erased\n")
    for number in 0..<40 { #expect(count(of: "hidden \(number)", in: folder) == 0) }
    #expect(count(of: "bob@example.org/phone", in: folder) == 1, "only what was said later")
    #expect(segments(folder).mapValues(\.count) == before.mapValues(\.count))
    #expect(folder.run("verify").status == 0)
    let texts = folder.run("export").lines.filter { $0.contains("not hidden") || $0.contains("said later") }
    #expect(texts.count == 2)
    #expect(folder.run("dump").lines.count { $0.contains(" erased ") } == 40)
    #expect(folder.run("scrub").output == "0 messages erased\n")
  }

  @Test("the key that sealed the secrets beside erased messages is to be destroyed; one change of it is enough")
  func epochs() throws {
    let folder = try folder()
    let storage = try DataDirectory.create(folder.path).storage(readOnly: false)
    #expect(folder.run("scrub").status == 0)
    #expect(try EpochKeyFile(in: storage).keys == [nil, nil], "nothing was encrypted")
    let first = try #require(EpochKeyFile(in: storage, random: [UInt8](repeating: 7, count: EpochKey.size)).newest)
    try folder.write([Sample.message("again"), Self.forgetting])
    #expect(folder.run("scrub").status == 0)
    let after = try EpochKeyFile(in: storage).keys
    #expect(after[0] == first && after[1]?.epoch == 2 && after[1]?.bytes != first.bytes)
    try folder.write([Sample.message("and again"), Self.forgetting])
    #expect(folder.run("scrub").output == "1 message erased\n")
    #expect(try EpochKeyFile(in: storage).keys == after, "secrets may still be sealed by the first")
  }

  @Test("what waits to be sent stays, and is told of")
  func waiting() throws {
    let folder = try ToolFolder()
    var held = MessageRecord(account: 1, jid: "bob@example.org", peer: "bob@example.org", time: Sample.time)
    (held.author, held.text, held.heldUntil) = (.thisDevice, "kept back", Sample.time + 1)
    try folder.write([
      Sample.account, Sample.message("to be sent", mine: true), .message(held), Self.forgetting,
    ])
    let outcome = folder.run("scrub")
    #expect(outcome.status == 0 && outcome.output == "0 messages erased\n")
    #expect(outcome.complaints == "confab log: kept 2 hidden messages that wait to be sent\n")
    #expect(count(of: "to be sent", in: folder) == 1 && count(of: "kept back", in: folder) == 1)
  }

  @Test("with a message go the files that are kept for it, and no others")
  func files() throws {
    let folder = try ToolFolder()
    var message = MessageRecord(account: 1, jid: "bob@example.org", peer: "bob@example.org/x", time: Sample.time)
    message.details = MessageDetails()
    message.details?.attachments = [Attachment()]
    try folder.write([Sample.account, .message(message), Self.forgetting])
    let hash = String(repeating: "a", count: 64)
    _ = try folder.folder.makeFolder("files")
    for id in 2...3 { try TestFiles.write("\(folder.path)/files/\(KeptFileName.make(hash, for: UInt64(id)))", [1]) }
    #expect(folder.run("scrub").output == "1 message erased\n")
    #expect(TestFiles.names(in: folder.path + "/files") == [hash + "-3"])
  }

  @Test("with a message goes what repeats it: drafts, errors, what was not understood; not what is somebody else's")
  func repeated() throws {
    let folder = try ToolFolder()
    func payload(_ attributes: String) -> Record {
      .payload(.init(account: 1, time: Sample.time, xml: Array("<message \(attributes)><secret/></message>".utf8)))
    }
    func draft(_ text: String, _ jid: String = "bob@example.org") -> Record {
      .draft(.init(account: 1, jid: jid, text: text))
    }
    let failure = DeliveryRecord(
      account: 1, jid: "bob@example.org", time: Sample.time, id: 2, state: .failed,
      failure: .init(condition: "policy-violation", text: "you must not say secret"))
    try folder.write([
      Sample.account, Sample.message("secret", mine: true), .delivery(failure), draft("secret"), draft("current"),
      payload("from='bob@example.org/x' to='ann@example.org'"), payload("from=\"bob@example.org\""),
      Self.forgetting,
    ])
    #expect(count(of: "secret", in: folder) == 1)
    #expect(folder.run("scrub").output == "1 message and 4 other records erased\n")
    #expect(count(of: "secret", in: folder) == 0)
    #expect(count(of: "current", in: folder) > 0)
    #expect(folder.run("verify").status == 0)
    try folder.write([
      draft("kept", "carol@example.org"), draft("", "carol@example.org"), payload("from='carol@example.org/x'"),
      Sample.message("more"), Self.forgetting,
    ])
    #expect(folder.run("scrub").output == "1 message erased\n")
    #expect(count(of: "kept", in: folder) == 1 && count(of: "<secret/>", in: folder) == 1)
  }

  @Test("notes to oneself go without the stanzas of others, which all name us")
  func ownConversation() throws {
    let folder = try ToolFolder()
    func payload(_ from: String) -> Record {
      let xml = "<message from='\(from)/x' to='ann@example.org/y'><secret/></message>"
      return .payload(.init(account: 1, time: Sample.time, xml: Array(xml.utf8)))
    }
    try folder.write([
      Sample.account, payload("bob@example.org"), payload("ann@example.org"),
      .forgetting(.init(account: 1, jid: "ann@example.org")),
    ])
    #expect(folder.run("scrub").output == "0 messages and 1 other record erased\n")
    #expect(count(of: "from='bob@example.org/x'", in: folder) == 1 && count(of: "from='ann", in: folder) == 0)
  }

  @Test("of people without a conversation go raw stanzas and presences; of who is there now only the status")
  func withoutConversation() throws {
    let folder = try ToolFolder()
    func payload(_ from: String) -> Record {
      let xml = "<message from='\(from)/x' id='a'><by by='evil.org'/></message>"
      return .payload(.init(account: 1, time: Sample.time, xml: Array(xml.utf8)))
    }
    func presence(_ jid: String, _ status: String, on resource: String = "phone") -> PresenceRecord {
      var presence = PresenceRecord(jid: jid, resource: resource)
      (presence.show, presence.status) = ("away", status)
      return presence
    }
    func stream(_ presences: [PresenceRecord], begins: Bool = false) -> Record {
      var stream = StreamRecord(account: 1)
      (stream.presences, stream.handled) = (presences, 7)
      if begins { stream.beginning = .init(jid: "ann@example.org/x") }
      return .stream(stream)
    }
    var contact = ContactRecord(account: 1, jid: "friend@evil.org")
    contact.subscription = "both"
    try folder.write([
      Sample.account, .contact(contact), payload("eve@evil.org"), payload("mallory@evil.org"), payload("evil.org"),
      payload("friend@evil.org"),
      .nickname(.init(account: 1, jid: "mallory@evil.org", nickname: "n-secret")),
      .nickname(.init(account: 1, jid: "friend@evil.org", nickname: "friendly")),
      stream(
        [
          presence("bob@example.org", "lunch", on: "attic"), presence("carol@example.org", "tea"),
          presence("mallory@evil.org", "m-secret"),
        ], begins: true),
      stream([presence("bob@example.org", "b-secret")], begins: true),
      .forgetting(.init(account: 1, jid: "eve@evil.org")), .forgetting(.init(account: 1, jid: "evil.org")),
      Self.forgetting, stream([presence("bob@example.org", "later")]),
    ])
    let size = segments(folder).mapValues(\.count)
    #expect(folder.run("scrub").output == "0 messages and 6 other records erased\n")
    for gone in ["n-secret", "from='eve", "mallory@", "lunch", "attic", "b-secret", "m-secret"] {
      #expect(count(of: gone, in: folder) == 0, "\(gone)")
    }
    #expect(count(of: "from='evil.org", in: folder) == 0 && count(of: "from='friend@evil.org/x", in: folder) == 1)
    for kept in ["tea", "later", "friendly"] { #expect(count(of: kept, in: folder) > 0, "\(kept)") }
    #expect(segments(folder).mapValues(\.count) == size && folder.run("verify").status == 0)
    #expect(folder.run("dump").lines.count { $0.contains(" stream ") && $0.contains("7") } == 3)
    #expect(folder.run("scrub").output == "0 messages erased\n")
  }

  @Test("of nicknames stay those that somebody has, and goes what a person had before being forgotten")
  func nicknames() throws {
    let folder = try ToolFolder()
    func contact(_ name: String, request: Bool = false) -> Record {
      var contact = ContactRecord(account: 1, jid: name + "@evil.org")
      (contact.subscription, contact.request) = (request ? nil : "both", request)
      return .contact(contact)
    }
    func nickname(_ name: String, _ nickname: String?) -> Record {
      .nickname(.init(account: 1, jid: name + "@evil.org", nickname: nickname))
    }
    func forgetting(_ jid: String) -> Record { .forgetting(.init(account: 1, jid: jid)) }
    try folder.write([
      Sample.account, contact("eve", request: true), contact("mallory", request: true), contact("friend"),
      nickname("eve", "e-secret"), nickname("mallory", "m-secret"), nickname("friend", "former"),
      nickname("friend", "friendly"), nickname("eve", nil), forgetting("eve@evil.org"), nickname("mallory", nil),
      forgetting("evil.org"), nickname("eve", "Evelyn"),
    ])
    #expect(folder.run("scrub").output == "0 messages and 4 other records erased\n")
    #expect(count(of: "secret", in: folder) == 0)
    for kept in ["former", "friendly", "Evelyn"] { #expect(count(of: kept, in: folder) > 0, "\(kept)") }
    #expect(folder.run("verify").status == 0)
    #expect(folder.run("scrub").output == "0 messages erased\n")
  }

  @Test(
    "with a message of mine go the addresses of its files, also after a scrub that was killed; those of others stay")
  func addresses() throws {
    let folder = try ToolFolder()
    func message(_ jid: String) -> Record {
      var message = MessageRecord(account: 1, jid: jid, peer: jid, time: Sample.time)
      (message.author, message.details) = (.thisDevice, MessageDetails())
      message.details?.attachments = [Attachment()]
      return .message(message)
    }
    func upload(_ id: UInt64, _ name: String) -> Record {
      .upload(.init(account: 1, id: id, index: 0, url: "https://files.example.org/\(name)"))
    }
    func cancelled(_ id: UInt64, _ jid: String) -> Record {
      .delivery(.init(account: 1, jid: jid, time: Sample.time, id: id, state: .cancelled))
    }
    let (bob, carol) = ("bob@example.org", "carol@example.org")
    try folder.write([
      Sample.account, message(bob), message(carol), .erased(.init(account: 1)), message(bob), upload(2, "secret"),
      upload(3, "carols"), upload(4, "erased"), upload(5, "waits"), cancelled(2, bob), cancelled(3, carol),
      Self.forgetting,
    ])
    #expect(folder.run("scrub").output == "1 message and 2 other records erased\n")
    #expect(count(of: "secret", in: folder) == 0 && count(of: "org/erased", in: folder) == 0)
    #expect(count(of: "carols", in: folder) > 0 && count(of: "waits", in: folder) > 0)
    #expect(folder.run("verify").status == 0)
    #expect(folder.run("scrub").output == "0 messages erased\n")
  }

  @Test("who is no stranger of a domain is judged by what the roster was when that was forgotten")
  func rosterOfThen() throws {
    let folder = try ToolFolder()
    func payload(_ from: String, _ word: String) -> Record {
      let xml = "<message from='\(from)@evil.org/x' id='a'><\(word)/></message>"
      return .payload(.init(account: 1, time: Sample.time, xml: Array(xml.utf8)))
    }
    func contact(_ name: String, _ subscription: String?) -> Record {
      var contact = ContactRecord(account: 1, jid: name + "@evil.org")
      contact.subscription = subscription
      return .contact(contact)
    }
    let domain = Record.forgetting(.init(account: 1, jid: "evil.org"))
    try folder.write([
      Sample.account, contact("friend", "both"), payload("friend", "of-a-friend"), payload("eve", "of-a-stranger"),
      payload("mallory", "of-a-stranger-then"), domain,
      contact("friend", nil), contact("eve", "both"), contact("mallory", "both"),
      payload("friend", "of-a-friend-before"), payload("mallory", "of-a-friend-now"),
    ])
    #expect(folder.run("scrub").output == "0 messages and 2 other records erased\n")
    #expect(count(of: "of-a-friend", in: folder) > 0 && count(of: "of-a-stranger", in: folder) == 0)
    try folder.write([domain])
    #expect(folder.run("scrub").output == "0 messages and 2 other records erased\n", "of whom the roster has no more")
    #expect(count(of: "of-a-friend-now", in: folder) > 0 && count(of: "of-a-friend-before", in: folder) == 0)
  }

  @Test("of a contact since then, what came between two times that its domain was forgotten stays")
  func twice() throws {
    let folder = try ToolFolder()
    func payload(_ word: String) -> Record {
      let xml = "<message from='mallory@evil.org/x' id='a'><\(word)/></message>"
      return .payload(.init(account: 1, time: Sample.time, xml: Array(xml.utf8)))
    }
    var contact = ContactRecord(account: 1, jid: "mallory@evil.org")
    contact.subscription = "both"
    let domain = Record.forgetting(.init(account: 1, jid: "evil.org"))
    try folder.write([Sample.account, payload("before"), domain, .contact(contact), payload("between"), domain])
    #expect(folder.run("scrub").output == "0 messages and 1 other record erased\n")
    #expect(count(of: "<between/>", in: folder) > 0 && count(of: "<before/>", in: folder) == 0)
  }

  @Test(
    "nor is it left where no reader looks: behind a segment's records, in a killed writer's file, in what is derived")
  func leftovers() throws {
    let folder = try folder()
    for name in TestFiles.names(in: folder.path + "/log").sorted().prefix(3) {
      let path = "\(folder.path)/log/\(name)"
      try TestFiles.write(path, (TestFiles.read(path) ?? []) + Array("\0\0hidden 1, and never acknowledged".utf8))
    }
    try TestFiles.write(folder.path + "/log/00000000000000000001.log.tmp", Array("hidden 1".utf8))
    for name in ["checkpoint", "checkpoint.tmp", "index"] {
      try TestFiles.write(folder.path + "/" + name, Array("hidden 1".utf8))
    }
    #expect(folder.run("scrub").output == "40 messages erased\n")
    #expect(count(of: "hidden 1", in: folder) == 0)
    #expect(folder.run("verify").status == 0)
    #expect(TestFiles.names(in: folder.path).contains("checkpoint"), "the next start is a fast one")
  }

  @Test("what is damaged is left as it is, and told of; around it is erased")
  func damaged() throws {
    let folder = try ToolFolder()
    try folder.write(
      [Sample.account] + (0..<9).map { Sample.message("hidden \($0)") } + [Self.forgetting, Sample.message("later")])
    let bytes = try #require(segments(folder).values.first)
    let place = try #require(bytes.firstRange(of: Array("hidden 4".utf8))).lowerBound
    try folder.damage(at: UInt64(place) + 7)
    let outcome = folder.run("scrub")
    #expect(outcome.status == 1 && outcome.output == "8 messages erased\n")
    #expect(outcome.complaints.contains("damaged parts stay as they are"))
    #expect(count(of: "hidden 3", in: folder) == 0 && count(of: "hidden 5", in: folder) == 0)
    #expect(count(of: "hidden ", in: folder) == 1, "the damaged one")
  }

  @Test("nor does it stop where the disk gives nothing of a segment", arguments: [false, true])
  func unreadable(isNewest: Bool) throws {
    let folder = try folder()
    let names = TestFiles.names(in: folder.path + "/log").sorted()
    try #require(names.count == 4)
    // Behind the segment that says what was forgotten there are others.
    try folder.write((0..<30).map { Sample.message("more \($0)", after: 2_000) }, segmentSize: 1_000)
    let newest = try #require(TestFiles.names(in: folder.path + "/log").max())
    let path = folder.path + "/log/" + (isNewest ? newest : names[1])
    #expect(unsafe rename(path, folder.path + "/elsewhere") == 0 && mkdir(path, 0o700) == 0)
    let outcome = folder.run("scrub")
    #expect(outcome.status == 1 && outcome.complaints.contains("damaged parts stay as they are"))
    let count = try #require(outcome.output.split(separator: " ").first.flatMap { Int($0) })
    #expect(isNewest ? count == 40 : (1..<40).contains(count))
    #expect(unsafe rmdir(path) == 0 && rename(folder.path + "/elsewhere", path) == 0)
    // Whatever it could not read is as it was, and goes another time.
    #expect(folder.run("scrub").output == (isNewest ? "0 messages erased\n" : "\(40 - count) messages erased\n"))
    #expect(folder.run("verify").status == 0)
    for number in 0..<40 { #expect(self.count(of: "hidden \(number)", in: folder) == 0) }
  }

  @Test("the room of long texts is given back, and the room that was kept for a full disk is used")
  func room() throws {
    let folder = try ToolFolder()
    let long = (0..<40).map { Sample.message(String(repeating: "hidden ", count: 8_000) + "\($0)", after: Int64($0)) }
    try folder.write([Sample.account] + long + [Self.forgetting], segmentSize: 1 << 20)
    try TestFiles.write(folder.path + "/log/reserve", [UInt8](repeating: 0, count: 2 << 20))
    let before = try room(of: folder)
    #expect(folder.run("scrub").output == "40 messages erased\n")
    #expect(try room(of: folder) < before / 4)
    #expect(folder.run("verify").status == 0)
  }

  /// KiB that the files of the log take on the disk.
  private func room(of folder: ToolFolder) throws -> Int {
    let output = try Program.run(["du", "-sk", folder.path + "/log"]).output
    return try #require(Int(String(decoding: output.prefix { $0 != 0x09 }, as: UTF8.self)))
  }
}
