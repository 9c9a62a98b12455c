import Testing

@testable import ConfabConfiguration
@Suite("A configuration that is wrong")
struct ErrorTests {
  /// What is written, and what is said of it after `/c`.
  struct Case: CustomTestStringConvertible, Sendable {
    let text: String
    let error: String

    init(_ text: String, _ error: String) { (self.text, self.error) = (text, error) }

    var testDescription: String { error }
  }

  private static let daemonKeys = "expected " + Phrase.oneOf(SettingTable.names(in: .daemon))
  private static let accountKeys = "expected " + Phrase.oneOf(SettingTable.names(in: .account))
  private static let passwordKeys = "expected password, password-file or password-command"
  private static let accountName =
    "expected [account NAME] with a name of 1 to 32 letters, digits, - or _ in ASCII"
  private static let socketPath = "expected an absolute path of at most 107 bytes"

  private static func daemon(_ line: String, _ error: String) -> Case {
    Case("[daemon]\n\(line)\n" + rightAccount, ":2: [daemon] " + error)
  }

  private static func account(_ line: String, _ error: String) -> Case {
    Case(rightAccount + line + "\n", ":4: [account home] " + error)
  }

  private static let headers: [Case] = [
    Case("x = 1\n[daemon]", ":1: x: expected a section such as [daemon] before it"),
    Case(
      "[deamon]\n",
      ":1: [deamon]: expected [daemon], [account NAME], [socket NAME] or [hook NAME], found an unknown section"),
    Case("[]\n", ":1: []: expected [daemon], [account NAME], [socket NAME] or [hook NAME], found an unknown section"),
    Case(
      "[ daemon ]\n",
      ":1: [ daemon ]: expected [daemon], [account NAME], [socket NAME] or [hook NAME], found an unknown section"),
    Case("[daemon x]\n", ":1: [daemon x]: expected [daemon], found a name"),
    Case("[account]\n", ":1: [account]: \(accountName)"),
    Case("[account a b]\n", ":1: [account a b]: \(accountName)"),
    Case("[account é]\n", ":1: [account é]: \(accountName)"),
    Case(
      "[account \(String(repeating: "n", count: 33))]\n",
      ":1: [account \(String(repeating: "n", count: 33))]: \(accountName)"
    ),
    Case("[\(String(repeating: "n", count: 50))]\n", ":1: expected a section's name of at most 49 bytes, found 50"),
    Case("[daemon\nx = 1\n", ":1: expected a ] at the end of the section's name"),
    Case("[daemon] ; comment\n", ":1: expected nothing after the ] of a section's name"),
    Case("[daemon] socket = /s\n", ":1: expected nothing after the ] of a section's name"),
    Case("[daemon]\n[daemon]\n", ":2: [daemon]: expected this section once, found it on line 1 already"),
    Case(rightAccount + rightAccount, ":4: [account home]: expected this section once, found it on line 1 already"),
  ]

  private static let wholes: [Case] = [
    Case("", ": expected an [account NAME] section, found none"),
    Case("[daemon]\n", ": expected an [account NAME] section, found none"),
    Case("\n[account a]\npassword = x\n", ":2: [account a]: expected the key jid, found none"),
    Case("[account a]\njid = a@b\n", ":1: [account a]: \(passwordKeys), found none of them"),
    Case(
      "[account a]\njid = a@b\n[daemon]\nx = y\n", ":1: [account a]: \(passwordKeys), found none of them"),
    Case(
      "[account a]\npassword-file = /p\npassword = x\n",
      ":3: [account a] password: \(passwordKeys), found two of them"),
    Case(
      "[account a]\npassword-command = pass\npassword-file = /p\n",
      ":3: [account a] password-file: \(passwordKeys), found two of them"),
    Case(
      "[account a]\npassword = x\npassword-command = pass\n",
      ":3: [account a] password-command: \(passwordKeys), found two of them"),
    Case(
      "[account a]\njid = A@b\npassword = x\n[account b]\njid = a@B\n",
      ":5: [account b] jid: expected an address of its own, found that of [account a]"),
  ]

  private static let keys: [Case] = [
    daemon(
      "colour = red", "colour: \(daemonKeys), found an unknown key"),
    daemon(
      "Socket = /s", "Socket: \(daemonKeys), found an unknown key"),
    daemon(
      "jid = a@b", "jid: \(daemonKeys), found a key of [account NAME]"),
    daemon(
      "a\u{202E}b = 1",
      "a\\u{202E}b: \(daemonKeys), found an unknown key"),
    account(
      "data = /d",
      "data: \(accountKeys), found a key of [daemon]"),
    account("jid = alice@example.org", "jid: expected this key once, found it on line 2 already"),
    Case(
      "[account a]\nresource = a\n\nresource = b\n",
      ":4: [account a] resource: expected this key once, found it on line 2 already"),
    Case(rightAccount + "hunter2\n", ":4: [account home]: expected KEY = VALUE"),
    Case(rightAccount + "= hunter2\n", ":4: [account home]: expected KEY = VALUE"),
    Case("hunter2\n", ":1: expected KEY = VALUE"),
  ]

