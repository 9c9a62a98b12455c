import Testing

@testable import ConfabConfiguration
@Suite("proxy =")
struct ProxyTests {
  private static func account(_ proxy: String) -> String {
    rightAccount.replacing("password = secret", with: "password-file = /p") + "proxy = \(proxy)\n"
  }

  private static func proxy(_ text: String) throws -> Proxy? { try read(account(text)).accounts.first?.proxy }

  @Test(
    "is a host with or without a port, and 1080 where there is none",
    arguments: [
      ("127.0.0.1", "127.0.0.1", 1080), ("127.0.0.1:9050", "127.0.0.1", 9050), ("[::1]:9050", "::1", 9050),
      ("socks5://proxy.example", "proxy.example", 1080), ("socks5://[::1]:9050", "::1", 9050),
    ] as [(String, String, UInt16)])
  func places(text: String, host: String, port: UInt16) throws {
    #expect(try Self.proxy(text) == Proxy(server: HostPort(host: host, port: port)))
  }

  @Test(
    "may have a user name and a password, in which % begins the code of a byte",
    arguments: [
      ("socks5://me:secret@127.0.0.1:9050", "me", "secret"), ("socks5://m%3Ae:a%40b%25@127.0.0.1:9050", "m:e", "a@b%"),
      ("socks5://me:a:b@c@127.0.0.1:9050", "me", "a:b@c"),
    ])
  func credentials(text: String, user: String, password: String) throws {
    let credentials = Proxy.Credentials(user: user, password: Secret(Array(password.utf8)))
    #expect(
      try Self.proxy(text) == Proxy(server: HostPort(host: "127.0.0.1", port: 9050), credentials: credentials))
  }

  @Test(
    "is nothing else, and an onion service least of all",
    arguments: [
      "http://127.0.0.1:3128", "socks5://", "127.0.0.1:0", "127.0.0.1:65536", "abc.onion", "socks5://ABC.Onion.:9050",
      "socks5h://127.0.0.1",
    ])
  func wrong(text: String) {
    #expect(
      complaint(Self.account(text))
        == "/c:4: [account home] proxy: expected host, host:port or socks5://user:password@host:port, not in .onion,"
        + " found \"\(text)\"")
  }

  @Test(
    "shows nothing that may be a password",
    arguments: [
      "socks5://me@127.0.0.1", "socks5://:secret@127.0.0.1", "socks5://me:@127.0.0.1", "socks5://me:%zz@127.0.0.1",
      "me:secret@127.0.0.1", "socks5://me:secret@abc.onion", "socks5://me:%+1@127.0.0.1",
    ])
  func hidden(text: String) throws {
    let words = try #require(complaint(Self.account(text)))
    #expect(words.hasSuffix("not in .onion") && !words.contains("secret"))
  }

  @Test("makes the file its owner's alone where it has a password")
  func mode() {
    #expect(complaint(Self.account("127.0.0.1:9050"), mode: 0o644) == nil)
    let words = complaint(Self.account("socks5://me:secret@127.0.0.1"), mode: 0o644)
    #expect(words?.contains("a file that only its owner can read (mode 600)") == true)
  }
}
