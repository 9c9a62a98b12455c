import Testing
import XML
import XMPPCore

@testable import XMPPExtensions

@Suite("Data forms")
struct XEP0004DataFormsTests {
  /// What Prosody 0.12 sends for a new room, shortened.
  static let configuration = """
    <x xmlns='jabber:x:data' type='form'><title>Configuration for hall@rooms.example.org</title>\
    <instructions>Complete and submit this form.</instructions><instructions>Or cancel.</instructions>\
    <field var='FORM_TYPE' type='hidden'><value>http://jabber.org/protocol/muc#roomconfig</value></field>\
    <field type='fixed'><value>Room information</value></field>\
    <field var='muc#roomconfig_roomname' type='text-single' label='Title'><value>Hall</value></field>\
    <field var='muc#roomconfig_roomdesc' type='text-multi' label='Description'><desc>A brief description</desc>\
    <value>one</value><value>two</value></field>\
    <field var='muc#roomconfig_persistentroom' type='boolean' label='Persistent'><value>0</value></field>\
    <field var='muc#roomconfig_whois' type='list-single' label='Addresses'><required/><value>moderators</value>\
    <option label='Moderators only'><value>moderators</value></option><option label='Anyone'><value>anyone</value></option>\
    </field><field var='muc#roomconfig_roomowners' type='jid-multi'/>\
    <field var='nonce' type='hidden'><value>7</value></field></x>
    """

  private func form(_ xml: String = configuration) throws -> DataForm { try DataForm(element(xml)) }

  @Test("All of a form is read")
  func reading() throws {
    let form = try form()
    #expect(form.kind == .form && form.title == "Configuration for hall@rooms.example.org")
    #expect(form.instructions == "Complete and submit this form.\nOr cancel.")
    #expect(form.formType == "http://jabber.org/protocol/muc#roomconfig")
    #expect(
      form.fields.map(\.name) == [
        "FORM_TYPE", "", "muc#roomconfig_roomname", "muc#roomconfig_roomdesc", "muc#roomconfig_persistentroom",
        "muc#roomconfig_whois", "muc#roomconfig_roomowners", "nonce",
      ])
    #expect(form.fields[1].type == .fixed && form.fields[1].values == ["Room information"])
    #expect(
      form["muc#roomconfig_roomdesc"]
        == .init(
          name: "muc#roomconfig_roomdesc", type: .textMulti, label: "Description", description: "A brief description",
          values: ["one", "two"]))
    #expect(
      form["muc#roomconfig_whois"]
        == .init(
          name: "muc#roomconfig_whois", type: .listSingle, label: "Addresses", isRequired: true, values: ["moderators"],
          options: [.init(label: "Moderators only", value: "moderators"), .init(label: "Anyone", value: "anyone")]))
  }

  @Test("Fields without a name or with an unknown type, and elements of others, are no harm")
  func junk() throws {
    let form = try form(
      "<x xmlns='jabber:x:data' type='?'><field/><field var=''/><field var='a' type='?'><value/></field>"
        + "<field xmlns='urn:x' var='b'/><field var='c'><option/><option><value>1</value></option></field>"
        + "<reported/><item><field var='d'/></item></x>")
    #expect(form.kind == .form && form.title == nil && form.instructions == nil && form.formType == nil)
    #expect(form.fields == [.init(name: "a", values: [""]), .init(name: "c", options: [.init(value: "1")])])
  }

  @Test("A form of more than 1,000 fields or 256 KiB is refused")
  func bounds() throws {
    func fields(_ count: Int, _ value: String = "") -> String {
      "<x xmlns='jabber:x:data'>"
        + (0..<count).map { "<field var='f\($0)'><value>\(value)</value></field>" }.joined() + "</x>"
    }
    #expect(try form(fields(1_000)).fields.count == 1_000)
    #expect(throws: DataForm.Failure.tooManyFields) { try self.form(fields(1_001)) }
    #expect(throws: DataForm.Failure.tooLong) { try self.form(fields(2, String(repeating: "x", count: 128 << 10))) }
    #expect(throws: DataForm.Failure.tooLong) {
      try self.form(
        "<x xmlns='jabber:x:data'><title>\(String(repeating: "x", count: 256 << 10))x</title></x>")
    }
    #expect(throws: DataForm.Failure.missing) { try self.form("<x xmlns='jabber:x:oob'/>") }
  }

  @Test("Of two forms in an element neither is read")
  func two() throws {
    let x = "<x xmlns='jabber:x:data'><field var='a'/></x>"
    #expect(try DataForm(in: element("<message>\(x)</message>")).fields.count == 1)
    for none in ["", x + x] {
      #expect(throws: DataForm.Failure.missing) { try DataForm(in: element("<message>\(none)</message>")) }
    }
  }

  @Test("An answer has the hidden fields and the changes, and nothing else")
  func submitting() throws {
    let form = try form()
    var writer = XMLWriter()
    try form.writeSubmit(
      [
        form.change("muc#roomconfig_persistentroom", to: ["yes"]),
        form.change("muc#roomconfig_roomdesc", to: ["a\n\n<b>"]),
        form.change("muc#roomconfig_roomowners", to: ["Al@Example.org", "bo@example.org"]),
      ], into: &writer)
    let expected = """
      <x xmlns='jabber:x:data' type='submit'><field var='FORM_TYPE' type='hidden'>\
      <value>http://jabber.org/protocol/muc#roomconfig</value></field><field var='nonce'><value>7</value></field>\
      <field var='muc#roomconfig_persistentroom'><value>1</value></field>\
      <field var='muc#roomconfig_roomdesc'><value>a</value><value/><value>&lt;b></value></field>\
      <field var='muc#roomconfig_roomowners'><value>al@example.org</value><value>bo@example.org</value></field></x>
      """
    #expect(try element(writer.bytes) == element(expected))
  }

  @Test(
    "A value that a field cannot have is refused",
    arguments: [
      ("x", ["1"], .unknownField), ("", ["1"], .unknownField), ("FORM_TYPE", ["1"], .notChangeable),
      ("muc#roomconfig_persistentroom", ["2"], .notBoolean), ("muc#roomconfig_persistentroom", [""], .notBoolean),
      ("muc#roomconfig_persistentroom", ["1", "0"], .oneValueOnly), ("muc#roomconfig_whois", ["x"], .notAnOption),
      ("muc#roomconfig_whois", [""], .required), ("muc#roomconfig_whois", [], .required),
      ("muc#roomconfig_roomowners", ["a@b", "@"], .notAnAddress),
      ("muc#roomconfig_roomname", ["a", "b"], .oneValueOnly),
    ] as [(String, [String], DataForm.Refusal)])
  func refusals(_ name: String, _ values: [String], _ refusal: DataForm.Refusal) throws {
    let form = try form()
    #expect(throws: refusal) { try form.change(name, to: values) }
  }

  @Test("A boolean is typed in words, and an empty value clears a text or a list of addresses")
  func values() throws {
    let form = try form()
    for (typed, value) in [("Yes", "1"), ("on", "1"), ("TRUE", "1"), ("no", "0"), ("off", "0"), ("0", "0")] {
      #expect(try form.change("muc#roomconfig_persistentroom", to: [typed]).values == [value])
    }
    #expect(try form.change("muc#roomconfig_roomname", to: [""]).values == [""])
    #expect(try form.change("muc#roomconfig_roomowners", to: [""]).values == [])
    #expect(try form.change("muc#roomconfig_whois", to: ["anyone"]).values == ["anyone"])
  }
}
