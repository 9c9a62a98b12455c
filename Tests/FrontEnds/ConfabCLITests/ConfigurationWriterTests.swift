import Syscalls
import TestSupport
import Testing

@testable import ConfabCLI

/// The files that `confab setup` writes behind a login that worked.
@Suite("The configuration that setup writes")
struct ConfigurationWriterTests {
  private static func draft(_ name: String, in folder: TemporaryFolder) throws -> AccountDraft {
    let options = ["name": name, "config": folder.file("confab/confab.conf")]
    return try AccountDraft(LocalRequest(.setup, options), environment: [:])
  }

  private static func write(_ draft: AccountDraft) throws {
    try ConfigurationWriter(draft: draft).write(jid: "\(draft.name)@example.org", password: Array("secret".utf8))
  }

  @Test("two that ask at the same time both get their account, and what was edited meanwhile stays")
  func together() throws {
    let folder = try TemporaryFolder("setup")
    let drafts = try ["one", "two"].map { try Self.draft($0, in: folder) }
    try Self.write(drafts[0])
    let edited = (TestFiles.text(drafts[0].file) ?? "") + "# mine\n"
    _ = try folder.write("confab/confab.conf", edited)
    try Self.write(drafts[1])
    let text = try #require(TestFiles.text(drafts[1].file))
    #expect(text.hasPrefix(edited) && text.contains("[account one]") && text.contains("[account two]"))
  }

  @Test("a name that another setup took meanwhile is refused, and its password stays")
  func sameName() throws {
    let folder = try TemporaryFolder("setup")
    let drafts = try ["one", "one"].map { try Self.draft($0, in: folder) }
    try Self.write(drafts[0])
    #expect(throws: SetupFailure.self) { try Self.write(drafts[1]) }
    #expect(TestFiles.text(drafts[0].passwordFile) == "secret\n")
  }

  @Test("while another one writes nothing is written; what a killed one left goes")
  func others() throws {
    let folder = try TemporaryFolder("setup")
    let draft = try Self.draft("one", in: folder)
    guard let held = try FileLock.take(Files.openDirectory(try folder.makeFolder("confab"))) else {
      throw TestFailure("nobody else can have it")
    }
    withExtendedLifetime(held) {
      _ = #expect(throws: SetupFailure.self) { try Self.write(draft) }
      #expect(TestFiles.below(folder.path).isEmpty)
    }
    _ = consume held
    _ = try folder.write("confab/.password-one.new", "half")
    try Self.write(draft)
    #expect(
      TestFiles.below(folder.path).sorted().map(Paths.name(of:)) == ["confab.conf", "password-one"])
  }
}
