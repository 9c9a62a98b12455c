import Testing
import XML
import XMPPCore

@testable import XMPPExtensions

@Suite("Descriptions of rooms")
struct RoomInfoTests {
  private static func field(_ name: String, _ values: String...) -> String {
    "<field var='\(name)'>" + values.map { "<value>\($0)</value>" }.joined() + "</field>"
  }

  private func info(
    _ features: [String], _ fields: String = "", identity: String = "category='conference' type='text' name='Hall'"
  ) throws -> RoomInfo? {
    let form =
      "<x xmlns='jabber:x:data' type='result'><field var='FORM_TYPE' type='hidden'>"
      + "<value>http://jabber.org/protocol/muc#roominfo</value></field>\(fields)</x>"
    let xml =
      "<iq type='result'><query xmlns='http://jabber.org/protocol/disco#info'><identity \(identity)/>"
      + features.map { "<feature var='\($0)'/>" }.joined() + form + "</query></iq>"
    return try DiscoInfo(element(xml)).flatMap { RoomInfo($0) }
  }

  private static let prosody = [
    "http://jabber.org/protocol/muc", "http://jabber.org/protocol/muc#stable_id",
    "http://jabber.org/protocol/muc#self-ping-optimization", "urn:xmpp:occupant-id:0", "urn:xmpp:mam:2",
    "urn:xmpp:mam:2#extended", "urn:xmpp:sid:0", "http://jabber.org/protocol/muc#request", "jabber:iq:register",
    "muc_persistent", "muc_membersonly", "muc_unmoderated", "muc_passwordprotected", "muc_hidden",
    "muc_nonanonymous", "urn:xmpp:message-moderate:0",
  ]

  @Test("Prosody's room with an archive")
  func prosody() throws {
    let hash = String(repeating: "0f", count: 20)
    let info = try #require(
      try info(
        Self.prosody,
        Self.field("muc#roominfo_description", "For tea") + Self.field("muc#roominfo_occupants", "12")
          + Self.field("muc#roominfo_lang", "en") + Self.field("muc#roomconfig_changesubject", "1")
          + Self.field("{http://modules.prosody.im/mod_vcard_muc}avatar#sha1", hash)
          + Self.field("muc#roominfo_contactjid", "xmpp:al@example.org", "bo@example.org", "@")
          + Self.field("muc#roominfo_logs", "https://example.org/logs")))
    #expect(info.name == "Hall" && info.description == "For tea" && info.language == "en" && info.occupants == 12)
    #expect(info.avatarHash == hash && info.mayChangeSubject == true && info.privateMessages == nil)
    #expect(info.logs == "https://example.org/logs" && info.gateway == nil)
    #expect(info.contacts.map(\.description) == ["al@example.org", "bo@example.org"])
    #expect(info.isPersistent == true && info.isMembersOnly == true && info.isModerated == false)
    #expect(info.isPasswordProtected == true && info.isPublic == false && info.isNonAnonymous == true)
    #expect(
      info.features == [
        .stableIDs, .selfPingOptimization, .occupantIDs, .archive, .extendedArchive, .stanzaIDs, .voiceRequests,
        .registration, .moderationZero,
      ])
  }

  @Test("ejabberd's room without an archive")
  func ejabberd() throws {
    let features = [
      "vcard-temp", "http://jabber.org/protocol/muc", "muc_temporary", "muc_open", "muc_moderated", "muc_unsecured",
      "muc_public", "muc_semianonymous",
    ]
    let fields =
      Self.field("muc#roomconfig_allowpm", "moderators") + Self.field("muc#roomconfig_roomname", "")
      + Self.field("muc#roominfo_description", "")
    let info = try #require(try info(features, fields, identity: "category='conference' type='text'"))
    #expect(info.name == nil && info.description == nil && info.features == [] && info.privateMessages == .moderators)
    #expect(info.isPersistent == false && info.isMembersOnly == false && info.isModerated == true)
    #expect(info.isPasswordProtected == false && info.isPublic == true && info.isNonAnonymous == false)
  }

  @Test("Two features that contradict each other, or none, say nothing")
  func contradictions() throws {
    let info = try #require(try info(["muc_nonanonymous", "muc_semianonymous", "muc_open", "muc_membersonly"]))
    #expect(info.isNonAnonymous == nil && info.isMembersOnly == nil && info.isPersistent == nil)
  }

  @Test("Values that cannot be are not said", arguments: ["-1", "x", "", "99999999999"])
  func junk(_ value: String) throws {
    let names = [
      "muc#roominfo_occupants", "muc#roomconfig_changesubject", "muc#roominfo_avatarhash", "muc#roominfo_contactjid",
    ]
    let info = try #require(try info([], names.map { Self.field($0, value) }.joined()))
    #expect(info.occupants == nil && info.mayChangeSubject == nil && info.avatarHash == nil)
    #expect(info.contacts.allSatisfy { $0.description == value })
  }

  @Test(
    "Private messages were allowed by a boolean once",
    arguments: [
      ("1", .anyone), ("false", RoomInfo.PrivateMessages.none), ("?", nil),
    ] as [(String, RoomInfo.PrivateMessages?)])
  func privateMessages(_ value: String, _ allowed: RoomInfo.PrivateMessages?) throws {
    #expect(try info([], Self.field("muc#roomconfig_allowpm", value))?.privateMessages == allowed)
  }

  @Test(
    "A gateway is known by its identity; what is no room has no description",
    arguments: [
      ("category='conference' type='irc'", "irc"), ("category='gateway' type='irc'", "irc"),
      ("category='conference' type='text'", nil),
    ])
  func gateways(_ identity: String, _ gateway: String?) throws {
    #expect(try info(["http://jabber.org/protocol/muc"], identity: identity)?.gateway == gateway)
    #expect(try info(Self.prosody.filter { !$0.hasSuffix("/muc") }, identity: "category='account' type='a'") == nil)
  }

  @Test("A form that is too long is left out, and the features stay")
  func longForm() throws {
    let fields = (0...1_000).map { Self.field("f\($0)", "") }.joined()
    let info = try #require(try info(Self.prosody, fields + Self.field("muc#roominfo_lang", "en")))
    #expect(info.language == nil && info.features.contains(.archive))
  }
}
