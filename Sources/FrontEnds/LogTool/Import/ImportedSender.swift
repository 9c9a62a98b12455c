/// The author of a line's message: I, or the contact of the conversation; nobody else can be.
struct ImportedSender {
  private(set) var isMe: Bool
  /// With a resource, where one is said.
  private(set) var address: String
  /// A bare JID.
  private(set) var conversation: String

  /// - Parameter own: the account's bare JID.
  init(_ object: ImportedObject, own: String) throws(LineProblem) {
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
    if isMe, !address.utf8.contains(UInt8(ascii: "/")), let resource = try object.name("resource") {
      address = try object.address("resource", of: address + "/" + resource)
    }
  }
}
