import Clocks
import Records

/// Contacts who publish nicknames (XEP-0172) and avatars (XEP-0084), and the users' other devices, which publish what they
/// have displayed (XEP-0490).
struct Publishers {
  private let world: World
  private let server: Server
  private let numbers = Numbers()

  private final class Numbers { var last = 0 }

  init(_ world: World, _ server: Server) { (self.world, self.server) = (world, server) }

  func begin() { if world.climate.habits.hasNodes || world.climate.hasDevice { act() } }

  /// The other devices display what came last.
  func displayAll() {
    for mailbox in server.mailboxes { for contact in Server.contacts { display(with: contact, mailbox) } }
  }

  private func act() {
    world.after(world.dice.pause(.milliseconds(world.climate.talk.milliseconds * 2))) {
      guard !world.isCalm else { return }
      if !server.isDown { publish(for: world.dice.pick(server.mailboxes)) }
      act()
    }
  }

  private func publish(for mailbox: Mailbox) {
    numbers.last += 1
    let (contact, isEmpty) = (world.dice.pick(Server.contacts), world.dice.percent(10))
    guard world.climate.habits.hasNodes else { return display(with: contact, mailbox) }
    switch world.dice.below(3) {
    case 0:
      let nickname = isEmpty ? "" : "name \(numbers.last)"
      publish("<nick xmlns='\(ServerNodes.nickname)'>\(nickname)</nick>", on: ServerNodes.nickname, contact, mailbox)
    case 1:
      let hash = String(repeating: "\(numbers.last % 10)", count: 40)
      let info = isEmpty ? "" : "<info id='\(hash)' bytes='9' type='image/png'/>"
      publish("<metadata xmlns='\(ServerNodes.avatar)'>\(info)</metadata>", on: ServerNodes.avatar, contact, mailbox)
    default: display(with: contact, mailbox)
    }
  }

  private func publish(_ payload: String, on node: String, _ owner: String, _ mailbox: Mailbox) {
    mailbox.publish(.init(id: "current", payload: payload), on: .init(owner: owner, node: node))
  }

  /// The other device displays one of the newest messages, and says so on its node, by a marker, or by both.
  private func display(with contact: String, _ mailbox: Mailbox) {
    guard world.climate.hasDevice else { return }
    let shown = mailbox.parcels.filter { $0.otherSide == contact && $0.isShowable }
    let says: (node: Bool, marker: Bool) =
      world.isCalm ? (true, true) : world.dice.pick([(true, false), (false, true), (true, true)])
    if says.node, world.climate.habits.hasNodes {
      mailbox.publishDisplayed(shown.filter { $0.archiveID != nil }.suffix(3))
    }
    if says.marker { mailbox.mark(shown.filter { $0.stanzaID == $0.id }.suffix(2)) }
  }
}

extension Parcel {
  /// A message of others that changes none.
  fileprivate var isShowable: Bool { !isMine && change == nil && !isSignal }
}

// MARK: - What must stand at the end

extension Mailbox {
  /// An item is on a node, and the user's client is notified if it is there.
  func publish(_ item: ServerNodes.Item, on key: ServerNodes.Key) {
    world.see(.publication)
    world.trace.line(world.now, "\(key.owner) publishes \(item.payload)")
    nodes.publish(item, on: key)
    if let session, session.isAvailable { session.send(ServerNodes.event(item, on: key)) }
  }

  /// The other device has displayed the first of some messages.
  fileprivate func publishDisplayed(_ shown: ArraySlice<Parcel>) {
    guard let parcel = shown.first, let archiveID = parcel.archiveID else { return }
    witness.reasons.noteDisplayed(parcel)
    publish(
      .init(id: parcel.otherSide, payload: ServerNodes.displayed(archiveID, by: jid)),
      on: .init(owner: jid, node: ServerNodes.displayed))
  }

  /// The other device sends a marker (XEP-0333) for the first of some messages, and the client here gets a copy.
  fileprivate func mark(_ shown: ArraySlice<Parcel>) {
    guard let parcel = shown.first, let session, session.isAvailable, session.hasCarbons else { return }
    world.see(.marker)
    world.trace.line(world.now, "\(jid)/phone has displayed \(parcel.id)")
    witness.reasons.noteDisplayed(parcel)
    session.send(parcel.copiedMarker)
    if world.dice.percent(50) { archive?.add(parcel.marker, at: world.serverTime) }
    if world.isCalm { marked.append(parcel) }
  }

  /// The log has the newest nickname and avatar of each contact, and what another device has displayed is read.
  func checkNodes() {
    for contact in Server.contacts {
      let nickname = newest(ServerNodes.nickname, of: contact)?.text(between: "'>", "</nick>")
      if let nickname {
        let known = witness.nodes.nicknames[.init(account: account, jid: contact)]
        world.hold(known ?? "" == nickname, "\(contact) is called \(nickname), and here \(known ?? "nothing")")
      }
      let metadata = newest(ServerNodes.avatar, of: contact)
      if let metadata {
        let hash = metadata.text(between: "<info id='", "'") ?? ""
        let known = witness.nodes.avatars[.init(account: account, jid: contact)] ?? ""
        world.hold(known == hash, "\(contact) has the avatar \(hash), and here \(known)")
      }
    }
    if world.seen[.changed] == nil, world.faults[.archiveExpiry] == nil, world.climate.archive?.namesIDs == true {
      checkDisplayed()
    }
    // The daemon looks for the message of a marker among the newest ones only.
    for parcel in marked { checkRead(parcel, among: 200) }
  }

  private func newest(_ node: String, of owner: String) -> String? {
    nodes.items(of: .init(owner: owner, node: node)).last?.payload
  }

  private func checkDisplayed() {
    for item in nodes.items(of: .init(owner: jid, node: ServerNodes.displayed)) {
      let archiveID = item.payload.text(between: " id='", "'")
      guard let parcel = parcels.first(where: { $0.archiveID == archiveID && $0.isShowable }) else { continue }
      checkRead(parcel)
    }
  }

  private func checkRead(_ parcel: Parcel, among count: Int = .max) {
    // Several if the clock was wrong by days, and the archive was made anew.
    let copies = witness.messages.filter { $0.value.account == account && $0.value.text.hasPrefix(parcel.id + " ") }
    let isRead =
      copies.isEmpty
      || copies.contains {
        witness.reading.wasRead($0.key, of: $0.value) || witness.reading.countBehind($0.key, in: parcel.key) > count
      }
    world.hold(isRead, "another device has displayed \(parcel.id), and it is not read here")
  }
}

extension String {
  fileprivate func text(between start: String, _ end: String) -> String? {
    guard let first = firstRange(of: start), let last = self[first.upperBound...].firstRange(of: end) else {
      return nil
    }
    return String(self[first.upperBound..<last.lowerBound])
  }
}
