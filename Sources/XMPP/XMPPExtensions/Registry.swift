package import XML
import XMPPCore

/// The extensions that there are, in one table: what is announced (XEP-0030), hashed (XEP-0115), answered, and listed
/// in docs/XEPS.md all comes from here.
package enum Registry {
  /// One extension.
  package struct Row: Sendable {
    package var number: Int
    /// Its title, as the document has it.
    package var name: String
    /// The version of the document that the code was written against.
    package var version: String
    /// The implemented part of the extension.
    package var scope: String
    /// Something that the document asks of a client is missing.
    package var isPartial = false
    /// Source file in this folder, without its ending; its tests are in the file of that name and "Tests".
    package var file: String
    /// The features that `disco#info` announces for it. XEP-0359 is not announced: that is for clients that drop ids
    /// written in their name (its section 5).
    package var features: [StaticString] = []
    /// The requests that it answers.
    var requests: [Request] = []
  }

  /// How one payload of an iq of type get is answered.
  struct Request: Sendable {
    var local: StaticString
    var namespace: StaticString
    /// Writes the payload of the result.
    var answer:
      @Sendable (_ payload: Element, _ context: ExtensionContext, _ writer: inout XMLWriter) throws(StanzaError) -> Void
  }

  /// In the order of their numbers.
  package static let rows: [Row] = [
    Row(
      number: 4, name: "Data Forms", version: "2.13.2",
      scope: "Reads forms of up to 1,000 fields and 256 KiB, and submits the changed fields; no tables of results.",
      isPartial: true, file: "XEP0004DataForms"),
    Row(
      number: 30, name: "Service Discovery", version: "2.5.0",
      scope: "Answers and reads disco#info; has no items.", file: "XEP0030ServiceDiscovery",
      features: [Namespace.discoInfo, Namespace.discoItems], requests: ServiceDiscovery.requests),
    Row(
      number: 45, name: "Multi-User Chat", version: "1.35.5",
      scope: "Reads and writes what occupants, admins and owners use, and what rooms and their services tell.",
      isPartial: true, file: "XEP0045MultiUserChat"),
    Row(
      number: 48, name: "Bookmarks", version: "1.2",
      scope: "Rooms, in XEP-0049, for accounts without XEP-0402; keeps what else is there.", isPartial: true,
      file: "XEP0048BookmarkStorage"),
    Row(
      number: 49, name: "Private XML Storage", version: "1.2", scope: "Bookmarks of XEP-0048 alone.", isPartial: true,
      file: "XEP0049PrivateStorage"),
    Row(
      number: 54, name: "vcard-temp", version: "1.3.0",
      scope:
        "Reads the photo, and profiles of accounts without a vCard 4; changes the photo of our own card, where the server "
        + "does not.", isPartial: true, file: "XEP0054VCardTemp"),
    Row(
      number: 59, name: "Result Set Management", version: "1.0",
      scope: "Pages through archives, forwards and backwards, and through the rooms of a service.",
      file: "XEP0059ResultSetManagement"),
    Row(
      number: 60, name: "Publish-Subscribe", version: "1.30.0",
      scope: "Items of nodes: requests, publishes and retracts them, as far as XEP-0163 needs it.", isPartial: true,
      file: "XEP0060PublishSubscribe"),
    Row(
      number: 66, name: "Out of Band Data", version: "1.5",
      scope: "Addresses in messages, not those in iqs; written beside XEP-0447.", isPartial: true,
      file: "XEP0066OutOfBandData", features: [OutOfBandData.namespace]),
    Row(
      number: 77, name: "In-Band Registration", version: "2.4",
      scope: "Shows and registers nicks with rooms (XEP-0045), not accounts.",
      isPartial: true, file: "XEP0077InBandRegistration"),
    Row(
      number: 84, name: "User Avatar", version: "1.1.4",
      scope:
        "Takes metadata of contacts and of our own account; fetches data when it is asked for, never from URLs; publishes "
        + "one format.",
      file: "XEP0084UserAvatar", features: [UserAvatar.metadataNotify]),
    Row(
      number: 85, name: "Chat State Notifications", version: "2.1",
      scope:
        "Sent in messages of their own to those who may see our presence or have sent one, and in rooms of up to 20; read "
        + "in messages without a text.",
      file: "XEP0085ChatStates", features: [ChatState.namespace]),
    Row(
      number: 92, name: "Software Version", version: "1.1", scope: "Answers, without the operating system by default.",
      file: "XEP0092SoftwareVersion", features: [Namespace.version], requests: SoftwareVersion.requests),
    Row(
      number: 103, name: "URL Address Information", version: "0.4.1",
      scope: "The address of a file of XEP-0447, without headers or credentials.", isPartial: true,
      file: "XEP0103URLData"),
    Row(
      number: 115, name: "Entity Capabilities", version: "1.6.0",
      scope: "Announces its own; reads no descriptions of others.", file: "XEP0115EntityCapabilities",
      features: [Namespace.caps]),
    Row(
      number: 153, name: "vCard-Based Avatars", version: "1.1.1",
      scope: "Reads photos and their hashes in presences; publishes where the server does not do it itself.",
      file: "XEP0153VCardAvatars"),
    Row(
      number: 163, name: "Personal Eventing Protocol", version: "1.2.2",
      scope: "Takes events of contacts and of our own account, from the bare JID alone; publishes on our own account.",
      file: "XEP0163PersonalEventing"),
    Row(
      number: 172, name: "User Nickname", version: "1.1",
      scope:
        "Publishes the account's; takes those of contacts, and of those who ask to be one, but not those in messages.",
      file: "XEP0172UserNickname", features: ["http://jabber.org/protocol/nick+notify"]),
    Row(
      number: 184, name: "Message Delivery Receipts", version: "1.4.0",
      scope: "Asks for receipts; gives them to those who may see our presence, once, when the message is stored.",
      file: "XEP0184MessageDeliveryReceipts", features: [Namespace.receipts]),
    Row(
      number: 191, name: "Blocking Command", version: "1.3",
      scope: "Blocks, unblocks and lists for clients; says which contacts are blocked.", file: "XEP0191Blocking"),
    Row(
      number: 198, name: "Stream Management", version: "1.6.3", scope: "Acknowledgements and resumption.",
      file: "XEP0198StreamManagement"),
    Row(
      number: 199, name: "XMPP Ping", version: "2.0.1", scope: "Answers and asks.", file: "XEP0199Ping",
      features: [Namespace.ping], requests: Ping.requests),
    Row(
      number: 202, name: "Entity Time", version: "2.0", scope: "Answers.", file: "XEP0202EntityTime",
      features: [Namespace.time], requests: EntityTime.requests),
    Row(
      number: 203, name: "Delayed Delivery", version: "2.0",
      scope: "Stamps what it sends late; believes only its own server and account.", file: "XEP0203DelayedDelivery",
      features: [Namespace.delay]),
    Row(
      number: 245, name: "The /me Command", version: "1.0",
      scope: "Kept in texts as it is; front ends are told of it.", file: "XEP0245MeCommand"),
    Row(
      number: 249, name: "Direct MUC Invitations", version: "1.2",
      scope: "Reads and writes invitations, direct and through the room (XEP-0045); lists them among the rooms.",
      isPartial: true, file: "XEP0249DirectInvitations"),
    Row(
      number: 280, name: "Message Carbons", version: "1.0.1",
      scope: "Enabled where the server has them; believed from our own account only, one level deep.",
      file: "XEP0280MessageCarbons"),
    Row(
      number: 292, name: "vCard4 Over XMPP", version: "0.12.0", scope: "Reads profiles; publishes none.",
      isPartial: true,
      file: "XEP0292VCard4", features: [Profile.namespace]),
    Row(
      number: 297, name: "Stanza Forwarding", version: "1.0",
      scope: "Read inside of XEP-0280 and XEP-0313; messages are forwarded, and shown as what somebody forwarded.",
      file: "XEP0297StanzaForwarding", features: [Namespace.forward]),
    Row(
      number: 300, name: "Use of Cryptographic Hash Functions in XMPP", version: "1.0.0",
      scope: "SHA-1, SHA-256 and SHA-512 of files.", isPartial: true, file: "XEP0300Hashes",
      features: [
        FileHash.namespace, "urn:xmpp:hash-function-text-names:sha-1", "urn:xmpp:hash-function-text-names:sha-256",
        "urn:xmpp:hash-function-text-names:sha-512",
      ]),
    Row(
      number: 308, name: "Last Message Correction", version: "1.2.1",
      scope: "Corrects any message of mine; corrections of others are taken from the same bare JID.",
      file: "XEP0308MessageCorrection", features: [MessageCorrection.namespace]),
    Row(
      number: 313, name: "Message Archive Management", version: "1.1.3",
      scope: "Fetches the archives of the account and of its rooms.", file: "XEP0313MessageArchive"),
    Row(
      number: 317, name: "Hats", version: "0.3.1", scope: "Reads those of occupants; manages none.", isPartial: true,
      file: "XEP0317Hats"),
    Row(
      number: 319, name: "Last User Interaction in Presence", version: "1.0.2",
      scope: "Says since when no front end has shown a conversation, five minutes later; reads what contacts say.",
      file: "XEP0319LastInteraction"),
    Row(
      number: 333, name: "Displayed Markers", version: "1.0.0",
      scope:
        "Asks for markers; gives them, when something is read, to those who may see our presence, and to rooms of up to 20; "
        + "takes those of our other devices for its own read position.",
      file: "XEP0333DisplayedMarkers", features: [Namespace.chatMarkers]),
    Row(
      number: 334, name: "Message Processing Hints", version: "1.0.0",
      scope: "Asks archives to keep reactions and retractions.", file: "XEP0334MessageHints"),
    Row(
      number: 352, name: "Client State Indication", version: "1.0.0",
      scope: "Inactive while nobody watches, waits or shows a conversation and nobody has asked anything for a minute.",
      file: "XEP0352ClientStateIndication"),
    Row(
      number: 359, name: "Unique and Stable Stanza IDs", version: "0.7.0",
      scope: "Sends origin-id; reads stanza-id of a named assigner that announces it.", file: "XEP0359StanzaIDs"),
    Row(
      number: 363, name: "HTTP File Upload", version: "1.2.0",
      scope: "Asks for slots, both of whose addresses have to be https; sends the headers that the document allows.",
      file: "XEP0363HTTPFileUpload"),
    Row(
      number: 372, name: "References", version: "0.5.0",
      scope: "Takes marks of me in rooms for mentions; sends none.", isPartial: true, file: "XEP0372References"),
    Row(
      number: 377, name: "Blocking Command Reports", version: "0.4.1",
      scope: "Reports a JID with its block, without messages and without the right to forward the report.",
      isPartial: true,
      file: "XEP0377SpamReporting"),
    Row(
      number: 380, name: "Explicit Message Encryption", version: "0.4.1",
      scope:
        "Says of a message that it is encrypted, and how, also without this element if it is one of XEP-0384, XEP-0373 or "
        + "XEP-0027; reads XEP-0384 alone. What is encrypted here says so by it.",
      file: "XEP0380ExplicitMessageEncryption",
      features: [MessageEncryption.namespace]),
    Row(
      number: 382, name: "Spoiler messages", version: "0.2.0",
      scope: "Closed in the front ends for people until a key or a command opens them; sends none.", isPartial: true,
      file: "XEP0382SpoilerMessages", features: [Spoilers.namespace]),
    Row(
      number: 384, name: "OMEMO Encryption", version: "0.9.1",
      scope:
        "Encrypts messages between people, and in rooms whose members are known, in versions 0.3.0 and 0.8 and later.",
      isPartial: true, file: "XEP0384OMEMO",
      features: ["eu.siacs.conversations.axolotl.devicelist+notify", "urn:xmpp:omemo:2:devices+notify"]),
    Row(
      number: 393, name: "Message Styling", version: "1.1.1",
      scope:
        "Spans of texts, their marks included, unless the message says that it is unstyled; sends messages that say so.",
      file: "XEP0393MessageStyling", features: [MessageStyling.namespace]),
    Row(
      number: 398, name: "User Avatar to vCard-Based Avatars Conversion", version: "1.0.0",
      scope: "Leaves the vCard alone where the server converts.", file: "XEP0398AvatarConversion"),
    Row(
      number: 402, name: "PEP Native Bookmarks", version: "1.2.0",
      scope: "Reads and writes bookmarks of rooms; keeps what other clients store with them.", isPartial: true,
      file: "XEP0402Bookmarks", features: ["urn:xmpp:bookmarks:1+notify"]),
    Row(
      number: 410, name: "MUC Self-Ping (Schrödinger's Chat)", version: "1.1.0",
      scope: "Asks a room if we are there; an unknown nick means that it was changed, or that the room is gone.",
      isPartial: true, file: "XEP0410SelfPing"),
    Row(
      number: 420, name: "Stanza Content Encryption", version: "0.5.0",
      scope: "The content of messages in `urn:xmpp:omemo:2`; nothing else is encrypted by it.", isPartial: true,
      file: "XEP0420StanzaContentEncryption"),
    Row(
      number: 421, name: "Occupant identifiers for semi-anonymous MUCs", version: "1.0.1",
      scope: "Reads the only id of a stanza.", isPartial: true, file: "XEP0421OccupantID"),
    Row(
      number: 424, name: "Message Retraction", version: "0.4.2",
      scope:
        "Retracts messages of mine; retractions of others are taken from the same bare JID; knows what an archive has "
        + "emptied.",
      file: "XEP0424MessageRetraction", features: [MessageRetraction.namespace]),
    Row(
      number: 425, name: "Moderated Message Retraction", version: "0.3.0",
      scope:
        "Asks rooms to retract messages; takes announcements of rooms, and what archives have emptied; also 0.2.1.",
      isPartial: true, file: "XEP0425MessageModeration"),
    Row(
      number: 428, name: "Fallback Indication", version: "0.2.1",
      scope: "Marks what it sends; leaves out what stands in the body for replies, files and changes.",
      file: "XEP0428FallbackIndication", features: [FallbackIndication.namespace]),
    Row(
      number: 441, name: "Message Archive Management Preferences", version: "0.2.0",
      scope: "Reads them if a message of ours is missing, to learn whether the archive keeps such messages.",
      isPartial: true,
      file: "XEP0441ArchivePreferences"),
    Row(
      number: 444, name: "Message Reactions", version: "0.2.1",
      scope: "Sends and takes them, at most 32 of one person; what is no emoji is left out.",
      file: "XEP0444MessageReactions", features: [MessageReactions.namespace]),
    Row(
      number: 446, name: "File metadata element", version: "0.2.0",
      scope: "Name, type, size, pixels and hashes; names are cleaned.", isPartial: true, file: "XEP0446FileMetadata"),
    Row(
      number: 447, name: "Stateless file sharing", version: "0.3.1",
      scope: "Up to 32 files of a message, at addresses of XEP-0103; no sources that are attached later.",
      isPartial: true,
      file: "XEP0447StatelessFileSharing", features: [FileSharing.namespace]),
    Row(
      number: 448, name: "Encryption for stateless file sharing", version: "0.2.0",
      scope: "AES-GCM with its tag behind the file, inside of omemo:2; CBC is not decrypted.", isPartial: true,
      file: "XEP0448EncryptedFileSharing"),
    Row(
      number: 449, name: "Stickers", version: "0.2.0",
      scope: "Shows the words and the file of a sticker; sends none, and knows no packs of them.", isPartial: true,
      file: "XEP0449Stickers"),
    Row(
      number: 454, name: "OMEMO Media sharing", version: "0.1.0",
      scope: "Sends and reads them inside of OMEMO 0.3.0; neither makes nor shows thumbnails.",
      isPartial: true, file: "XEP0454OMEMOMediaSharing"),
    Row(
      number: 461, name: "Message Replies", version: "0.2.1",
      scope: "Sends them behind a quotation; knows the message that is answered, if it is here.",
      file: "XEP0461MessageReplies", features: [MessageReplies.namespace]),
    Row(
      number: 478, name: "Stream Limits Advertisement", version: "0.1.0",
      scope: "Publishes no avatar that makes a longer stanza than the server takes.", file: "XEP0478StreamLimits"),
    Row(
      number: 490, name: "Message Displayed Synchronization", version: "1.0.1",
      scope: "Both ways, for conversations between two people, if the account checks publish-options.",
      file: "XEP0490DisplayedSynchronization", features: ["urn:xmpp:mds:displayed:0+notify"]),
    Row(
      number: 492, name: "Chat notification settings", version: "0.2.0",
      scope: "The setting of rooms for clients on computers, both ways, in their bookmarks; keeps the others.",
      isPartial: true, file: "XEP0492ChatNotificationSettings"),
  ]

  /// Our answer to `disco#info`.
  package static func info(_ context: ExtensionContext) -> DiscoInfo {
    DiscoInfo(identities: [context.identity], features: rows.flatMap { $0.features.map { "\($0)" } }.sorted())
  }

  /// Bytes of the longest id that is answered. The answer holds the id, escaped: without a bound anybody could make us
  /// send a stanza that is too long for our own server, which would end our stream.
  package static let longestID = 1_024

  /// The answer to a request that is for no other part of the program (RFC 6120, section 8.2.3); nil for what is no
  /// request, or cannot be answered.
  package static func answer(iq: Element, context: ExtensionContext) -> [UInt8]? {
    guard let header = StanzaHeader(iq), header.kind == .iq, !header.hasBadFrom else { return nil }
    // An answer is never answered: two clients would never stop.
    guard header.type != "result", header.type != "error" else { return nil }
    guard (header.id?.utf8.count ?? 0) <= longestID else { return nil }
    // Whatever a stranger asks, well or badly, is answered as if nobody was here.
    guard context.asker == .trusted else { return IQ.error(replyingTo: iq, .serviceUnavailable) }
    do throws(StanzaError) {
      let payload = try payload(of: iq, header)
      guard header.type == "get", let request = request(for: payload) else { throw StanzaError.serviceUnavailable }
      var writer = XMLWriter()
      try request.answer(payload, context, &writer)
      return IQ.result(replyingTo: iq) { $0.raw(writer.bytes) }
    } catch {
      return IQ.error(replyingTo: iq, error)
    }
  }

  /// A request has an id, a type that there is, and exactly one child.
  private static func payload(of iq: Element, _ header: StanzaHeader) throws(StanzaError) -> Element {
    guard header.id != nil, header.type == "get" || header.type == "set" else { throw .badRequest }
    guard let payload = iq.onlyChild else { throw .badRequest }
    return payload
  }

  private static func request(for payload: Element) -> Request? {
    for row in rows {
      if let request = row.requests.first(where: { payload.isNamed($0.local, $0.namespace) }) { return request }
    }
    return nil
  }
}
