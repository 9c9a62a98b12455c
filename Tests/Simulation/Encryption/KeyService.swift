import Clocks
import Ratchet
import XML
import XMPPCore
import XMPPExtensions

/// Who has which devices, and the nodes that these and the users publish their keys on (XEP-0384): the server's part of
/// encryption.
final class KeyService {
  let world: World
  let climate: EncryptionClimate
  unowned let server: Server
  /// Devices that were there at some time, by owner.
  private(set) var devices: [String: [SimulatedDevice]] = [:]
  /// Numbers of those that are on their owners' lists.
  var listed: [String: Set<UInt32>] = [:]
  private var items: [ServerNodes.Key: [ServerNodes.Item]] = [:]
  /// Nodes that are as their owners wanted them.
  private var configured: Set<ServerNodes.Key> = []
  private var lastID: UInt32 = 1_000
  /// Devices that have read a message of the user's, by its id.
  var readers: [String: Set<UInt32>] = [:]

  init(_ server: Server, _ climate: EncryptionClimate) {
    (self.server, self.climate, world) = (server, climate, server.world)
  }

  // MARK: - Devices

  /// Somebody has another device, which publishes its keys and is listed.
  func addDevice(of owner: String, _ versions: [RatchetVersion]) {
    lastID += 1
    guard let device = try? SimulatedDevice(owner, lastID, versions, seed: world.secretDice.next()) else {
      return world.hold(false, "keys can be made")
    }
    devices[owner, default: []].append(device)
    listed[owner, default: []].insert(device.id)
    for version in versions { publishBundle(of: device, version) }
  }

  func publishBundle(of device: SimulatedDevice, _ version: RatchetVersion, isWrong: Bool = false) {
    put(
      .init(id: OMEMO.bundleItem(version, of: device.id), payload: device.bundle(version, isWrong: isWrong)),
      on: .init(owner: device.owner, node: OMEMO.bundleNode(version, of: device.id)))
  }

  /// The devices of somebody that write and read.
  func active(of owner: String) -> [SimulatedDevice] {
    (devices[owner] ?? []).filter { listed[owner]?.contains($0.id) == true }
  }

  func isPhone(_ id: UInt32, of user: String) -> Bool { devices[user]?.contains { $0.id == id } ?? false }

  // MARK: - Nodes

  private func put(_ item: ServerNodes.Item, on key: ServerNodes.Key) {
    items[key, default: []].removeAll { $0.id == item.id }
    items[key, default: []].append(item)
  }

  /// Publishes a list of devices, as it is or as it is not, and notifies the users.
  func publishList(of owner: String, _ version: RatchetVersion, _ ids: [UInt32]) {
    var writer = XMLWriter()
    DeviceList(version, ids.map { .init(id: $0) }).write(into: &writer)
    let payload = String(decoding: writer.bytes, as: UTF8.self)
    world.trace.line(world.now, "\(owner) lists the devices \(ids) for \(version)")
    publish(.init(id: OMEMO.currentItem, payload: payload), on: .init(owner: owner, node: OMEMO.deviceNode(version)))
  }

  private func publish(_ item: ServerNodes.Item, on key: ServerNodes.Key) {
    put(item, on: key)
    guard RatchetVersion.allCases.contains(where: { OMEMO.deviceNode($0) == key.node }) else { return }
    for mailbox in server.mailboxes where isFollowed(key.owner, by: mailbox) {
      if let session = mailbox.session, session.isAvailable { session.send(ServerNodes.event(item, on: key)) }
    }
  }

  private func isFollowed(_ owner: String, by mailbox: Mailbox) -> Bool {
    climate.hasNodes && (owner == mailbox.jid || Server.contacts.contains(owner))
  }

  /// The last lists, for a client that comes online.
  func lastEvents(for mailbox: Mailbox) -> [String] {
    (Server.contacts + [mailbox.jid]).filter { isFollowed($0, by: mailbox) }.flatMap { owner in
      RatchetVersion.allCases.compactMap { version in
        let key = ServerNodes.Key(owner: owner, node: OMEMO.deviceNode(version))
        return items[key]?.last.map { ServerNodes.event($0, on: key) }
      }
    }
  }

  /// The devices on a list.
  func list(of owner: String, _ version: RatchetVersion) -> [UInt32] {
    let item = items[.init(owner: owner, node: OMEMO.deviceNode(version))]?.last
    let list = item.flatMap { Element.parse(Array($0.payload.utf8)) }.flatMap { DeviceList($0) }
    return list?.devices.map(\.id) ?? []
  }

  func bundle(of owner: String, _ id: UInt32, _ version: RatchetVersion) -> DeviceBundle? {
    let found = items[.init(owner: owner, node: OMEMO.bundleNode(version, of: id))] ?? []
    let item = found.last { version == .legacy || $0.id == "\(id)" }
    return item.flatMap { Element.parse(Array($0.payload.utf8)) }.flatMap { DeviceBundle($0) }
  }

  /// The keys of a bundle for one session. People choose among few pre-keys, so that two often choose the same.
  func keys(of owner: String, _ id: UInt32, _ version: RatchetVersion) -> PeerBundle? {
    guard let bundle = bundle(of: owner, id, version), !bundle.preKeys.isEmpty else { return nil }
    return bundle.peerBundle(preKey: world.secretDice.pick(Array(bundle.preKeys.indices.prefix(3))))
  }

