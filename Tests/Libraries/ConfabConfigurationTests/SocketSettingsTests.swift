import Clocks
import Testing

@testable import ConfabConfiguration
@Suite("Sockets in the configuration")
struct SocketSettingsTests {
  @Test("a section has its path, rights, recipients, rate and people; who is not named there is named in [daemon]")
  func sections() throws {
    let configuration = try read(
      """
      [socket alerts]
      path = ~/run/alerts
      rights = send
      to = ops@example.org
      to = boss@example.org/pager
      rate = 10/m
      allow-uid = 33
      [socket eyes]
      path = /run/confab/eyes
      rights = read
      [daemon]
      allow-uid = 1000
      allow-uid = 0
      socket-group = staff

      """ + rightAccount, environment: ["HOME": "/home/alice"])
    var alerts = SocketSettings(name: "alerts", path: "/home/alice/run/alerts")
    alerts.rights = .send
    alerts.recipients = ["ops@example.org", "boss@example.org/pager"]
    alerts.rate = SendRate(count: 10, interval: .minutes(1))
    alerts.access = SocketAccess(users: [33])
    var eyes = SocketSettings(name: "eyes", path: "/run/confab/eyes")
    eyes.rights = .read
    eyes.access = SocketAccess(users: [1000, 0], group: SocketGroup(name: "staff", id: 50))
    #expect(configuration.sockets == [alerts, eyes])
    #expect(configuration.daemon.access == eyes.access)
    let served = configuration.servedSockets(main: "/main")
    #expect(served.map(\.name) == [nil, "alerts", "eyes"] && served.first?.path == "/main")
    #expect(served.first?.rights == .full && served.first?.access == eyes.access)
  }

  @Test("limits have defaults that the table states, and are read")
  func limits() throws {
    let defaults = try read(rightAccount).daemon.limits
    let names = ["max-connections", "max-connections-per-uid", "max-requests", "max-output", "max-total-output"]
    let stated = names.map { "\($0) = \(SettingTable.key($0, in: .daemon)?.defaultText ?? "")\n" }.joined()
    #expect(try read("[daemon]\n" + stated + rightAccount).daemon.limits == defaults)
    let read = try read(
      "[daemon]\nmax-connections = 1\nmax-connections-per-uid = 2\nmax-requests = 3\nmax-output = 4096\n"
        + "max-total-output = 5M\n" + rightAccount)
    #expect(read.daemon.limits.connections == 1 && read.daemon.limits.connectionsPerUser == 2)
    #expect(read.daemon.limits.requests == 3 && read.daemon.limits.output == 4096)
    #expect(read.daemon.limits.totalOutput == 5 << 20)
  }

  @Test(
    "a rate is a number of messages and a time",
    arguments: [
      ("10/m", 10, Interval.minutes(1)), ("1/90s", 1, .seconds(90)), ("1000000/365d", 1_000_000, .days(365)),
      ("3/500ms", 3, .milliseconds(500)),
    ] as [(String, Int64, Interval)])
  func rate(text: String, count: Int64, interval: Interval) throws {
    let rate = try #require(SendRate(text))
    #expect(rate == SendRate(count: count, interval: interval))
    #expect(SendRate(rate.description) == rate)
  }

  @Test("who may use it is decided by uid and groups; the modes let through whoever might")
  func access() {
    let owner = SocketAccess()
    let users = SocketAccess(users: [33])
    let group = SocketAccess(group: SocketGroup(name: "staff", id: 50))
    let both = SocketAccess(users: [33], group: SocketGroup(name: "staff", id: 50))
    for access in [owner, users, group, both] {
      #expect(access.admits(user: 1000, groups: [], owner: 1000) && access.admits(user: 0, groups: [], owner: 1000))
      #expect(access.admits(user: 33, groups: [7], owner: 1000) == !access.users.isEmpty)
      #expect(access.admits(user: 34, groups: [7, 50], owner: 1000) == (access.group != nil))
      #expect(!access.admits(user: 34, groups: [33, 7], owner: 1000))
    }
    #expect([owner, users, group, both].map(\.socketMode) == [0o600, 0o666, 0o660, 0o666])
    #expect([owner, users, group, both].map(\.directoryMode) == [0o700, 0o755, 0o750, 0o755])
    #expect([owner, users, group, both].map(\.owningGroup) == [nil, nil, 50, nil])
  }

  @Test("a directory is as open as the most open socket in it")
  func directories() {
    let owner = SocketAccess()
    let users = SocketAccess(users: [33])
    let staff = SocketAccess(group: SocketGroup(name: "staff", id: 50))
    let other = SocketAccess(group: SocketGroup(name: "other", id: 51))
    #expect(SocketAccess.directory(of: [owner]) == (0o700, nil))
    #expect(SocketAccess.directory(of: [owner, staff, staff]) == (0o750, 50))
    #expect(SocketAccess.directory(of: [staff, other]) == (0o755, nil))
    #expect(SocketAccess.directory(of: [staff, users, owner]) == (0o755, nil))
  }

