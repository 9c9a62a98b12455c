import ConfabConfiguration
import Records
import Ratchet
import State
import XMPPCore
import XMPPExtensions

/// The parts of one account, each made once, with the parts that it needs. They outlive a link.
package final class AccountParts {
  package let core: CoreParts
  package let people: PeopleParts
  package let messaging: MessagingParts
  package let files: FileParts
  /// The parts that follow the account's streams, in the order in which they are notified.
  let listeners: [any StreamPart]

  init(
    of jid: JID, _ settings: AccountSettings, _ state: AccountState, _ effects: Effects, _ storage: Storage,
    _ records: RecordReader
  ) {
    core = CoreParts(of: jid, state, effects, storage)
    people = PeopleParts(of: jid, core)
    messaging = MessagingParts(of: jid, settings, core, people, records)
    files = FileParts(of: jid, settings, core, messaging)
    messaging.encryption.keysMayBeKnown = { [unowned outbox = messaging.outbox, unowned uploads = files.uploads] in
      outbox.checkKeys()
      uploads.advance()
    }
    listeners = [
      core.stream, people.roster, messaging.encryption, messaging.receipts, messaging.archive, messaging.outbox,
      messaging.inbox,
      messaging.rooms, messaging.bookmarks,
      people.blocking, people.avatarPublisher, people.avatars, people.nicknames, messaging.displayed,
      messaging.ownActivity,
      messaging.chatStates, files.uploadDiscovery, files.uploadSlots, files.uploads, files.fetches, core.clientState,
    ]
    for case let part as any PersonalNodePart in listeners {
      people.events.handlers[part.node] = { part.receive($0, of: $1) }
    }
    for version in RatchetVersion.allCases {
      people.events.handlers[OMEMO.deviceNode(version)] = { [encryption = messaging.encryption] in
        encryption.receive($0, version, of: $1)
      }
    }
  }

  /// A client disconnected; the account may be offline.
  package func clientLeft(_ client: ClientID) { for part in listeners { part.clientLeft(client) } }
}

/// Parts that the others stand on: the stream, requests and their answers, what the server can do.
package final class CoreParts {
  let stream: ReliableStream
  let requests: Requests
  let nodes: PersonalNodes
  /// The account's own.
  package let archive: Archive
  package let features: ServerFeatures
  let offers: LoginOffers
  let keepAlive: KeepAlive
  package let clientState: ClientState

  fileprivate init(of jid: JID, _ state: AccountState, _ effects: Effects, _ storage: Storage) {
    stream = ReliableStream(state, effects, storage)
    requests = Requests(stream, effects)
    nodes = PersonalNodes(requests)
    archive = Archive(of: jid.bare, state, storage)
    features = ServerFeatures(of: jid, requests, stream, archive)
    offers = LoginOffers(state, storage)
    keepAlive = KeepAlive(stream, requests, effects)
    clientState = ClientState(stream)
  }
}

/// Parts that know who the contacts are, who of them is there, and how all show themselves.
package final class PeopleParts {
  package let roster: RosterSync
  let presence: PresenceSync
  let events: PersonalEvents
  package let blocking: Blocking
  package let avatars: Avatars
  package let avatarPublisher: AvatarPublisher
  package let nicknames: Nicknames
  package let profiles: Profiles

  fileprivate init(of jid: JID, _ core: CoreParts) {
    let (stream, requests, features, nodes) = (core.stream, core.requests, core.features, core.nodes)
    let (state, effects, storage) = (stream.state, stream.effects, stream.storage)
    roster = RosterSync(state, stream, requests, core.offers, effects, storage)
    presence = PresenceSync(stream, roster, effects)
    events = PersonalEvents(of: jid, roster)
    blocking = Blocking(stream, requests, features, effects)
    avatars = Avatars(of: jid.bare, state, roster, requests, nodes, effects, storage)
    avatarPublisher = AvatarPublisher(requests, features, nodes, presence, avatars, effects)
    nicknames = Nicknames(of: jid, stream, features, nodes)
    profiles = Profiles(of: jid, account: state.number, requests, nodes, effects)
    avatars.ownAvatarChanged = { [weak avatarPublisher] in avatarPublisher?.ownAvatarChanged($0) }
  }
}

