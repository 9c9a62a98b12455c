import Bytes
import Reactor
import Syscalls
import TestSupport
import Testing
import Transport

@Suite("Links through a proxy")
struct ProxyTests {
  private let loop: EventLoop
  private let dns: ScriptedNameServer
  private let proxy: ServerPeer

  init() throws {
    let loop = try EventLoop()
    let dns = try ScriptedNameServer()
    self.loop = loop
    self.dns = dns
    proxy = try ServerPeer(loop: loop)
    _ = try loop.watch(dns.fd.raw, for: .read) { _ in try? dns.serve() }
  }

  private static let greeting: [UInt8] = [5, 1, 0]
  private static let granted: [UInt8] = [5, 0, 0, 1, 0, 0, 0, 0, 0, 0]
  private var place: String { "127.0.0.1:\(proxy.address.port)" }

  /// A client that has asked the proxy for `im.example.org`.
  private func asking(host: String = "im.example.org", proxyHost: String = "127.0.0.1") throws -> Client {
    let client = try Client(loop: loop, servers: [dns.address])
    client.link?.connect(
      host: host, port: 5222, through: SOCKSProxy(host: proxyHost, port: proxy.address.port))
    try loop.run("greeted", until: { proxy.received == Self.greeting || client.isClosed })
    return client
  }

  private func requested(_ client: Client) throws {
    try proxy.send([5, 0])
    try loop.run("asked", until: { proxy.received.count > 3 || client.isClosed })
  }

  private func granted(_ client: Client) throws {
    try requested(client)
    try proxy.send(Self.granted)
    try loop.run("opened", until: { client.isOpen || client.isClosed })
  }

  @Test("The proxy gets the name, and then the bytes of both sides pass; DNS is asked for nothing")
  func passes() throws {
    let client = try asking()
    try requested(client)
    #expect(Array(proxy.received.dropFirst(3)) == [5, 1, 0, 3, 14] + Array("im.example.org".utf8) + [0x14, 0x66])
    #expect(client.events.isEmpty)
    try proxy.send(Self.granted)
    try loop.run("opened", until: { client.isOpen })
    #expect(client.events == [.opened(remote: "im.example.org:5222 through \(place)")])
    client.link?.write(Array("<stream>".utf8))
    try loop.run("written", until: { proxy.received.suffix(8) == Array("<stream>".utf8) })
    try proxy.send("<stream>")
    try loop.run("received", until: { client.received.count == 8 })
    #expect(dns.questions.isEmpty)
  }

  @Test("The proxy's own name is looked up, and no other")
  func ownName() throws {
    dns.records["proxy.example"] = [.a([127, 0, 0, 1])]
    let client = try asking(proxyHost: "proxy.example")
    try granted(client)
    #expect(client.isOpen)
    #expect(Set(dns.questions) == ["A proxy.example", "AAAA proxy.example"])
  }

  @Test("A refusal, an end, a cut and a stranger's protocol are told with the proxy's address", arguments: 0..<4)
  func failures(how: Int) throws {
    let client = try asking()
    switch how {
    case 0:
      try requested(client)
      try proxy.send([5, 4, 0, 1, 0, 0, 0, 0, 0, 0])
    case 1: proxy.hangUp()
    case 2: proxy.hangUp(reset: true)
    default: try proxy.send("HTTP/1.1 400 Bad Request\r\n\r\n")
    }
    try loop.run("closed", until: { client.isClosed })
    let words = ["cannot reach the host", "closed the connection", "broke the connection: ", "does not speak SOCKS5"][
      how]
    let sentence = try #require(client.closing ?? nil)
    #expect(sentence.hasPrefix("the proxy at \(place), asked for im.example.org:5222, \(words)"))
    #expect(!client.isOpen)
  }

  @Test("Bytes behind the proxy's reply are nobody's, and end it")
  func surplus() throws {
    let client = try asking()
    try requested(client)
    try proxy.send(Self.granted + Array("<stream:features/>".utf8))
    try loop.run("closed", until: { client.isClosed })
    #expect(!client.isOpen && client.received.isEmpty)
    #expect(client.closing??.hasSuffix("sent more than was asked for") == true)
  }

  @Test("A proxy that is not there is told; then the link may try again, without one")
  func notThere() throws {
    let dead = try Sockets.listening(at: try #require(.loopback(port: 0)))
    let address = try #require(try Sockets.localAddress(dead.raw))
    try dead.close()
    let client = try Client(loop: loop)
    client.link?.connect(host: "im.example.org", port: 5222, through: SOCKSProxy(host: "127.0.0.1", port: address.port))
    try loop.run("closed", until: { client.isClosed })
    #expect(
      (client.closing ?? nil) == "the proxy cannot be reached: nothing listens at \(address) (connection refused)")
    client.link?.connect(host: "127.0.0.1", port: proxy.address.port)
    try loop.run("connected", until: { client.isOpen })
  }

  @Test("A name that does not fit is not asked for")
  func tooLong() throws {
    let client = try Client(loop: loop)
    client.link?.connect(
      host: String(repeating: "a", count: 256), port: 1,
      through: SOCKSProxy(host: "127.0.0.1", port: proxy.address.port))
    try loop.run("closed", until: { client.isClosed })
    #expect(client.closing??.hasSuffix("is not a name that a proxy can resolve") == true)
  }

  @Test("Aborted in the middle, it leaves nothing behind")
  func aborted() throws {
    let before = loop.watchCount
    let client = try asking()
    client.link?.abort()
    client.drop()
    try loop.run("end seen", until: { proxy.hasEnded })
    #expect(client.events.isEmpty && loop.watchCount <= before)
  }
}
