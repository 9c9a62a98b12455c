import Clocks
import Crypto
import Ratchet
import Records
import XML
import XMPPCore
import XMPPExtensions

/// Publishes the keys of this device, and keeps it on the lists of the account (XEP-0384, sections 5.3.1 and 5.3.2):
/// other clients of the account may drop it from there.
final class KeyPublisher {
  /// How often a list is mended in an hour: another client that drops this device each time must not be answered for
  /// ever.
  private static let mostRepairs = 6

  private let own: String
  private let nodes: PersonalNodes
  private let features: ServerFeatures
  private let keys: OwnKeys
  private let lists: DeviceLists
  private let devices: KnownDevices
  private let secrets: Secrets
  private let effects: Effects
  private var repairs: [RatchetVersion: RateLimiter] = [:]
  /// Versions whose bundle the server has, as it is now.
  private var published: Set<RatchetVersion> = []
  private var underWay: Set<RatchetVersion> = []

  init(
    of own: String, _ nodes: PersonalNodes, _ features: ServerFeatures, _ keys: OwnKeys, _ lists: DeviceLists,
    _ devices: KnownDevices, _ secrets: Secrets, _ effects: Effects
  ) {
    (self.own, self.nodes, self.features, self.keys) = (own, nodes, features, keys)
    (self.lists, self.devices, self.secrets, self.effects) = (lists, devices, secrets, effects)
  }

  /// Lets nothing more leave before all records are durable: others would write by keys that a crash takes back.
  var holdBack: () -> Void = {}

  /// When what the server refused is tried again.
  private(set) var retryAt: Instant?
  private static let longestPause = Interval.seconds(30)
  private static let mostRetries = 10
  private var retries = 0

  /// Since when the server is known to have the present bundles on this stream; nil: it may have others.
  private(set) var publishedAt: Instant?

  /// A stream begins.
  func reset() { (published, underWay, retryAt, retries, publishedAt) = ([], [], nil, 0, nil) }

  /// Tries again what the server refused, or did not answer.
  func retryIfDue() {
    guard let due = retryAt, due <= effects.now.instant else { return }
    retryAt = nil
    for version in RatchetVersion.allCases { listIsKnown(version) }
  }

  private func failed() {
    guard retries < Self.mostRetries else { return }
    let pause = min(.milliseconds(2_000 << Int64(retries)), Self.longestPause)
    retries += 1
    retryAt = effects.now.instant.advanced(by: pause)
  }

  /// The keys are others than those that were published.
  func keysChanged() {
    (published, publishedAt) = ([], nil)
    for version in RatchetVersion.allCases { publishBundle(version) }
  }

  /// A list of the account is known: this device has to be on it, and its bundle has to be there first.
  func listIsKnown(_ version: RatchetVersion) {
    guard let this = devices.this else { return }
    guard published.contains(version) || isPublished(version) else { return publishBundle(version) }
    published.insert(version)
    if publishedAt == nil, published.count == RatchetVersion.allCases.count { publishedAt = effects.now.instant }
    guard !this.lists.contains(version.list) else { return }
    guard
      repairs[version, default: RateLimiter(of: Self.mostRepairs, each: .hours(1))].take(1, at: effects.now.instant)
    else { return }
    publishList(version, with: this)
  }

  // MARK: - Lists

  /// Takes a device off the lists of the account.
  ///
  /// - Parameter done: gets the last answer; nil: no list has it.
  func remove(_ id: UInt32, then done: @escaping (IQAnswer?) -> Void) {
    let having = lists.ownLists.values.filter { $0.devices.contains { $0.id == id } }
    guard !having.isEmpty else { return done(nil) }
    var left = having.count
    for var list in having {
      list.devices.removeAll { $0.id == id }
      publish(list) { answer in
        left -= 1
        if left == 0 { done(answer) }
      }
    }
  }

  private func publishList(_ version: RatchetVersion, with this: DeviceRecord) {
    var list = lists.ownLists[version] ?? DeviceList(version, [])
    // A device that this log was before, under another number, is gone.
    let gone = devices.all(of: own).filter { $0.log.isEmpty && $0.identity == this.identity }.map(\.id)
    list.devices.removeAll { gone.contains($0.id) || $0.id == this.id }
    list.devices.append(.init(id: this.id))
    publish(list) { [self] answer in
      if case .result = answer { return }
      failed()
    }
  }

  private func publish(_ list: DeviceList, then done: @escaping (IQAnswer) -> Void) {
    nodes.publish(OMEMO.currentItem, on: OMEMO.deviceNode(list.version), options(OMEMO.options)) {
      list.write(into: &$0)
    } then: { [lists, own] answer in
      // Our own event may not come.
      if case .result = answer { lists.take(list, of: own) }
      done(answer)
    }
  }

  // MARK: - Bundles

  private static func publishedName(_ version: RatchetVersion) -> String { "published/\(version.rawValue)" }

  /// True if the bundle that was published last is that of now.
  private func isPublished(_ version: RatchetVersion) -> Bool {
    guard let bundle = bundle(version), devices.this?.lists.contains(version.list) == true else { return false }
    return secrets[Self.publishedName(version)] == digest(bundle)
  }

  private func publishBundle(_ version: RatchetVersion) {
    guard features.hasNodes, let this = devices.this, let bundle = bundle(version), underWay.insert(version).inserted
    else { return }
    if !secrets.areDurable { holdBack() }
    nodes.publish(
      OMEMO.bundleItem(version, of: this.id), on: OMEMO.bundleNode(version, of: this.id),
      options(version == .omemo2 ? OMEMO.bundleOptions : OMEMO.options)
    ) {
      bundle.write(into: &$0)
    } then: { [self] answer in
      underWay.remove(version)
      guard case .result = answer else { return failed() }
      secrets[Self.publishedName(version)] = digest(bundle)
      secrets.store()
      // The keys may have changed meanwhile.
      guard self.bundle(version) == bundle else { return publishBundle(version) }
      published.insert(version)
      listIsKnown(version)
    }
  }

  private func bundle(_ version: RatchetVersion) -> DeviceBundle? {
    guard let identity = keys.identity?.key, let (signed, preKeys) = keys.published else { return nil }
    return DeviceBundle(version, identity, signed, preKeys)
  }

  private func digest(_ bundle: DeviceBundle) -> [UInt8] {
    var writer = XMLWriter()
    bundle.write(into: &writer)
    return (try? Digest.hash(writer.bytes, .sha256)) ?? []
  }

  /// Everybody may read the nodes: whoever writes first is often no contact.
  private func options(_ options: NodeOptions) -> NodeOptions? { features.hasPublishOptions ? options : nil }
}
