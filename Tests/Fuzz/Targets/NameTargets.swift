import AddressPreparation
import ConfabConfiguration
import XMPPCore

/// What people type: what is prepared is left alone when it is prepared again, and a server's reading is the same.
@Sendable func fuzzNames(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  checkStable("a user name", text) { try? PRECIS.usernameCaseMapped($0) }
  checkStable("a local part", text) { try? LocalPart.prepare($0) }
  checkStable("a text", text) { try? PRECIS.opaqueString($0) }
  if let once = try? SASLprep.prepare(bytes) {
    hold((try? SASLprep.prepare(once)) == once, "SASLprep leaves alone what it gave")
  }
  checkTyped(text)
}

private func checkStable(_ name: String, _ text: String, _ prepare: (String) -> String?) {
  guard let once = prepare(text) else { return }
  hold(!once.isEmpty, "\(name) is not empty")
  hold(prepare(once)?.utf8.elementsEqual(once.utf8) == true, "\(name) stays as it is prepared")
}

private func checkTyped(_ text: String) {
  guard let jid = try? JID(typed: text) else { return }
  hold((try? JID(typed: jid.description)) == jid, "\(jid) is prepared")
  hold((try? JID(jid.description)) == jid, "\(jid) is the same from a server")
  hold(
    (try? JID(typed: text, spelling: .precis))?.isSpelling(of: jid) != false, "\(jid) is a spelling of the precise one")
  hold((try? DomainName.ascii(jid.domain)) != nil, "\(jid) has a domain that DNS can be asked for")
  if let resource = jid.resource {
    hold((try? jid.bare.with(typedResource: resource)) == jid, "\(jid) is its bare form with its resource")
  }
}

/// A password command: the first byte says whether the rest is its output, or its complaints.
@Sendable func fuzzPasswords(_ bytes: [UInt8]) {
  var script = Script(bytes)
  var account = AccountSettings(name: "home", jid: "a@b")
  account.passwordCommand = "pass"
  let failure = PasswordCommandError(reason: "exit status 1", complaint: Array(bytes.dropFirst()))
  let command =
    script.byte() & 1 == 0 ? OneCommand(failure: nil, output: script.remaining()) : OneCommand(failure: failure)
  do throws(ConfigurationError) {
    let password = try account.password(files: NoFiles(), commands: command).bytes
    hold(command.failure == nil && bytes.dropFirst().starts(with: password), "a password is what was printed")
    hold((1...AccountSettings.longestPassword).contains(password.count), "a password is not too long")
    hold(!password.contains { [0, 0x0A, 0x0D].contains($0) }, "a password is one line")
  } catch {
    hold(!error.description.utf8.contains { $0 < 0x20 || $0 == 0x7F }, "an error is one line: \(error)")
    hold(error.description.utf8.count < 4_000, "an error is short")
  }
}

private struct OneCommand: PasswordCommands {
  let failure: PasswordCommandError?
  var output: [UInt8] = []

  func output(of command: String, limit: Int) throws(PasswordCommandError) -> [UInt8] {
    if let failure { throw failure }
    return Array(output.prefix(limit))
  }
}

private struct NoFiles: SettingsFiles {
  func contents(of path: String, limit: Int) throws(SettingsFileError) -> FileContents { throw .missing }
  func exists(_ path: String) -> Bool { false }
  func openness(of path: String) -> String? { nil }
  func groupID(of name: String) -> UInt32? { nil }
}
