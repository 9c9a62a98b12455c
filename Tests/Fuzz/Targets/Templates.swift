/// What front ends ask and servers send, for scripts to choose from.
enum Templates {
  /// `%` is where a tag goes; without one it goes behind.
  static let requests: [String] = [
    "ping", "version", "help", "help about=send", "status", "status for=online timeout=20s", "roster", "groups",
    "conversations", "conversations limit=1", "unread", "unread in=bob@example.org", "reload", "quit",
    "send %bob@example.org hello there", "send %bob@example.org/phone to the phone", "send %alice@example.org to me",
    "send key=k1 %bob@example.org with a key", "send key=k1 %bob@example.org with another text",
    "send wait=sent %bob@example.org waiting", "send wait=sent timeout=5s %carol@example.org briefly",
    "send wait=sent key=k2 %bob@example.org both", "send %not a jid at all", "send account=work %bob@example.org w",
    "send account=none %bob@example.org n", "send %bob@example.org \u{1F600} <&>'\"",
    "wait %1", "wait %3", "wait %4", "wait for=sent timeout=10s %5", "wait %6", "wait for=delivered %7", "wait %99",
    "watch", "watch since=0", "watch since=1 kinds=message,state", "watch since=2 in=bob@example.org", "unwatch",
    "history %bob@example.org", "history limit=2 %bob@example.org", "history before=5 %bob@example.org",
    "history after=2 %bob@example.org", "history %alice@example.org", "history %nobody@example.org",
    "search %ell", "search limit=2 in=bob@example.org from=bob@example.org before=9 %e", "search limit=0 %ß\u{301}",
    "sections %bob@example.org", "sections gap=1s %bob@example.org", "read %bob@example.org",
    "read id=4 %bob@example.org", "read id=3 %bob@example.org", "draft %bob@example.org",
    "draft %bob@example.org half a",
    "add %dave@example.org", "add name=D group=g %dave@example.org", "remove %bob@example.org",
    "accept %eve@example.org",
    "deny %eve@example.org", "presence show=away %at lunch", "presence", "connect", "disconnect",
    "connect account=work", "disconnect account=work", "status account=work", "bad %verb", "send", "history",
    "send expires=5s %bob@example.org not for long", "send hold=2m %bob@example.org later", "cancel %4", "cancel %11",
    "release %5", "release %11", "wait for=displayed timeout=10s %4", "fetch %2", "fetch-stop %2",
  ]

  private static let subscriptions = ["both", "none", "remove", "to"]

  /// A server's words; `ids` has the stanza id of each stanza that must be stored before it is acknowledged.
  static func stanza(_ choice: Int, number: Int, handled: UInt32) -> (text: String, ids: [String?]) {
    switch choice % 24 {
    case 0, 1, 2:
      plain("m\(number)", from: ["bob@example.org/phone", "carol@example.org/x", "eve@example.org/y"][choice % 3])
    case 3: plain("m\(number)", from: "alice@example.org/other")
    case 4:
      plain(
        "m\(number)", from: "bob@example.org/phone",
        extra: "<delay xmlns='urn:xmpp:delay' from='example.org' stamp='2025-10-0\(1 + number % 9)T08:15:30Z'/>",
        isNew: false)
    case 5:
      plain(
        "m\(number)", from: "bob@example.org", extra: "<x xmlns='urn:x'><y/></x><subject>s</subject><thread>t</thread>")
    case 6:
      (
        "<message from='bob@example.org' type='error' id='m\(number)'><error type='cancel'>"
          + "<gone xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>",
        [nil]
      )
    case 7: ("<r xmlns='urn:xmpp:sm:3'/>", [])
    case 8: ("<a xmlns='urn:xmpp:sm:3' h='\(handled)'/>", [])
    case 9: ("<a xmlns='urn:xmpp:sm:3' h='\(number)'/>", [])
    case 10: ("<presence from='bob@example.org/phone'><show>away</show><status>out</status></presence>", [nil])
    case 11: ("<presence from='bob@example.org/r\(number)' type='unavailable'/>", [nil])
    case 12: ("<presence from='eve@example.org' type='subscribe'/>", [nil])
    case 13: ("<iq type='get' id='i\(number)' from='bob@example.org/phone'><ping xmlns='urn:xmpp:ping'/></iq>", [nil])
    case 14: ("<iq type='get' id='i\(number)'><query xmlns='http://jabber.org/protocol/disco#info'/></iq>", [nil])
    case 15:
      (
        "<iq type='set' id='p\(number)'><query xmlns='jabber:iq:roster' ver='v2'>"
          + "<item jid='dave@example.org' subscription='\(subscriptions[number % 4])'>"
          + "<group>g</group></item></query></iq>",
        [nil]
      )
    case 16: ("<iq type='result' id='\(number)'/><iq type='error' id='x'/>", [nil, nil])
    case 17:
      ("<stream:error><conflict xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error></stream:stream>", [])
    case 18: ("</stream:stream>", [])
    case 19:
      (
        "<message from='bob@example.org/phone'><composing xmlns='http://jabber.org/protocol/chatstates'/></message>",
        [nil]
      )
    case 20: ("<message from='bob@example.org/phone' id='u\(number)'><later xmlns='urn:later'/></message>", [nil])
    case 21: ("<message from='@' id='u'><body>x</body></message><message><body/></message>", [nil, nil])
    case 22: ("<failed xmlns='urn:xmpp:sm:3'/>", [])
    default: (" ", [])
    }
  }

  private static func plain(_ id: String, from: String, extra: String = "", isNew: Bool = true) -> (
    text: String, ids: [String?]
  ) {
    let text =
      "<message from='\(from)' to='alice@example.org/confab' type='chat' id='\(id)'>"
      + "<body>text \(id)</body>\(extra)</message>"
    return (text, [isNew ? id : nil])
  }
}
