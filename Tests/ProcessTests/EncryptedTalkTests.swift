import JSON
import TestSupport
import Testing

/// Two daemons that encrypt (XEP-0384), while chance kills them and cuts the link of one; beside them another device of
/// alice's and a third person (`TalkCompany`). Each text is once in every log that it is for, none is unreadable, and the
/// server has none of them. CONFAB_OMEMO_KILLS says how often; CONFAB_SEED repeats a run.
@Suite("Encrypted, and killed at any moment", .serialized)
struct EncryptedTalkTests {
  private static let count = Chance.count("CONFAB_OMEMO_KILLS", usual: 10)

  @Test("killed at Prosody")
  func killedAtProsody() throws {
    let folder = try TemporaryFolder("encrypted-kills")
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder, accounts: TalkCompany.accounts)
      let talk = try killed(at: prosody, prosody.directTLSPort, in: folder)
      try talk.expectAllEncrypted()
      for talker in talk.talkers { #expect(try prosody.archive(of: talker.name).isEmpty, "CONFAB_SEED=\(talk.seed)") }
    }
  }

  @Test("killed at ejabberd")
  func killedAtEjabberd() throws {
    let folder = try TemporaryFolder("encrypted-kills")
    try folder.reportingLogs {
      let server = try Ejabberd(in: folder, accounts: TalkCompany.accounts, forPeople: true)
      try withExtendedLifetime(server) {
        let talk = try killed(at: server, server.directTLSPort, in: folder, patiently: true)
        try talk.expectAllEncrypted()
      }
    }
  }

  private func killed(
    at server: some AccountServer, _ port: UInt16, in folder: TemporaryFolder, patiently: Bool = false
  ) throws -> Talk {
    var chance = Chance("encrypted kills at \(type(of: server))")
    let proxy = try CountingProxy(to: port, in: folder)
    let talk = try Talk(at: server, in: folder, seed: chance.seed, through: proxy.port, encryption: "always")
    let company = try TalkCompany(of: talk, at: server, in: folder)
    for _ in 0..<Self.count {
      try talk.say(&chance)
      try company.say(&chance)
      let victims = chance.draw(1...4) == 1 ? talk.talkers : [talk.talkers[chance.draw(0...1)]]
      chance.pause(upTo: 250)
      for victim in victims { try victim.kill() }
      for victim in victims {
        try victim.start()
        if patiently { try victim.daemon.client().waitUntilOnline() }
      }
      // ejabberd loses what it had for a stream that it is asked for twice at once.
      if patiently { continue }
      try talk.say(&chance, upTo: 3)
      chance.pause(upTo: 250)
      try proxy.cut()
      try talk.talkers[0].connect()
    }
    try withExtendedLifetime(proxy) {
      try talk.expectAll(patiently ? .asArchived : .asSaid)
      try company.expectAll(losesOnResumption: patiently)
    }
    return talk
  }
}