  private static let values: [Case] =
    [
      daemon("socket = run/s", "socket: \(socketPath), found \"run/s\""),
      daemon("socket =", "socket: \(socketPath), found nothing"),
      daemon(
        "socket = /\(String(repeating: "s", count: 107))",
        "socket: \(socketPath), found \"/\(String(repeating: "s", count: 79))…\""),
      daemon("data = ~alice/x", "data: expected an absolute path, found \"~alice/x\""),
      daemon("data = $HOME/x", "data: expected an absolute path, found \"$HOME/x\""),
      daemon("data = ${NONE}/x", "data: expected the environment variable NONE to be set, found it unset"),
      daemon("data = ${EMPTY}/x", "data: expected the environment variable EMPTY to be set, found it empty"),
      daemon("data = ${RELATIVE}/x", "data: expected an absolute path, found \"some/where/x\""),
      daemon("data = /${HOME", "data: expected a variable as ${NAME}, found \"${HOME\""),
      daemon("data = /${}", "data: expected a variable as ${NAME}, found \"${}\""),
      daemon("data = /${1A}", "data: expected a variable as ${NAME}, found \"${1A}\""),
      daemon("data = /${A-B}", "data: expected a variable as ${NAME}, found \"${A-B}\""),
      daemon("log-level = loud", "log-level: expected critical, error, warning, notice, info or debug, found \"loud\""),
      daemon("log-level = Info", "log-level: expected critical, error, warning, notice, info or debug, found \"Info\""),
      account("tls = no", "tls: expected auto, starttls or direct, found \"no\""),
      account("resource =", "resource: expected 1 to 1023 bytes, found nothing"),
      account(
        "resource = \(String(repeating: "r", count: 1024))",
        "resource: expected 1 to 1023 bytes, found \"\(String(repeating: "r", count: 80))…\""),
      account("ca-file = ca.pem", "ca-file: expected an absolute path, found \"ca.pem\""),
      Case("[account a]\npassword =\n", ":2: [account a] password: expected a password, found nothing"),
      Case(
        "[account a]\npassword-command =\n",
        ":2: [account a] password-command: expected a command such as pass show xmpp, found nothing"),
      Case("[account a]\npassword-file = p\n", ":2: [account a] password-file: expected an absolute path, found \"p\""),
    ]
    + ["0s", "-1s", "24", "24 h", "1.5h", "h", "9223372036854775807d", "24h ; a day", "２４h"].map {
      daemon(
        "snap-interval = \($0)",
        "snap-interval: expected a duration above zero such as 90s, 30m, 24h or 7d, found \"\($0)\"")
    }
    + [
      "localhost", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536", "::1", "[::1", "127.1", "[127.0.0.1]",
      "1.2.3.4, 5.6.7.8",
    ].map {
      daemon(
        "dns-server = \($0)",
        "dns-server: expected an IP address, or address:port, such as 127.0.0.1:53 or [::1]:53, found \"\($0)\"")
    }
    + ["alice", "@b", "a@", "a@b@c", "a@b/c", "a b@c", "a@b\u{A0}"].map {
      Case(
        "[account a]\njid = \($0)\n",
        ":2: [account a] jid: expected an address such as alice@example.org, found \"\($0)\"")
    }
    + [
      ":5222", "host:", "host:x", "host:+1", "host:123456", "::1", "::1:5222", "[::1]x", "[::1]:", "[]", "[host]:1",
      "a..b",
      "-a", "a-", "a b", "1.2.3", "1.2.3.256", "host:5222:1", "xmpp://host",
      "\(String(repeating: "a", count: 64))",
    ].map {
      account(
        "server = \($0)",
        "server: expected host or host:port such as xmpp.example.org:5222 or [::1]:5222, found \"\($0)\"")
    }

  @Test("in its sections", arguments: headers)
  func section(_ wrong: Case) { expect(wrong) }

  @Test("as a whole", arguments: wholes)
  func whole(_ wrong: Case) { expect(wrong) }

  @Test("in its keys", arguments: keys)
  func key(_ wrong: Case) { expect(wrong) }

  @Test("in its values", arguments: values)
  func value(_ wrong: Case) { expect(wrong) }

  private func expect(_ wrong: Case) {
    let environment = ["HOME": "/home/alice", "EMPTY": "", "RELATIVE": "some/where"]
    #expect(complaint(wrong.text, environment: environment) == "/c" + wrong.error)
  }
}
