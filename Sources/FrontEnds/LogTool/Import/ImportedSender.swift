import Records

/// The author of a line's message: I, or the contact of the conversation; in a room any occupant, and nobody else.
struct ImportedSender {
  private(set) var isMe: Bool
  /// With a resource, where one is said.
  private(set) var address: String
  /// A bare JID, or an occupant's.
  private(set) var conversation: String

  /// In a room: the resource of the address.
  var nick: String { String(address.drop { $0 != "/" }.dropFirst()) }

  /// - Parameter own: the account's bare JID.
  init(_ object: ImportedObject, _ kind: ConversationKind, own: String) throws(LineProblem) {
    if kind == .person { try self.init(object, own: own) } else { try self.init(ofRoom: object, kind, own: own) }
  }

  /// Reads the sender in a room, or in a private conversation with an occupant.
  private init(ofRoom object: ImportedObject, _ kind: ConversationKind, own: String) throws(LineProblem) {
    conversation = try object.address("conversation", isBare: kind == .room)
    guard kind == .room || conversation.utf8.contains(UInt8(ascii: "/")) else {
      throw LineProblem("'conversation' is not the JID of an occupant")
    }
    let room = String(conversation.prefix { $0 != "/" })
    isMe = try object.flag("mine") ?? false
    address = try object.address("from", isBare: false)
    // A message of mine has my own JID, or, as the room showed it, the one in the room.
    let bare = String(address.prefix { $0 != "/" })
    guard bare == room && (isMe || kind == .room || address == conversation) || isMe && bare == own else {
      throw LineProblem("'from' is nobody in the conversation")
    }
    if kind == .occupant { try addResource(of: object) }
  }

  private init(_ object: ImportedObject, own: String) throws(LineProblem) {
    conversation = try object.address("conversation", isBare: true)
    let mine = try object.flag("mine")
    if let from = try object.name("from") {
      // A message from the account to itself is mine in one copy and not in the other: then only `mine` decides.
      let me = mine == false ? nil : try object.person("from", from, being: own)
      isMe = mine ?? (me != nil)
      guard let writer = isMe ? me : try object.person("from", from, being: conversation) else {
        throw LineProblem(
          isMe
            ? "'mine' is true, but 'from' is not the account's JID"
            : "'mine' is false, but 'from' is not the conversation's JID")
      }
      address = writer.address
      if !isMe { conversation = writer.owner }
    } else {
      guard let mine else { throw LineProblem("'from' is missing") }
      (isMe, address) = (mine, mine ? own : conversation)
    }
    try addResource(of: object)
  }

  /// Adds the device of mine that sent it, where the line says it apart.
  private mutating func addResource(of object: ImportedObject) throws(LineProblem) {
    guard isMe, !address.utf8.contains(UInt8(ascii: "/")), let resource = try object.name("resource") else { return }
    address = try object.address("resource", of: address + "/" + resource)
  }
}
