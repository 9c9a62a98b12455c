import ConfabConfiguration
package import Records
import State
import XMPPCore
import XMPPExtensions
import XMPPStream

/// Synchronises the bookmarks of rooms (XEP-0402, else XEP-0048): publishes local changes, and applies each change of
/// other devices once.
final class RoomBookmarks: PersonalNodePart {
  let node = RoomBookmark.node

  private let own: JID
  private let nodes: PersonalNodes
  private let features: ServerFeatures
  private let element: BookmarkElement
  /// The room at an address, which may be new; nil if there are too many.
  var room: (JID) -> Room? = { _ in nil }
  /// The room at an address, if it is known.
  var known: (JID) -> Room? = { _ in nil }
  /// The rooms that there are.
  var all: () -> [Room] = { [] }
  /// True if the bookmarks of the server are known.
  private var isKnown = false
  /// How many publications of a room's bookmark are not answered. What the server tells of it meanwhile is older.
  private var underway: [JID: Int] = [:]
  /// Rooms whose bookmark was brought back on this stream: two clients that disagree publish in turn.
  private var broughtBack: Set<JID> = []

  init(of own: JID, _ nodes: PersonalNodes, _ features: ServerFeatures, _ requests: Requests) {
    (self.own, self.nodes, self.features) = (own.bare, nodes, features)
    element = BookmarkElement(requests)
    element.taken = { [unowned self] in take(all: $0) }
    element.missing = { [unowned self] in all().compactMap { missing($0) } }
  }

  // MARK: - From the server

  func answersAreLost() {
    (isKnown, underway, broughtBack) = (false, [:], [])
    element.answersAreLost()
  }

  /// Publishes on a stream that goes on what changed while the link was lost.
  func streamBegins(_: NegotiatedStream) {
    underway = [:]
    if isKnown { for room in all() { publish(room) } } else if features.isKnown { featuresAreKnown() }
  }

  func featuresAreKnown() {
    guard !isKnown else { return }
    switch features.bookmarks {
    case .node: nodes.requestItems(of: node) { [weak self] in self?.receive($0) }
    case .element: element.synchronise()
    case nil: break
    }
  }

  private func receive(_ answer: IQAnswer) {
    switch answer {
    case .missing: return
    case .error(let iq):
      // There is no node yet.
      guard StanzaError(parsing: iq).condition == "item-not-found" else { return }
      isKnown = true
    case .result(let iq): take(all: (PubSub.items(in: iq, of: node) ?? []).compactMap(RoomBookmark.init))
    }
    for room in all() { publish(room) }
  }

  /// Takes all bookmarks that the server has.
  private func take(all bookmarks: [RoomBookmark]) {
    isKnown = true
    let bookmarks = bookmarks.prefix(Rooms.most)
    for bookmark in bookmarks { take(bookmark) }
    let there = Set(bookmarks.map(\.room))
    let gone = all().filter { $0.record.autojoinElsewhere != nil && !there.contains($0.jid) }
    // Somebody who takes rooms away leaves others; an account that lost most of them gets them back.
    let isLost = gone.count > 1 && gone.count >= there.count
    for room in gone { if isLost { room.bookmarkIsLost() } else { room.bookmarkIsGone() } }
  }

  func receive(_ event: PersonalEvent, of owner: JID) {
    guard owner == own, features.bookmarks == .node else { return }
    for bookmark in event.items.compactMap(RoomBookmark.init) where underway[bookmark.room] == nil {
      take(bookmark)
      known(bookmark.room).map(publish)
    }
    for jid in event.retracted.compactMap({ try? JID($0) }) { known(jid)?.bookmarkIsGone() }
    guard event.isEmptied else { return }
    for room in all() {
      room.bookmarkIsLost()
      publish(room)
    }
  }

  private func take(_ bookmark: RoomBookmark) {
    (bookmark.autojoin ? room(bookmark.room) : known(bookmark.room))?.take(bookmark)
  }

  // MARK: - To the server

  /// Publishes a room's bookmark if the server has another one.
  func publish(_ room: Room) {
    guard isKnown else { return }
    guard features.bookmarks == .node else { return room.unpublished == nil ? () : element.synchronise() }
    guard let bookmark = missing(room) else { return }
    underway[room.jid, default: 0] += 1
    nodes.publish(bookmark.room.description, on: node, RoomBookmark.options) {
      bookmark.write(into: &$0)
    } then: { [weak self, weak room] answer in
      self?.answered(bookmark.room)
      if case .result = answer { room?.published(bookmark) }
    }
  }

  /// The user has changed what the bookmark says: that is no disagreement of two clients.
  func changed(_ room: Room) {
    broughtBack.remove(room.jid)
    publish(room)
  }

