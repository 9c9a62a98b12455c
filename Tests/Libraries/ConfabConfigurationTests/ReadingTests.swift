import Clocks
import Testing

@testable import ConfabConfiguration
@Suite("A configuration that is right")
struct ReadingTests {
  @Test("has every key of this version")
  func everyKey() throws {
    let configuration = try read(
      """
      # everything
      [daemon]
      socket = /run/confab/socket
      ; where the log is
      data=/var/lib/confab
      snap-interval = 90m
      log-level = debug
      dns-server = 127.0.0.1:5353
      dns-server = [::1]

      [account home]
      jid = alice@example.org
      password-file = ${CREDENTIALS_DIRECTORY}/alice
      server = 127.0.0.1:15222
      tls = starttls
      proxy = 127.0.0.1:9050
      ca-file = ~/ca.pem
      resource = confab

      [account Work_2-b]
      jid = bob@example.org
      password = two  words ; and #more
      """, environment: ["CREDENTIALS_DIRECTORY": "/run/credentials/confab", "HOME": "/home/alice"])
    #expect(configuration.daemon.socket == "/run/confab/socket")
    #expect(configuration.daemon.data == "/var/lib/confab")
    #expect(configuration.daemon.snapInterval == .minutes(90))
    #expect(configuration.daemon.logLevel == .debug)
    #expect(configuration.daemon.dnsServers == ["127.0.0.1:5353", "[::1]"])
    var home = AccountSettings(name: "home", jid: "alice@example.org")
    home.passwordFile = "/run/credentials/confab/alice"
    home.server = HostPort(host: "127.0.0.1", port: 15222)
    home.tls = .starttls
    home.proxy = Proxy(server: HostPort(host: "127.0.0.1", port: 9050))
    home.caFile = "/home/alice/ca.pem"
    home.resource = "confab"
    var work = AccountSettings(name: "Work_2-b", jid: "bob@example.org")
    work.password = Secret(Array("two  words ; and #more".utf8))
    #expect(configuration.accounts == [home, work])
  }

  @Test("has the defaults of the table where it says nothing")
  func defaults() throws {
    let configuration = try read(rightAccount)
    #expect(configuration.daemon == DaemonSettings())
    #expect(configuration.daemon.snapInterval == .hours(24))
    #expect(configuration.daemon.logLevel == .info)
    #expect(configuration.accounts.map(\.tls) == [.auto])
    #expect(configuration.accounts.map(\.server) == [nil])
    #expect(SettingTable.key("snap-interval", in: .daemon)?.defaultText == "24h")
    #expect(SettingTable.key("log-level", in: .daemon)?.defaultText == "info")
    #expect(SettingTable.key("tls", in: .account)?.defaultText == "auto")
  }

  @Test(
    "may look different",
    arguments: [
      "\u{FEFF}" + rightAccount,
      rightAccount.split(separator: "\n").joined(separator: "\r\n") + "\r\n",
      rightAccount + "\n\n\n; end",
      "  \t\n" + rightAccount,
      rightAccount + "[daemon]\n",
      "[account home]\n\tjid\t=\talice@example.org  \n  password=secret",
      "  [account home]  \n  jid: alice@example.org\n  password: secret\n",
    ])
  func forms(text: String) throws {
    #expect(try read(text) == read(rightAccount))
  }

  @Test("keeps comment signs, brackets, equals signs and quotes in values")
  func verbatim() throws {
    for value in ["a;b", "a ; b", "a # b", "#", ";", "=x=", "[x]", "\"q\"", "'q'", "${HOME}", "~/x", "$", "密码", "a\tb"]
    {
      let configuration = try read("[account a]\njid = a@b\npassword = \(value)\n")
      #expect(configuration.accounts.first?.password == Secret(Array(value.utf8)))
    }
  }

  @Test("takes a line of 4,096 bytes, and a header of 49")
  func longest() throws {
    let password = String(repeating: "p", count: 4096 - "password = ".utf8.count)
    let configuration = try read("[account a]\njid = a@b\npassword = \(password)\n")
    #expect(configuration.accounts.first?.password?.bytes.count == password.utf8.count)
    let name = String(repeating: "n", count: 32)
    #expect(try read("[account \(name)]\njid = a@b\npassword = x").accounts.map(\.name) == [name])
  }

  @Test("is equal to another exactly where nothing differs")
  func equality() throws {
    #expect(try read("\n\n" + rightAccount) == read(rightAccount))
    #expect(try read(rightAccount) != read(rightAccount.replacing("secret", with: "Secret")))
  }

  @Test(
    "log levels",
    arguments: zip(["critical", "error", "warning", "notice", "info", "debug"], LogLevel.allCases))
  func logLevels(name: String, level: LogLevel) throws {
    #expect(try read("[daemon]\nlog-level = \(name)\n" + rightAccount).daemon.logLevel == level)
  }

  @Test(
    "servers",
    arguments: [
      ("xmpp.example.org", "xmpp.example.org", 5222), ("xmpp.example.org:1", "xmpp.example.org", 1),
      ("example.org.:65535", "example.org.", 65535), ("localhost:5223", "localhost", 5223),
      ("10.0.0.1", "10.0.0.1", 5222), ("[::1]:5222", "::1", 5222), ("[2001:db8::7]", "2001:db8::7", 5222),
      ("_x.a-b.example:00080", "_x.a-b.example", 80),
    ] as [(String, String, UInt16)])
  func servers(text: String, host: String, port: UInt16) throws {
    let configuration = try read(rightAccount + "server = \(text)\n")
    #expect(configuration.accounts.first?.server == HostPort(host: host, port: port))
  }

  @Test("many accounts take no long time", .timeLimit(.minutes(1)))
  func manySections() throws {
    let text = (0..<10_000).map { "[account a\($0)]\njid = a\($0)@example.org\npassword-file = /p\n" }.joined()
    #expect(try read(text).accounts.count == 10_000)
  }
}
