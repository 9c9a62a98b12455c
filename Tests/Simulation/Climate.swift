import Clocks
import ConfabConfiguration
/// What kind of world a seed makes: what the server can, how slow things are, and what goes wrong how often.
struct Climate {
  /// XEP-0198 acknowledgements, and resumption.
  let management: Bool
  let resumption: Bool
  let accounts: Int
  /// One way through the network.
  let latency: Interval
  let syncTime: Interval
  let segmentSize: UInt64
  let gap: Interval
  let senders: Int
  let watchers: Int
  let askers: Int
  /// Between two messages of one person or front end.
  let talk: Interval
  /// Between two faults.
  let weather: Interval
  /// How likely each fault is, against the others.
  let faults: [(fault: Fault, weight: Int)]
  /// In a thousand batches.
  let diskErrors: Int
  /// In a thousand batches and starts.
  let readErrors: Int
  /// The server keeps what came and went (XEP-0313).
  let archive: Archive?
  /// There is another device, and the server copies what it does (XEP-0280).
  let hasDevice: Bool
  let hasCarbons: Bool
  /// Those who get the user's messages say so.
  let confirms: Bool
  /// The server reads what comes on a resumed stream on from where the one before was cut, inside a stanza or not, as
  /// Prosody 0.12 does.
  let readsOn: Bool
  /// Found by the names of the domain, or at a configured place; by STARTTLS or direct TLS.
  let asksNames: Bool
  let habits: Habits

  struct Archive {
    let pageSize: Int
    /// Its stamps are of whole seconds.
    let isCoarse: Bool
    /// It tells live messages' ids, and says so (XEP-0359).
    let namesIDs: Bool

    init(_ dice: inout Dice) {
      pageSize = dice.pick([2, 7, 30, 250])
      isCoarse = dice.percent(60)
      namesIDs = dice.percent(80)
    }
  }

  init(_ dice: inout Dice, readsOn: Bool, habits: Habits, readErrors: Int) {
    (self.readsOn, self.habits, self.readErrors) = (readsOn, habits, readErrors)
    archive = dice.percent(50) ? Archive(&dice) : nil
    hasDevice = dice.percent(40)
    hasCarbons = dice.percent(60)
    confirms = dice.percent(60)
    management = dice.percent(85)
    resumption = management && dice.percent(70)
    accounts = dice.percent(25) ? 2 : 1
    latency = .milliseconds(Int64(dice.pick([1, 5, 20, 80, 300])))
    syncTime = .milliseconds(Int64(dice.pick([0, 1, 4, 20, 100])))
    segmentSize = UInt64(dice.pick([600, 2_000, 8_000, 40_000, 1 << 20]))
    gap = dice.pick([.seconds(1), .minutes(1), .hours(24)])
    senders = dice.within(1...3)
    watchers = dice.within(1...3)
    askers = dice.within(0...2)
    talk = .milliseconds(Int64(dice.pick([50, 400, 3_000, 20_000])))
    weather = .milliseconds(Int64(dice.pick([300, 2_000, 10_000, 60_000])))
    diskErrors = dice.percent(40) ? dice.pick([1, 5, 30]) : 0
    asksNames = dice.percent(30)
    // Not every run has everything: what is rare would hide behind what is not.
    var chosen = Self.usual.filter { _ in dice.percent(60) }
    if chosen.isEmpty { chosen = Self.usual }
    faults = chosen
  }

  private static let usual: [(fault: Fault, weight: Int)] = [
    (.kill, 8), (.powerFailure, 8), (.stop, 5), (.stall, 2), (.cut, 10), (.oneSidedCut, 6), (.silence, 4), (.delay, 4),
    (.networkDown, 3), (.serverRestart, 4), (.serverCrash, 2), (.fullDisk, 2), (.slowDisk, 2), (.checkpointLost, 1),
    (.clockJump, 2), (.archiveExpiry, 2), (.suspension, 1), (.slowFrontEnd, 4), (.dyingFrontEnd, 6), (.streamError, 1),
    (.serverChange, 5), (.reload, 2), (.deadPath, 2), (.signOff, 8),
  ]

  /// One of the faults of this climate, by their weights.
  func fault(_ dice: inout Dice) -> Fault {
    var rest = dice.below(faults.reduce(0) { $0 + $1.weight })
    for (fault, weight) in faults {
      rest -= weight
      if rest < 0 { return fault }
    }
    return .cut
  }
}

extension Climate {
  /// The daemon's configuration in this climate.
  ///
  /// - Parameters:
  ///   - isChanged: whether the configuration names the server in another way.
  ///   - encryption: that of all accounts.
  func configuration(isChanged: Bool, _ encryption: EncryptionSetting) -> Configuration {
    var configuration = Configuration()
    configuration.daemon.snapInterval = gap
    configuration.accounts = [("home", "alice@example.org"), ("work", "ann@work.example")].prefix(accounts).map {
      var account = AccountSettings(name: $0, jid: $1)
      account.encryption = encryption
      account.password = Secret(Array("secret".utf8))
      let asksNames = asksNames != isChanged
      account.server = asksNames ? nil : HostPort(host: "192.0.2.1", port: 5223)
      account.tls = asksNames ? .auto : .direct
      account.archiveFirstSync = .all
      return account
    }
    return configuration
  }
}