  private static let alerts = "[socket alerts]\npath = /a\nrights = send\n"
  private static let keys = "expected path, rights, account, to, encryption, rate, allow-uid or socket-group"

  @Test(
    "what is wrong is told with its place",
    arguments: [
      ("[socket]\n", ":1: [socket]: expected [socket NAME] with a name of 1 to 32 letters, digits, - or _ in ASCII"),
      (
        "[socket a b]\n",
        ":1: [socket a b]: expected [socket NAME] with a name of 1 to 32 letters, digits, - or _ in ASCII"
      ),
      (alerts + alerts, ":4: [socket alerts]: expected this section once, found it on line 1 already"),
      ("\n[socket a]\nrights = send\n", ":2: [socket a]: expected the key path, found none"),
      ("[socket a]\npath = /a\n", ":1: [socket a]: expected the key rights (full, send or read), found none"),
      ("[socket a]\npath = a\n", ":2: [socket a] path: expected an absolute path of at most 107 bytes, found \"a\""),
      ("[socket a]\nrights = all\n", ":2: [socket a] rights: expected full, send or read, found \"all\""),
      (
        alerts + "[socket b]\npath = //a/.\n",
        ":5: [socket b] path: expected a path of its own, found that of [socket alerts]"
      ),
      (
        alerts + "[daemon]\nsocket = /a\n",
        ":5: [daemon] socket: expected a path of its own, found that of [socket alerts]"
      ),
      (
        "[daemon]\nsocket = /s\n[socket b]\npath = /s\n",
        ":4: [socket b] path: expected a path of its own, found that of [daemon]"
      ),
      (
        "[socket a]\npath = /a\nrights = read\nto = a@b\n",
        ":1: [socket a]: expected to and rate only with rights = send, found rights = read"
      ),
      (
        "[socket a]\npath = /a\nrate = 1/s\nrights = full\n",
        ":1: [socket a]: expected to and rate only with rights = send, found rights = full"
      ),
      (
        alerts + "account = nosuch\n",
        ": [socket alerts] account: expected the name of an [account NAME] section, found \"nosuch\""
      ),
      (alerts + "to =\n", ":4: [socket alerts] to: expected a JID such as ops@example.org, found nothing"),
      (alerts + "jid = a@b\n", ":4: [socket alerts] jid: \(keys), found a key of [account NAME]"),
      (alerts + "color = a@b\n", ":4: [socket alerts] color: \(keys), found an unknown key"),
      (
        alerts + "socket-group = nosuch\n",
        ":4: [socket alerts] socket-group: expected a group of this system, found \"nosuch\""
      ),
      (
        "[daemon]\nsocket-group = nosuch\n",
        ":2: [daemon] socket-group: expected a group of this system, found \"nosuch\""
      ),
      ("[daemon]\nsocket-group =\n", ":2: [daemon] socket-group: expected a group's name or number, found nothing"),
    ] as [(String, String)])
  func errors(text: String, error: String) {
    #expect(complaint(text + rightAccount) == "/c" + error)
  }

  @Test(
    "rates that are none",
    arguments: ["10", "/m", "0/m", "-1/m", "10/0s", "10/", "10/x", "1000001/m", "1/366d", "+1/m", "1/m/s", "１/m"])
  func badRates(text: String) {
    #expect(
      complaint(Self.alerts + "rate = \(text)\n")
        == "/c:4: [socket alerts] rate: expected messages for a time such as 10/m or 100/24h, found \"\(text)\"")
  }

  @Test("users that are none", arguments: ["alice", "-1", "4294967295", "4294967296", "1 2", "1.0", "+1", "0x1"])
  func badUsers(text: String) {
    #expect(
      complaint("[daemon]\nallow-uid = \(text)\n")
        == "/c:2: [daemon] allow-uid: expected a user's number, found \"\(text)\"")
  }

  @Test(
    "sizes and counts that are none",
    arguments: ["4095", "65M", "1G", "-1", "K", "1.5M", "9223372036854775807M", "99999999999999999999"])
  func badSizes(text: String) {
    #expect(
      complaint("[daemon]\nmax-output = \(text)\n")
        == "/c:2: [daemon] max-output: expected a size from 4K to 64M such as 65536, 256K or 16M, found \"\(text)\"")
    #expect(
      complaint("[daemon]\nmax-requests = \(text == "4095" ? "0" : text)\n")?.hasPrefix(
        "/c:2: [daemon] max-requests: expected a number from 1 to 65536, found") == true)
  }
}
