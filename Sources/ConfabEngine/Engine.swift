package import Clocks
import Conversations
package import MessageLog
import Records
package import Settings
import LineProtocol
import XMPPCore

/// The whole of Confab without the world around it: accounts, streams, log, conversations and front ends, driven by
/// events and answering with actions. Time, randomness, network, disk and descriptors are handed in, so the same events
/// do the same, byte for byte (DESIGN, section 1). Not thread-safe: one thread owns it.
package final class Engine {
  private let facts: Facts
  private let accounts = Accounts()
  private let frontEnd: FrontEnd
  private let turn: Turn
  private let log: LogUUID
  private var configuration: Configuration
  /// Set once `stop` came: how the end is going.
  private var stopping: Stopping?
  /// When the disk is tried again after it failed.
  private var storageRetry: Instant?
  /// Accounts whose record is durable.
  private var declared: Set<UInt32> = []
  /// The records folded since the last checkpoint.
  private var sinceCheckpoint = 0

  private enum Stopping {
    /// Waiting for the last sync, then for the streams to close, until this time at the latest.
    case syncing(until: Instant)
    case closing(until: Instant)
    case done
  }

  /// How long a stop may take.
  static let stopPatience = Interval.seconds(5)
  /// How long to wait before the disk is tried again.
  static let storagePause = Interval.seconds(5)
  /// Records between two checkpoints, so that a start reads no more than that.
  static let checkpointEvery = 200_000

  /// An engine over an open log.
  ///
  /// - Parameters:
  ///   - facts: the fold of all its records.
  ///   - writer: goes on behind them.
  ///   - utcOffset: seconds east of UTC at a time, for the titles of sections.
  package init(
    configuration: Configuration, facts: Facts, log: LogUUID, writer: LogWriter, reader: LogReader,
    random: any RandomSource, now: Moment, utcOffset: @escaping (Timestamp) -> Int
  ) {
    self.configuration = configuration
    self.facts = facts
    self.log = log
    declared = Set(facts.accounts.keys)
    frontEnd = FrontEnd(log: log.description)
    turn = Turn(now: now, random: random, ledger: Ledger(writer), reader: reader, utcOffset: utcOffset)
  }

  /// When `handle(.tick)` is wanted next; nil: only when something happens.
  package var nextDeadline: Instant? {
    var all = accounts.all.compactMap(\.deadline)
    all += [turn.ledger.nextStart(at: turn.now.instant), frontEnd.nextDeadline, storageRetry].compactMap(\.self)
    switch stopping {
    case .syncing(let until), .closing(let until): all.append(until)
    case .done, nil: break
    }
    return all.min()
  }

  /// Handles one event; what is to be done is appended to `actions`, in order.
  package func handle(_ event: Event, at now: Moment, into actions: inout [Action]) {
    turn.now = now
    dispatch(event)
    settle()
    actions += turn.actions
    turn.actions.removeAll(keepingCapacity: true)
  }

  private var desk: Desk { Desk(facts: facts, accounts: accounts, turn: turn) }

  private func dispatch(_ event: Event) {
    switch event {
    case .started: configure(configuration)
    case .tick: tick()
    case .link(let link, let event): accounts.linked(link)?.handle(event, turn)
    case .derived(let link, let derived): accounts.linked(link)?.derived(derived, turn)
    case .client(let id, let event): frontEnd.handle(id, event, desk)
    case .committed(.done): committed()
    case .committed(.failed(let error)): storageFailed(error)
    case .configuration(let outcome): configurationRead(outcome)
    case .stop: stop()
    }
  }

  /// What follows from an event, before its actions are handed out.
  private func settle() {
    tellFrontEnds()
    for account in accounts.all { account.flush(turn) }
    goOnStopping()
    // A stream that was closed just now has left questions open, and is news.
    tellFrontEnds()
    for account in accounts.all { account.flush(turn) }
    if let batch = turn.ledger.takeBatch(at: turn.now.instant) { turn.act(.commit(batch)) }
  }

  /// Hands out what accounts have for front ends; their next requests may lead to more.
  private func tellFrontEnds() {
    while !turn.outcomes.isEmpty || !turn.notices.isEmpty {
      let (outcomes, notices) = (turn.outcomes, turn.notices)
      turn.outcomes = []
      turn.notices = []
      for (ticket, outcome) in outcomes { frontEnd.settle(ticket, outcome, desk) }
      frontEnd.publish(notices, desk)
    }
  }

  private func tick() {
    if let retry = storageRetry, retry <= turn.now.instant { tryStorage() }
    for account in accounts.all { account.tick(turn) }
    frontEnd.tick(desk)
  }
}

