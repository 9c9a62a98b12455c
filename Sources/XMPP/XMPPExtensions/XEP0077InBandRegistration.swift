package import XML
package import XMPPCore

/// XEP-0077, as far as a room uses it: a nick that is reserved for an account (XEP-0045, section 7.10).
package struct Registration: Sendable, Equatable {
  package static let namespace: StaticString = "jabber:iq:register"
  private static let formType = "http://jabber.org/protocol/muc#register"
  private static let nickField = "muc#register_roomnick"

  package let isRegistered: Bool
  /// Our reserved nick.
  package let nick: String?
  package let form: DataForm?

  /// Asks a room whether we are registered, and what it wants to know.
  package static func request(_ room: JID, id: String) -> [UInt8] {
    IQ.get(to: room.description, id: id) { $0.empty("query", xmlns: namespace) }
  }

  /// Reads the answer; nil: it is none.
  package init?(_ iq: Element) {
    guard let query = iq.child("query", Self.namespace) else { return nil }
    form = try? DataForm(in: query)
    isRegistered = query.child("registered", Self.namespace) != nil
    let names = [query.child("username", Self.namespace), query.child("nick", Self.namespace)].map { $0?.text }
    nick = (names + [form?.value(of: Self.nickField)]).lazy.compactMap(MultiUserChat.nick).first
  }

  /// The required fields, besides the nick, that nothing is known of.
  package var openFields: [String] {
    form?.fields.filter { $0.isRequired && $0.values.isEmpty && $0.name != field }.map(\.name) ?? []
  }

  /// Registers a nick.
  package func submit(nick: String, to room: JID, id: String) -> [UInt8] {
    let change = DataForm.Change(field, [nick])
    return Self.set(room, id) { writer in
      if let form {
        form.writeSubmit([change], into: &writer)
      } else {
        DataForm.writeSubmit(Self.formType, [change], into: &writer)
      }
    }
  }

  /// Gives the registration up.
  package static func cancel(_ room: JID, id: String) -> [UInt8] { set(room, id) { $0.empty("remove") } }

  /// The field of the nick: ejabberd's form of a whole service calls it otherwise.
  private var field: String { form?[Self.nickField] == nil && form?["nick"] != nil ? "nick" : Self.nickField }

  private static func set(_ room: JID, _ id: String, _ payload: IQ.Payload) -> [UInt8] {
    IQ.set(to: room.description, id: id) { writer in
      writer.open("query", xmlns: namespace)
      payload(&writer)
      writer.close()
    }
  }
}
