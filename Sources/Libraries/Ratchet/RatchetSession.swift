import Bytes

/// A session with one device, in one version: a value. An operation returns the session after it, or throws and changes
/// nothing. The bytes are libomemo-c's `RecordStructure`: the present state and up to 40 older ones.
package struct RatchetSession: Hashable, Sendable, CustomStringConvertible {
  /// How many messages of a chain may be missing in front of one.
  package static let longestJump: UInt32 = 2_000

  /// Secret: all but the skipped keys, some 300 to 700 bytes for each state.
  package let core: [UInt8]
  /// Secret: the oldest first.
  package private(set) var skipped: [SkippedKey]
  package let version: RatchetVersion
  let layout: RecordLayout

  /// Puts a stored session together; nil: `core` is no session.
  package init?(core: [UInt8], skipped: [SkippedKey] = []) {
    guard let layout = RecordLayout(core), let state = layout.states.first, !layout.hasMessageKeys else { return nil }
    self.init(core, skipped, layout, state.version)
  }

  private init(_ core: [UInt8], _ skipped: [SkippedKey], _ layout: RecordLayout, _ version: RatchetVersion) {
    (self.core, self.skipped, self.layout, self.version) = (core, skipped, layout, version)
  }

  /// The session of a record from the library, whose skipped keys are not kept yet.
  init(record: [UInt8], skipped: [SkippedKey]) throws(RatchetError) {
    guard let session = RatchetSession(core: record, skipped: skipped) else { throw .failed(code: 0) }
    self = session
  }

  /// The identity of the peer.
  package var peer: IdentityKey? {
    layout.states.first.flatMap { IdentityKey(core[$0.remoteIdentity], version) }
  }

  /// True if it is the identity of the peer.
  package func isWith(_ identity: IdentityKey) -> Bool {
    guard let state = layout.states.first else { return false }
    return core[state.remoteIdentity].elementsEqual(identity.bytes(version))
  }

  /// True as long as the peer has not answered: each message is a key exchange, too.
  package var isUnanswered: Bool { layout.states.first?.isUnanswered ?? false }

  /// The base key of the key exchange that the present state began with.
  package var baseKey: CurveKey? { layout.states.first.map { CurveKey(checked: core[$0.baseKey]) } }

  /// The counter that the next sent message has.
  package var nextCounter: UInt32 { layout.states.first?.sender.index ?? 0 }

  /// Applies what a step did to the skipped keys.
  package mutating func apply(_ change: SkippedChange) {
    if change.removed.count == 1, let id = change.removed.first {
      skipped.removeAll { $0.isNamed(id) }
    } else if !change.removed.isEmpty {
      let removed = Set(change.removed)
      skipped.removeAll { removed.contains($0.id) }
    }
    if !change.added.isEmpty { skipped += change.added }
  }

  package var description: String { "(a session of \(core.count) bytes, \(skipped.count) skipped keys)" }

  package static func == (one: RatchetSession, other: RatchetSession) -> Bool {
    one.core == other.core && one.skipped == other.skipped
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(core) }
}