// MARK: - The log

extension Engine {
  /// A batch is durable: its records become facts, then what waited for them goes on.
  private func committed() {
    let committed = turn.ledger.completed(at: turn.now.instant)
    for entry in committed.entries {
      let change = facts.fold(entry.record, sequence: entry.sequence, location: committed.location(of: entry))
      follow(entry.record, change, entry.sequence)
    }
    sinceCheckpoint += committed.entries.count
    storageWorks()
    for account in accounts.all { account.durable(turn) }
    frontEnd.durable(desk)
    if sinceCheckpoint >= Self.checkpointEvery { takeCheckpoint() }
  }

  /// What one durable record leads to.
  private func follow(_ record: Record, _ change: Facts.Change, _ sequence: UInt64) {
    frontEnd.publish(record, sequence: sequence, desk)
    switch change {
    case .message(let conversation, let change):
      guard let resection = change.resection else { break }
      turn.notices.append(
        .resection(
          account: conversation.account, jid: conversation.jid, from: resection.from, to: resection.to))
    case .delivery(_, let delivery): frontEnd.delivered(delivery, desk)
    case .other: break
    }
    switch record {
    case .message(let message) where message.transmitted:
      accounts.numbered(message.account)?.session?.transmitFlagged(message, id: sequence, turn)
    case .transmission(let transmission):
      accounts.numbered(transmission.account)?.session?.transmit(transmission, turn)
    case .suspicion(let suspicion): accounts.numbered(suspicion.account)?.failPoisoned(turn)
    case .wish(let wish): accounts.numbered(wish.account)?.wishChanged(isCommand: wish.isCommand, turn)
    case .account(let account): declared.insert(account.number)
    default: break
    }
  }

  /// Nothing of what was not durable exists any more: those who waited are told, the streams are dropped without an
  /// acknowledgement, and the disk is tried again later.
  private func storageFailed(_ error: StorageError) {
    turn.ledger.failed(error)
    turn.storageTrouble = error
    storageRetry = turn.now.instant.advanced(by: Self.storagePause)
    turn.journal(.critical, "the log could not be written: \(error); nothing is acknowledged until it can")
    for account in accounts.all where !account.isIdle { account.lose("nothing can be stored: \(error)", turn) }
    frontEnd.storageFailed(error, desk)
  }

  /// Writes something that is true anyway. When it is stored, so can all else be.
  private func tryStorage() {
    storageRetry = nil
    guard !accounts.all.isEmpty else { return storageWorks() }
    for account in accounts.all { turn.appendUrgently(.account(account.facts.record)) }
  }

  private func storageWorks() {
    guard turn.storageTrouble != nil else { return }
    turn.storageTrouble = nil
    storageRetry = nil
    turn.journal(.notice, "the log can be written again")
    for account in accounts.all { account.reconnect(turn) }
  }

  private func takeCheckpoint() {
    sinceCheckpoint = 0
    turn.act(
      .checkpoint(
        Checkpoint(
          log: log, sequence: turn.ledger.durable, location: turn.ledger.durableEnd, body: facts.checkpointBody())))
  }
}

// MARK: - Configuration

/// What only the engine can see to be wrong with a configuration.
package struct ConfigurationProblem: Error, CustomStringConvertible {
  package let description: String
}

extension Engine {
  /// Checks what the configuration's own rules cannot: that the JIDs are accounts'.
  package static func check(_ configuration: Configuration) throws(ConfigurationProblem) {
    for account in configuration.accounts {
      guard let jid = try? JID(account.jid), jid.isBare, jid.local != nil else {
        throw ConfigurationProblem(
          description:
            "[account \(account.name)] jid: expected a bare JID such as alice@example.org, found \(account.jid)")
      }
    }
  }

