import Clocks

/// What rooms (XEP-0045) a seed's world has: nil where it has none. Thrown apart: worlds without rooms stay what they
/// were.
struct RoomClimate {
  let rooms: [RoomHabits]

  init?(seed: UInt64) {
    var dice = Dice(seed: seed ^ 0x2004_5313)
    guard dice.percent(25) else { return nil }
    rooms = (0..<dice.within(1...2)).map { _ in RoomHabits(&dice) }
  }
}

/// The habits of one room and of the software that it is on, as they were measured with Prosody and ejabberd.
struct RoomHabits {
  /// It keeps what is said (XEP-0313), says so, and vouches for its ids (XEP-0359).
  let hasArchive: Bool
  /// It tells its occupants apart (XEP-0421), and drops forged ids of them.
  let hasOccupantIDs: Bool
  /// It drops a `stanza-id` in its own name that an occupant wrote.
  let dropsForgedIDs: Bool
  /// It drops a `delay` in its own name that an occupant wrote.
  let dropsForgedStamps: Bool
  /// It is there when its last occupant has left, and after a restart of its service.
  let isPersistent: Bool
  /// It was there before the user came.
  let isOld: Bool
  /// How many messages from before it says to whoever enters it.
  let mostHistory: Int
  let pageSize: Int
  /// Of a thousand messages of the user's, how many it does not take.
  let losses: Int
  /// How long it thinks before it shows a message of the user's, as gateways do.
  let lag: Interval
  /// How often somebody says something, is forged, or the room forgets the user: pauses between these.
  let talk: Interval
  /// True if the room loses the user's presence now and then without a word.
  let forgets: Bool
  /// True if people forge what only the room may say.
  let hasForgers: Bool
  /// True if people use ids of messages twice.
  let hasTwins: Bool
  /// The user's other device: not there, under the user's nick, or under another one.
  let device: Device

  /// True if it takes no messages of the user's for a while, without a word or with an error.
  let hasMoods: Bool
  /// True if it kicks and bans the user, or is destroyed.
  let expels: Bool
  /// The password that everybody who enters has to know.
  let password: String?
  /// The version of XEP-0425 by which moderators take messages back; nil: they do not.
  let moderation: Moderation?
  /// True if people say something to the user alone.
  let hasWhispers: Bool
  /// True if the user ignores people.
  let hasIgnored: Bool

  enum Device { case none, sameNick, otherNick }
  enum Moderation { case zero, one }

  init(_ dice: inout Dice) {
    let isProsody = dice.percent(60)
    hasArchive = dice.percent(55)
    hasOccupantIDs = isProsody
    dropsForgedIDs = hasArchive || !isProsody
    dropsForgedStamps = isProsody
    isPersistent = dice.percent(70)
    isOld = isPersistent || dice.percent(60)
    mostHistory = dice.pick([0, 5, 20])
    pageSize = dice.pick([2, 7, 50])
    losses = dice.pick([0, 0, 50, 200])
    lag = .milliseconds(Int64(dice.pick([0, 0, 0, 1_000, 4_000])))
    talk = .milliseconds(Int64(dice.pick([300, 2_000, 10_000])))
    forgets = dice.percent(40)
    hasForgers = dice.percent(50)
    hasTwins = dice.percent(40)
    device = dice.percent(40) ? dice.pick([.sameNick, .otherNick]) : .none
    hasMoods = dice.percent(35)
    expels = dice.percent(35)
    password = dice.percent(20) ? "sesame" : nil
    moderation = hasArchive && dice.percent(50) ? dice.pick([.zero, .one]) : nil
    hasWhispers = dice.percent(40)
    hasIgnored = dice.percent(40)
  }
}
