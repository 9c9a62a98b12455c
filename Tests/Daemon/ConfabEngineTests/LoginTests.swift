import Bytes
import Clocks
import ConfabAccounts
import State
import JSON
import MessageLog
import Records
import ConfabConfiguration
import TestSupport
import Testing

@Suite("an account's life")
struct LoginTests {
  @Test("logs in and says so", arguments: [true, false])
  func logsIn(management: Bool) throws {
    let harness = try Harness()
    // The first connection is made at the start; the next one meets the server as it is now.
    harness.server.offersManagement = management
    let client = harness.connect()
    let lines = harness.ask(client, "status")
    #expect(lines.first?["account"]?["state"]?.string == "online")
    #expect(lines.first?["account"]?["sasl"]?.string == "SCRAM-SHA-1")
    #expect(lines.last?["ok"]?.bool == true)
  }

  /// The server says that the password is wrong.
  /// The server takes no password.
  static let wrong = Deviation(
    moment: .auth, text: "<failure xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><not-authorized/></failure>", times: 100)

  @Test("a refused password that has worked is tried again after hours, or at once by `connect`")
  func wrongForOnce() throws {
    let harness = try Harness()
    let client = harness.connect()
    func state() -> String? { harness.ask(client, "status").first?["account"]?["state"]?.string }
    harness.server.deviation = Self.wrong
    harness.cut()
    harness.pass(.seconds(2))
    #expect(state() == "waiting")
    harness.handle(.networkChanged)
    harness.pass(.minutes(119))
    #expect(harness.connects == 2)
    harness.pass(.minutes(123))
    #expect(harness.connects == 3)
    harness.server.deviation = nil
    _ = harness.ask(client, "connect")
    #expect(state() == "online")
  }

  @Test("a new password is refused at once, though the one before it worked")
  func newPasswordWrong() throws {
    let harness = try Harness()
    harness.server.deviation = Self.wrong
    harness.reload { $0.accounts[0].password = Secret(Array("other".utf8)) }
    harness.pass(.seconds(5))
    #expect(harness.ask(harness.connect(), "status").first?["account"]?["state"]?.string == "refused")
  }

  @Test("a wrong password is refused, in words, and not tried again")
  func wrongPassword() throws {
    var settings = Harness.alice
    settings.server = nil
    let harness = try Harness(accounts: [settings])
    let client = harness.connect()
    #expect(harness.ask(client, "status").first?["account"]?["state"]?.string == "connecting")
  }

  @Test("a cut is followed by another try, later and later")
  func comesBack() throws {
    let harness = try Harness()
    let client = harness.connect()
    let first = try #require(harness.link)
    harness.handle(.link(first, .closed("the connection was cut")))
    let status = harness.ask(client, "status").first?["account"]
    #expect(status?["state"]?.string == "waiting")
    #expect(status?["reason"]?.string == "the connection was cut")
    harness.pass(.seconds(2))
    #expect(harness.ask(client, "status").first?["account"]?["state"]?.string == "online")
    #expect(harness.link != first)
  }

  @Test("a session of TLS is resumed only where the login before it went through")
  func resumesTLS() throws {
    let harness = try Harness(recordsActions: true)
    func last() -> String? { harness.actions.last { $0.contains("TLSRequest(") } }
    #expect(last()?.contains("account: Optional(\"home\"), resumes: false") == true)
    harness.cut()
    harness.pass(.seconds(2))
    #expect(last()?.contains("account: Optional(\"home\"), resumes: true") == true)
    harness.server.isMute = true
    harness.cut()
    harness.pass(.seconds(2))
    #expect(last()?.contains("resumes: true") == true)
    harness.cut()
    harness.pass(.seconds(5))
    #expect(last()?.contains("resumes: false") == true)
  }

  @Test("a stream error with the stream's end behind it, in one read, spoils nothing for the next connection")
  func errorAndEnd() throws {
    let harness = try Harness()
    let client = harness.connect()
    let connections = harness.targets.count
    harness.receive(
      "<stream:error><reset xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error></stream:stream>")
    #expect(harness.ask(client, "status").first?["account"]?["state"]?.string == "waiting")
    harness.clearTrace()
    harness.pass(.seconds(2))
    #expect(harness.targets.count == connections + 1)
    #expect(harness.toServer.hasPrefix("<?xml"))
    #expect(harness.ask(client, "status").first?["account"]?["state"]?.string == "online")
  }

  @Test("disconnect is durable until connect")
  func disconnect() throws {
    let harness = try Harness()
    let client = harness.connect()
    #expect(harness.ask(client, "disconnect").last?["ok"]?.bool == true)
    #expect(harness.toServer.hasSuffix("</stream:stream>"))
    #expect(harness.ask(client, "status").first?["account"]?["state"]?.string == "stopped")
    let later = try Harness(on: harness.storage)
    let other = later.connect()
    #expect(later.ask(other, "status").first?["account"]?["state"]?.string == "stopped")
    #expect(later.ask(other, "connect").last?["ok"]?.bool == true)
    #expect(later.ask(other, "status").first?["account"]?["state"]?.string == "online")
  }

  @Test("a stop acknowledges what is synced, closes the stream and leaves a checkpoint")
  func stop() throws {
    let harness = try Harness()
    harness.receive("<message from='bob@example.org/x' type='chat' id='1'><body>hi</body></message>")
    harness.handle(.stop(.terminate))
    harness.pass(.seconds(1))
    #expect(harness.exitStatus == 0)
    #expect(harness.toServer.contains("<a xmlns='urn:xmpp:sm:3' h='4'/></stream:stream>"))
    #expect(harness.checkpoints.count == 1)
  }

  @Test("an account whose record could not be stored is in no checkpoint, and declared at the next start")
  func undeclared() throws {
    let harness = try Harness()
    harness.syncsAtOnce = false
    harness.reload { $0.accounts.append(Harness.work) }
    harness.sync(failing: StorageError(.noSpace, "full"))
    harness.handle(.stop(.terminate))
    harness.pass(.seconds(20))
    let checkpoint = try #require(harness.checkpoints.last)
    let state = try State.restored(from: checkpoint.body, sequence: checkpoint.sequence, gap: .hours(24))
    #expect(state.accounts.all.map(\.record.name) == ["home"])
    _ = try Harness(on: harness.storage, accounts: [Harness.alice, Harness.work])
    harness.storage.change { $0.files = [:] }
    let known = State(gap: .hours(24))
    var recovery = try Recovery(of: harness.storage, log: nil, mode: .readOnly)
    _ = try recovery.run { known.apply($0) }
    #expect(Set(known.accounts.all.map(\.record.name)) == ["home", "work"])
  }
}