  /// What a peer that may not use the socket is told.
  package static var notAllowedLine: [UInt8] {
    Lines.failure(RequestFailure(.notAllowed, "this user may not use the socket"), nil)
  }

  /// Makes the accounts what the configuration says.
  private func configure(_ configuration: Configuration) {
    self.configuration = configuration
    var kept: [Account] = []
    for settings in configuration.accounts {
      if let same = accounts.all.first(where: { $0.settings == settings }) {
        kept.append(same)
      } else if let account = makeAccount(settings) {
        kept.append(account)
      }
    }
    for account in accounts.all where !kept.contains(where: { $0 === account }) {
      account.abandon(turn)
    }
    accounts.all = kept
    for account in kept { account.start(turn) }
  }

  private func makeAccount(_ settings: AccountSettings) -> Account? {
    guard let jid = try? JID(settings.jid), jid.isBare, jid.local != nil else {
      turn.journal(.error, "account \(settings.name): \(settings.jid) is no bare JID of an account")
      return nil
    }
    let facts = accountFacts(settings.name, jid.description)
    return Account(
      settings: settings, jid: jid, facts: facts, resource: settings.resource ?? stableResource(), now: turn.now.wall)
  }

  /// The account's facts; a name or JID seen for the first time gets a number, in a record that comes before all others
  /// of that account.
  private func accountFacts(_ name: String, _ jid: String) -> AccountFacts {
    if let known = facts.accounts.values.first(where: { $0.record.name == name && $0.record.jid == jid }) {
      // Its record was on its way when the disk failed.
      if !declared.contains(known.record.number) { turn.appendUrgently(.account(known.record)) }
      return known
    }
    let number = (facts.accounts.keys.max() ?? 0) + 1
    let record = Record.account(AccountRecord(number: number, name: name, jid: jid))
    turn.appendUrgently(record)
    facts.fold(record, sequence: 0, location: 0)
    return facts.accounts[number] ?? AccountFacts(AccountRecord(number: number, name: name, jid: jid))
  }

  /// A resource of this log: random to others, the same at each start.
  private func stableResource() -> String { "confab-" + log.description.filter { $0 != "-" }.prefix(8) }

  private func configurationRead(_ outcome: ConfigurationOutcome) {
    switch outcome {
    case .refused(let reason):
      turn.journal(.error, "the configuration was not taken: \(reason)")
      frontEnd.reloaded(.failure(ReloadFailure(reason: reason)), desk)
    case .read(let new):
      let old = configuration
      let changes = ConfigurationChanges(from: old, to: new)
      if new.daemon.logLevel != old.daemon.logLevel { turn.act(.logLevel(new.daemon.logLevel)) }
      configure(new)
      if new.daemon.snapInterval != facts.gap { regap(new.daemon.snapInterval) }
      turn.journal(.info, "the configuration was read again")
      frontEnd.reloaded(.success(changes), desk)
    }
  }

  private func regap(_ gap: Interval) {
    facts.regap(gap)
    for account in facts.accounts.values.sorted(by: { $0.record.number < $1.record.number }) {
      for jid in account.conversations.keys.sorted() {
        turn.notices.append(.resection(account: account.record.number, jid: jid, from: nil, to: nil))
      }
    }
  }
}

// MARK: - The end

extension Engine {
  private func stop() {
    guard stopping == nil else { return }
    turn.isStopping = true
    turn.ledger.hurry()
    stopping = .syncing(until: turn.now.instant.advanced(by: Self.stopPatience))
  }

  /// Sync, acknowledge and close, wait for the other side, leave a checkpoint, exit.
  private func goOnStopping() {
    switch stopping {
    case nil, .done: break
    case .syncing(let until):
      guard turn.ledger.isClean || until <= turn.now.instant else { return }
      for account in accounts.all { account.close(.stopped, "the daemon is stopping", turn) }
      stopping = .closing(until: turn.now.instant.advanced(by: Self.stopPatience))
      goOnStopping()
    case .closing(let until):
      let isQuiet = accounts.all.allSatisfy(\.isQuiet) && turn.ledger.isClean
      guard isQuiet || until <= turn.now.instant else { return }
      stopping = .done
      takeCheckpoint()
      turn.act(.exit(0))
    }
  }
}
