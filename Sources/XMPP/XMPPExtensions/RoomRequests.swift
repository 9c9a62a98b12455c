package import XML
package import XMPPCore

/// Roles and affiliations of a room (XEP-0045, sections 8 and 9).
package enum RoomAdministration {
  /// Gives an occupant a role; `none` is a kick.
  package static func set(_ role: Role, of nick: String, in room: JID, reason: String? = nil, id: String) -> [UInt8] {
    set(["nick": nick, "role": role.rawValue], in: room, reason, id)
  }

  /// Gives an account an affiliation; `outcast` is a ban.
  ///
  /// - Parameter nick: a nick to reserve for the account.
  package static func set(
    _ affiliation: Affiliation, of jid: JID, nick: String? = nil, in room: JID, reason: String? = nil, id: String
  ) -> [UInt8] {
    set(
      ["affiliation": affiliation.rawValue, "jid": jid.bare.description, "nick": nick], in: room, reason, id)
  }

  /// Requests the accounts that have an affiliation.
  package static func list(_ affiliation: Affiliation, in room: JID, id: String) -> [UInt8] {
    list(["affiliation": affiliation.rawValue], in: room, id)
  }

  /// Requests the occupants that have a role.
  package static func list(_ role: Role, in room: JID, id: String) -> [UInt8] {
    list(["role": role.rawValue], in: room, id)
  }

  /// The entries of the answer; nil: it is none.
  package static func items(in iq: Element) -> [RoomItem]? {
    let items = iq.child("query", MultiUserChat.admin)?.children("item", MultiUserChat.admin)
    return items?.map { RoomItem($0, in: MultiUserChat.admin) }
  }

  private static func set(
    _ attributes: KeyValuePairs<StaticString, String?>, in room: JID, _ reason: String?, _ id: String
  ) -> [UInt8] {
    IQ.set(to: room.description, id: id) { writer in
      writer.open("query", xmlns: MultiUserChat.admin)
      writer.open("item", attributes: attributes)
      if let reason { writer.element("reason", text: reason) }
      writer.close()
      writer.close()
    }
  }

  private static func list(
    _ attributes: KeyValuePairs<StaticString, String?>, in room: JID, _ id: String
  ) -> [UInt8] {
    IQ.get(to: room.description, id: id) { writer in
      writer.open("query", xmlns: MultiUserChat.admin)
      writer.empty("item", attributes: attributes)
      writer.close()
    }
  }
}

/// The form by which a room is configured, and its end (section 10).
package enum RoomConfiguration {
  package static func request(_ room: JID, id: String) -> [UInt8] {
    IQ.get(to: room.description, id: id) { $0.empty("query", xmlns: MultiUserChat.owner) }
  }

  /// The form in the answer.
  package static func form(in iq: Element) throws(DataForm.Failure) -> DataForm {
    guard let query = iq.child("query", MultiUserChat.owner) else { throw .missing }
    return try DataForm(in: query)
  }

  /// Submits the changed fields alone; rooms keep the others as they are.
  package static func submit(_ form: DataForm, _ changes: [DataForm.Change], to room: JID, id: String) -> [UInt8] {
    set(room, id) { form.writeSubmit(changes, into: &$0) }
  }

  /// Cancels the configuration. A room that is being made, is not (section 10.1.3).
  package static func cancel(_ room: JID, id: String) -> [UInt8] {
    set(room, id) { DataForm.writeCancel(into: &$0) }
  }

  /// Opens a new room as its service makes rooms (section 10.1.2).
  package static func acceptDefaults(_ room: JID, id: String) -> [UInt8] {
    set(room, id) { $0.empty("x", xmlns: Namespace.dataForms, attributes: ["type": "submit"]) }
  }

  /// Destroys a room.
  ///
  /// - Parameters:
  ///   - movedTo: the room where its occupants are to go, and the password of that.
  package static func destroy(
    _ room: JID, movedTo: JID? = nil, password: String? = nil, reason: String? = nil, id: String
  ) -> [UInt8] {
    set(room, id) { writer in
      writer.open("destroy", attributes: ["jid": movedTo?.description])
      if let password { writer.element("password", text: password) }
      if let reason { writer.element("reason", text: reason) }
      writer.close()
    }
  }

  private static func set(_ room: JID, _ id: String, _ payload: IQ.Payload) -> [UInt8] {
    IQ.set(to: room.description, id: id) { writer in
      writer.open("query", xmlns: MultiUserChat.owner)
      payload(&writer)
      writer.close()
    }
  }
}
