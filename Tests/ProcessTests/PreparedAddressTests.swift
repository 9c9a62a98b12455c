import JSON
import TestSupport
import Testing

@Suite("Addresses beyond ASCII")
struct PreparedAddressTests {
  @Test("reach whom they name however they are typed, and what comes back is in the same conversation")
  func bothWays() throws {
    let folder = try TemporaryFolder("addresses")
    try folder.reportingLogs {
      let server = try Prosody(
        in: folder, accounts: ["alice": "secret-a", "bob": "secret-b", "\u{436}\u{443}\u{43A}": "secret-b"])
      let world = try World(server, in: folder)
      try world.client.ask("watch kinds=message")
      for (name, typed) in [
        ("bob", "\u{FF22}\u{FF4F}\u{FF42}@Example.TEST."),
        ("\u{436}\u{443}\u{43A}", "\u{416}\u{423}\u{41A}@EXAMPLE.test"),
      ] {
        let peer = try Peer(name, password: "secret-b", at: server, in: folder)
        let client = try world.daemon.client()
        try client.ask("send \(typed) hello")
        #expect(try peer.message().text("text") == "hello")
        try peer.send("back", to: "alice@example.test")
        _ = try world.client.event("message") { $0["message"]?.text("text") == "back" }
        #expect(try client.history(typed).map { $0.text("text") } == ["hello", "back"])
        #expect(try client.history("\(name)@example.test").count == 2)
      }
    }
  }

  /// PRECIS keeps a final sigma and Prosody's older profile does not: these are two addresses to us.
  @Test("that the server prepares in another way lose no message")
  func finalSigma() throws {
    let folder = try TemporaryFolder("addresses")
    try folder.reportingLogs {
      let server = try Prosody(in: folder, accounts: ["alice": "secret-a", "\u{3BD}\u{3C3}": "secret-b"])
      let world = try World(server, in: folder)
      let peer = try Peer("\u{3BD}\u{3C3}", password: "secret-b", at: server, in: folder)
      try world.client.ask("watch kinds=message")
      try world.daemon.client().ask("send \u{39D}\u{3A3}@example.test hello")
      #expect(try peer.message().text("text") == "hello")
      try peer.send("back", to: "alice@example.test")
      let back = try world.client.event("message") { $0["message"]?.text("text") == "back" }
      #expect(back["message"]?.text("from").hasPrefix("\u{3BD}\u{3C3}@example.test/") == true)
      try world.daemon.client().ask("send \u{3BD}\u{3C3}@example.test again")
      #expect(try peer.message().text("text") == "again")
    }
  }
}
