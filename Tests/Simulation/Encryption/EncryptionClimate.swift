import Clocks
import ConfabConfiguration
import Ratchet

/// How a seed's world encrypts (XEP-0384); nil where nobody does. Thrown apart, and not for worlds with rooms: worlds
/// without encryption stay what they were.
struct EncryptionClimate {
  /// The setting of all accounts.
  let policy: EncryptionSetting
  /// The versions of each device that somebody has at first, by bare JID.
  let devices: [String: [[RatchetVersion]]]
  /// True if the users' other device encrypts, and shares the account's lists.
  let hasPhone: Bool
  /// True if accounts have personal nodes (XEP-0163).
  let hasNodes: Bool
  /// Of a hundred requests for keys, how many the server answers late, with an error that says nothing, or never.
  let late: Int
  let refused: Int
  let unanswered: Int
  /// Of a hundred messages of somebody with devices, how many are encrypted.
  let share: Int
  /// Between two changes of somebody's devices.
  let changes: Interval
  /// True if lists and bundles tell what is not so.
  let lies: Bool
  /// True if devices lose their sessions.
  let loses: Bool
  /// True if messages that waited come in another order.
  let shuffles: Bool

  init?(seed: UInt64) {
    var dice = Dice(seed: seed ^ 0x0384_0454)
    guard !Simulation.hasRooms(seed: seed), dice.percent(45) else { return nil }
    policy = dice.percent(70) ? .auto : .always
    devices = Self.people.reduce(into: [:]) { devices, jid in
      devices[jid] = (0..<dice.pick([0, 1, 1, 1, 2, 3])).map { _ in dice.pick(Self.kinds) }
    }
    hasPhone = dice.percent(60)
    hasNodes = dice.percent(92)
    let isGood = dice.percent(40)
    (late, refused, unanswered) = isGood ? (0, 0, 0) : (dice.pick([5, 30]), dice.pick([0, 5]), dice.pick([0, 3, 10]))
    share = dice.pick([60, 90, 100])
    changes = .milliseconds(Int64(dice.pick([2_000, 20_000, 120_000])))
    lies = dice.percent(50)
    loses = dice.percent(30)
    shuffles = dice.percent(40)
  }

  /// People who may have devices.
  static let people = Server.contacts + ["stranger@example.com"]
  /// The versions of a device; most are on the legacy list.
  static let kinds: [[RatchetVersion]] = [[.legacy], [.legacy], [.omemo2], [.legacy, .omemo2]]
}