/// Parts that take messages in, send them, and say how far they are.
package final class MessagingParts {
  package let encryption: Encryption
  let receipts: Receipts
  let outbox: OutboxSender
  package let inbox: Inbox
  let archive: OwnArchive
  let displayed: ReadPositionSync
  let ownActivity: OwnActivity
  package let chatStates: ChatStates
  package let rooms: Rooms
  let bookmarks: RoomBookmarks

  fileprivate init(
    of jid: JID, _ settings: AccountSettings, _ core: CoreParts, _ people: PeopleParts, _ records: RecordReader
  ) {
    let roster = people.roster
    let (stream, features, known) = (core.stream, core.features, core.archive)
    let (state, effects, storage) = (stream.state, stream.effects, stream.storage)
    encryption = Encryption(of: jid, core, records)
    encryption.configure(settings)
    receipts = Receipts(state, settings, stream, roster, records, effects, storage)
    outbox = OutboxSender(state, settings, stream, receipts, known, records, encryption, effects, storage)
    ownActivity = OwnActivity(state, storage, known)
    let stamps = BelievedStamps()
    inbox = Inbox(of: jid, stream, roster, known, receipts, ownActivity, records, stamps, encryption)
    archive = OwnArchive(settings, known, core.requests, features, inbox, outbox, stream)
    displayed = ReadPositionSync(of: jid, stream, features, core.nodes, known, records)
    chatStates = ChatStates(stream, roster, effects)
    let surroundings = RoomSurroundings(
      stream: stream, requests: core.requests, presence: people.presence, outbox: outbox, chatStates: chatStates,
      receipts: receipts, archive: known, encryption: encryption
    ) { [receipts, ownActivity, encryption] in
      Inbox(of: jid, stream, roster, $0, receipts, ownActivity, records, stamps, encryption, room: $1)
    }
    bookmarks = RoomBookmarks(of: jid, core.nodes, features, core.requests)
    rooms = Rooms(surroundings, bookmarks)
    outbox.rooms = rooms
    outbox.present = { [unowned inbox] in inbox.finder.present($0, $1) }
    encryption.unreadable.reopen = { [unowned inbox, unowned rooms] id in
      let room = inbox.finder.written(id).flatMap { rooms[$0.jid] }
      return (room?.history.inbox ?? inbox).reopen(id)
    }
    encryption.isCatchingUp = { [known, unowned rooms] in known.run != nil || rooms.areCatchingUp }
    encryption.policies.isPrivateRoom = { [unowned rooms] in rooms.isPrivate($0) }
    encryption.policies.isForMembers = { [unowned rooms] in
      rooms[$0].map(\.isForMembers)
    }
    encryption.recipients.audience = { [unowned rooms] in rooms[$0]?.audience }
    encryption.recipients.isOpen = { [unowned rooms] in rooms[$0]?.outbox.isRead == true }
    inbox.awaitedOfRoom = { [unowned rooms] in rooms[$0]?.history.inbox.awaited }
    rooms.isRead = { [displayed] in displayed.elsewhere.received(in: $0) }
  }
}

/// Parts that move the files of messages.
package final class FileParts {
  package let uploadDiscovery: UploadDiscovery
  let uploadSlots: UploadSlots
  let uploads: Uploads
  package let fetches: Fetches

  fileprivate init(of jid: JID, _ settings: AccountSettings, _ core: CoreParts, _ messaging: MessagingParts) {
    let finder = messaging.inbox.finder
    uploadDiscovery = UploadDiscovery(of: jid, core.requests)
    uploadSlots = UploadSlots(core.stream, settings, uploadDiscovery, core.requests)
    uploads = Uploads(uploadSlots, finder, messaging.encryption, core.stream.effects)
    fetches = Fetches(uploadSlots, finder, core.stream.effects)
  }
}