  /// The bookmark that the server is to have, and has not.
  private func missing(_ room: Room) -> RoomBookmark? {
    guard let bookmark = room.unpublished else { return nil }
    let isBroughtBack = room.record.autojoinElsewhere == bookmark.autojoin
    return !isBroughtBack || broughtBack.insert(room.jid).inserted ? bookmark : nil
  }

  private func answered(_ room: JID) {
    guard let count = underway[room] else { return }
    underway[room] = count > 1 ? count - 1 : nil
  }
}

extension RoomRecord {
  /// Its bookmark, as it is here.
  fileprivate func bookmark(_ jid: JID) -> RoomBookmark {
    RoomBookmark(
      jid, name: bookmarkName, autojoin: isWanted, nick: nick, password: password, extensions: extensions)
  }
}

extension Room {
  /// The bookmark that the server is to have; nil: it has that.
  fileprivate var unpublished: RoomBookmark? {
    let record = record
    guard record.isWanted || record.autojoinElsewhere != nil else { return nil }
    return record.autojoinElsewhere == record.isWanted && !record.isBookmarkLost ? nil : record.bookmark(jid)
  }

  /// The server has this bookmark.
  fileprivate func published(_ bookmark: RoomBookmark) {
    change { ($0.autojoinElsewhere, $0.isBookmarkLost) = (bookmark.autojoin, false) }
  }

  /// The server has a bookmark of the room: what is new of it is done here. A client that knows less of bookmarks drops
  /// password and extensions; those are brought back.
  fileprivate func take(_ bookmark: RoomBookmark) {
    let known = record
    let isNews = known.autojoinElsewhere != bookmark.autojoin
    // The user has set this here, and the server does not have it yet.
    let own = known.isBookmarkLost ? known.bookmark(jid).notification : nil
    defer { if own == nil { take(bookmark.notification, was: known.bookmark(jid).notification, in: bookmark) } }
    change {
      $0.bookmarkName = bookmark.name ?? $0.bookmarkName
      let isLess =
        bookmark.password == nil && $0.password != nil || bookmark.extensions.isEmpty && !$0.extensions.isEmpty
      let isOther = own != nil && own != bookmark.notification
      $0.isBookmarkLost = (isLess && $0.isWanted || isOther) && bookmark.autojoin
      if let password = bookmark.password { $0.password = password }
      if !bookmark.extensions.isEmpty {
        var taken = bookmark
        if own != nil { taken.notification = own }
        $0.extensions = taken.extensions
      }
      if let nick = bookmark.nick, $0.nick == nil { $0.nick = nick }
      $0.autojoinElsewhere = bookmark.autojoin
    }
    guard isNews, known.isWanted != bookmark.autojoin, known.isWanted == known.autojoinElsewhere ?? known.isWanted
    else { return }
    if bookmark.autojoin {
      _ = want(nick: bookmark.nick, password: bookmark.password, mayBeMade: false, isAnnounced: true)
    } else if known.autojoinElsewhere == true {
      _ = leaveForGood()
    }
  }

  /// Another client of mine has set of which messages of the room I am notified (XEP-0492), or takes that away. One that
  /// knows no extensions has dropped all of them, and means nothing by it.
  private func take(_ setting: ChatNotification?, was known: ChatNotification?, in bookmark: RoomBookmark) {
    guard setting != known, !bookmark.extensions.isEmpty else { return }
    let settings = SettingsChanges(
      state: surroundings.state, storage: surroundings.storage, effects: surroundings.effects)
    let level = setting.map(NotifyLevel.init) ?? ConversationPolicy.of(.room).news
    _ = settings.change(address) { $0.setNotify(level, until: nil) }
  }

  /// The user has set of which messages of the room he is notified: other clients are to know (XEP-0492).
  package func notifyIsSet(to level: NotifyLevel) {
    var bookmark = record.bookmark(jid)
    bookmark.notification = ChatNotification(level)
    guard bookmark.extensions != record.extensions else { return }
    change { ($0.extensions, $0.isBookmarkLost) = (bookmark.extensions, true) }
    bookmarkChanged()
  }

  /// The server has lost the bookmark.
  fileprivate func bookmarkIsLost() { change { $0.autojoinElsewhere = nil } }

  /// Somebody has taken the bookmark away.
  fileprivate func bookmarkIsGone() {
    guard record.autojoinElsewhere != nil else { return }
    let wasWanted = record.isWanted && record.autojoinElsewhere == true
    change { $0.autojoinElsewhere = nil }
    if wasWanted { _ = leaveForGood() }
  }
}

extension NotifyLevel {
  fileprivate init(_ setting: ChatNotification) {
    switch setting {
    case .always: self = .always
    case .onMention: self = .mentions
    case .never: self = .never
    }
  }
}

extension ChatNotification {
  fileprivate init(_ level: NotifyLevel) {
    switch level {
    case .always: self = .always
    case .mentions: self = .onMention
    case .never: self = .never
    }
  }
}