  // MARK: - Order

  /// Messages that waited, some of them in front of an earlier one: ratchets do not mind.
  func shuffled(_ parcels: [Parcel]) -> [Parcel] {
    shuffled(parcels) { $0.sealed != nil && $1.sealed != nil && $0.change == nil && $1.change == nil }
  }

  /// Results of an archive, likewise; the first and the last one stay what they are.
  func shuffled(results: [String]) -> [String] {
    guard results.count > 3 else { return results }
    let inner = shuffled(Array(results[1..<results.count - 1])) { one, other in
      [one, other].allSatisfy { $0.firstRange(of: "<payload>") != nil && $0.firstRange(of: "/here'") == nil }
    }
    return [results[0]] + inner + [results[results.count - 1]]
  }

  private func shuffled<T>(_ all: [T], _ mayChange: (T, T) -> Bool) -> [T] {
    guard climate.shuffles, !all.isEmpty else { return all }
    var all = all
    for index in all.indices.dropFirst() where mayChange(all[index - 1], all[index]) {
      guard world.secretDice.percent(50) else { continue }
      world.see(.shuffled)
      all.swapAt(index - 1, index)
    }
    return all
  }

  // MARK: - Requests

  /// Answers a client's request about nodes with keys; false: it is about something else.
  func take(_ iq: Element, _ id: String, from session: ServerSession) -> Bool {
    guard climate.hasNodes, let pubsub = iq.children.first(where: { $0.local == "pubsub" }),
      let action = pubsub.children.first(where: { _ in true }), let node = action.attribute("node"),
      Self.isOfKeys(node)
    else { return false }
    let owner = iq.attribute("to") ?? session.mailbox.jid
    let key = ServerNodes.Key(owner: owner, node: node)
    let from = owner == session.mailbox.jid ? "" : " from='\(owner)'"
    answer(outcome(action, key, pubsub), id, from, session)
    return true
  }

  private static func isOfKeys(_ node: String) -> Bool {
    node.hasPrefix("eu.siacs.conversations.axolotl.") || node.hasPrefix("urn:xmpp:omemo:2:")
  }

  private enum Outcome {
    case result(String)
    case error(type: String, conditions: String)
  }

  private func outcome(_ action: Element, _ key: ServerNodes.Key, _ pubsub: Element) -> Outcome {
    switch action.local {
    case "items": return found(action, key)
    case "publish":
      guard let item = action.child("item", ServerNodes.namespace),
        let payload = item.children.first(where: { _ in true })
      else { return .result("") }
      if !world.isCalm, !configured.contains(key), world.secretDice.percent(10) {
        return .error(
          type: "cancel",
          conditions: "<conflict xmlns='\(Namespace.stanzaErrors)'/>"
            + "<precondition-not-met xmlns='http://jabber.org/protocol/pubsub#errors'/>")
      }
      var bytes: [UInt8] = []
      payload.serialize(into: &bytes, inheriting: "")
      publish(
        .init(id: item.attribute("id") ?? "current", payload: String(decoding: bytes, as: UTF8.self)), on: key)
      return .result("")
    default:
      configured.insert(key)
      return .result("")
    }
  }

  /// The items that were asked for. Servers differ in what they say where there is nothing.
  private func found(_ action: Element, _ key: ServerNodes.Key) -> Outcome {
    let wanted = action.child("item", ServerNodes.namespace)?.attribute("id")
    let found = (items[key] ?? []).filter { wanted == nil || $0.id == wanted }.suffix(wanted == nil ? 1 : .max)
    if found.isEmpty {
      let (type, condition) = world.secretDice.pick([
        ("cancel", "item-not-found"), ("auth", "forbidden"), ("cancel", "service-unavailable"),
      ])
      return .error(type: type, conditions: "<\(condition) xmlns='\(Namespace.stanzaErrors)'/>")
    }
    return .result(
      "<pubsub xmlns='\(ServerNodes.namespace)'><items node='\(key.node)'>"
        + found.map { "<item id='\($0.id)'>\($0.payload)</item>" }.joined() + "</items></pubsub>")
  }

  /// Answers at once, later, with an error, or never.
  private func answer(_ outcome: Outcome, _ id: String, _ from: String, _ session: ServerSession) {
    let roll = world.isCalm ? 100 : world.secretDice.below(100)
    if roll < climate.unanswered { return world.see(.lostKeys) }
    if roll < climate.unanswered + climate.refused {
      let condition = world.secretDice.pick(["remote-server-timeout", "resource-constraint", "internal-server-error"])
      let conditions = "<\(condition) xmlns='\(Namespace.stanzaErrors)'/>"
      return say(.error(type: "wait", conditions: conditions), id, from, session)
    }
    if roll < climate.unanswered + climate.refused + climate.late {
      world.see(.lateKeys)
      return world.after(world.secretDice.interval(200...40_000)) { [self] in say(outcome, id, from, session) }
    }
    say(outcome, id, from, session)
  }

  private func say(_ outcome: Outcome, _ id: String, _ from: String, _ session: ServerSession) {
    guard !session.isOver else { return }
    switch outcome {
    case .result(let payload): session.send("<iq type='result' id='\(id)'\(from)>\(payload)</iq>")
    case .error(let type, let conditions):
      session.send("<iq type='error' id='\(id)'\(from)><error type='\(type)'>\(conditions)</error></iq>")
    }
  }
}
