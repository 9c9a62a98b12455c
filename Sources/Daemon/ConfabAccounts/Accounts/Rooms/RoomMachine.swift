package import Clocks
package import Records

/// Decides whether the account is in a room (XEP-0045). A machine without I/O: it is told what happened, and says what
/// is to be done. To be in a room belongs to one stream: a resumed stream keeps it, a new one has to join again.
package struct RoomMachine {
  package enum State: Equatable {
    /// The user does not want to be in it.
    case left
    /// There is no stream, or it is tried again at a time.
    case waiting(until: Instant?, reason: String?)
    /// The room is asked what it is, so that no join makes it.
    case asking
    case joining
    /// The room has listed its occupants, and sends its history.
    case entering
    case joined
    /// I may be in it, but it answers to no ping: it is asked again at this time, and is not joined anew.
    case unheard(until: Instant)
    /// A person has to decide.
    case refused(RoomRecord.Refusal)
  }

  enum Event: Equatable {
    /// The user, a bookmark or the log wants it; a refusal is forgotten.
    case wanted
    case unwanted
    /// The stream can carry it.
    case streamBegan
    case streamResumed
    case streamLost
    /// The room answered to disco#info.
    case found
    case notFound(RoomRecord.Refusal)
    /// Its own presence shows me in it; new: the join made it (status 201).
    case shown(isNew: Bool)
    /// The room has sent the subject, which ends its history.
    case historyEnded
    /// It refused the join.
    case rejected(RoomRecord.Refusal, isPassing: Bool)
    /// It took me out.
    case removed(RoomRecord.Refusal, isPassing: Bool)
    /// A message or a presence of the room came.
    case heard
    /// It answered to a self-ping (XEP-0410).
    case pinged(PingOutcome)
    /// It says that I am not in it.
    case denied
    /// Somebody looks at it, or another room of its service says something: it is asked whether I am in it if it has
    /// been quiet for so long.
    case questioned(ifQuietFor: Interval)
    case tick
  }

  /// The meaning of an answer to a self-ping.
  enum PingOutcome: Equatable {
    case inside
    case outside
    /// My nick is nobody's there: it was changed, or the room is gone.
    case nobody
    case gone(RoomRecord.Refusal)
    /// Nothing is known.
    case silent
  }

  enum Order: Equatable {
    case ask
    case join
    case leave
    case ping
    /// Opens a room that the join made, and that is locked until then (XEP-0045, section 10.1.2).
    case open
    /// Front ends are told.
    case report
  }

  static let silent = "the room does not answer"
  /// How long a room may answer to a join.
  static let patience = Interval.seconds(60)
  /// How long its history may take; a room without a subject counts as joined then.
  static let historyPatience = Interval.seconds(10)
  /// After that without a word the room is asked whether I am still in it.
  static let silence = Interval.minutes(15)
  /// Pings without an answer after which I may not be in it any more.
  private static let mostSilences = 2
  private static let firstQuestionPause = Interval.minutes(1)
  /// How often a room is waited for that another device may be making.
  private static let mostAppearances = 3
  private static let firstPause = Interval.seconds(2)
  private static let longestPause = Interval.minutes(10)
  /// After that without another one, a denial is the first again.
  private static let denialMemory = Interval.minutes(20)

  private(set) var state = State.left
  /// Set while nothing is known of the room's answer: it was asked, and has not shown me since.
  private(set) var isDoubted = false
  /// The user asked for the room to be made.
  var mayBeMade = false
  /// Another device has bookmarked the room, and may still be making it.
  var isAnnounced = false
  /// The room goes when the last one leaves, and is made anew by whoever comes first.
  var isTemporary = false
  /// The room was asked lately what it is.
  var isDescribed = false
  private(set) var hasStream = false
  /// The room has shown who is there, or answered, since the link was lost last.
  private(set) var knowsOccupants = false
  /// The server may still answer to a join of an earlier process, on a stream that goes on: the room enters me twice.
  private var entersAgain = false
  /// The room has yet to say that I have left it.
  private var isLeaving = false
  private var failures = 0
  /// How often in a row the room said that I am not in it, and when it did so last.
  private var denials = 0
  private var deniedAt = Instant(milliseconds: 0)
  /// Pings without an answer, one after the other.
  private var silences = 0
  /// Since when it is wanted, and was not joined.
  package private(set) var troubledSince: Instant?
  /// When the room was heard last.
  private var heardAt = Instant(milliseconds: 0)
  /// When the present state ends by itself, or it is looked whether the room has been silent.
  private(set) var deadline: Instant?

  /// The machine of a room that no stream has carried yet.
  init(_ room: RoomRecord) {
    mayBeMade = room.mayBeMade
    if let refusal = room.refusal {
      state = .refused(refusal)
    } else if room.isWanted {
      state = .waiting(until: nil, reason: nil)
    }
  }

  /// A message or a presence of the room came; false if that changes more than the time of the last one.
  mutating func noteHeard(at now: Instant) -> Bool {
    guard state == .joined, !isDoubted, silences == 0 else { return false }
    heardAt = now
    return true
  }

  mutating func handle(_ event: Event, at now: Instant) -> [Order] {
    let before = state
    var orders = decide(event, at: now)
    if state != before { orders.append(.report) }
    noteTrouble(at: now)
    return orders
  }

  private mutating func noteTrouble(at now: Instant) {
    switch state {
    case .left, .joined: troubledSince = nil
    case .waiting, .unheard, .refused: troubledSince = troubledSince ?? now
    case .asking, .joining, .entering: break
    }
  }

  private mutating func decide(_ event: Event, at now: Instant) -> [Order] {
    switch event {
    case .wanted: return want(at: now)
    case .unwanted: return leave()
    case .streamBegan:
      (hasStream, failures) = (true, 0)
      return isWanted ? begin(at: now) : []
    case .streamResumed:
      hasStream = true
      if isJoined { return ask(at: now) }
      guard isWanted else { return [] }
      entersAgain = true
      return begin(at: now)
    case .streamLost: return lose()
    case .found: return state == .asking ? join(at: now) : []
    case .notFound(let refusal):
      guard state == .asking else { return [] }
      if mayBeMade || isTemporary { return join(at: now) }
      let mayAppear = isAnnounced && failures < Self.mostAppearances
      return mayAppear ? wait(refusal.text ?? refusal.condition, at: now) : refuse(refusal)
    case .shown(let isNew): return shown(isNew: isNew, at: now)
    case .historyEnded:
      guard state == .entering else { return [] }
      return joined(at: now)
    case .rejected(let refusal, let isPassing):
      guard isUnderway else { return [] }
      return isPassing ? wait(refusal.text ?? refusal.condition, at: now) : refuse(refusal)
    case .removed(let refusal, let isPassing):
      // The end of the presence before this join, also one of an earlier process on a stream that goes on.
      if isLeaving || entersAgain, isPassing, !isJoined {
        (isLeaving, entersAgain) = (false, false)
        return []
      }
      guard isShown || isUnderway else { return [] }
      return isPassing ? wait(refusal.text ?? refusal.condition, at: now) : refuse(refusal)
    case .heard: return heard(at: now)
    case .pinged(let outcome): return isShown ? pinged(outcome, at: now) : []
    case .denied: return isShown ? denied(at: now) : []
    case .questioned(let quiet): return isQuiet(for: quiet, at: now) ? ask(at: now) : []
    case .tick: return tick(at: now)
    }
  }

  private var isWanted: Bool {
    switch state {
    case .left, .refused: false
    default: true
    }
  }

  // MARK: - Joining

  private mutating func want(at now: Instant) -> [Order] {
    guard !isJoined, !isUnderway else { return [] }
    failures = 0
    guard hasStream else {
      state = .waiting(until: nil, reason: nil)
      return []
    }
    return begin(at: now)
  }

  private mutating func begin(at now: Instant) -> [Order] {
    isDoubted = false
    guard isDescribed else {
      (state, deadline) = (.asking, now.advanced(by: Self.patience))
      return [.ask]
    }
    return join(at: now)
  }

  private mutating func join(at now: Instant) -> [Order] {
    (state, deadline) = (.joining, now.advanced(by: Self.patience))
    return [.join]
  }

  private mutating func shown(isNew: Bool, at now: Instant) -> [Order] {
    knowsOccupants = true
    switch state {
    case .joining where isNew && !mayBeMade && !isTemporary:
      (state, deadline) = (.refused(RoomRecord.Refusal("gone", text: "the room is not there any more")), nil)
      return [.leave]
    case .joining:
      (isLeaving, mayBeMade) = (false, false)
      (state, deadline) = (.entering, now.advanced(by: Self.historyPatience))
      return isNew ? [.open] : []
    case .joined where entersAgain:
      (state, deadline, entersAgain) = (.entering, now.advanced(by: Self.historyPatience), false)
      return []
    case .entering, .joined, .unheard: return heard(at: now)
    // Leaves a room that was not joined from here.
    case .left, .refused: return [.leave]
    case .waiting, .asking: return []
    }
  }

  private mutating func joined(at now: Instant) -> [Order] {
    (state, failures, silences, isDoubted, heardAt) = (.joined, 0, 0, false, now)
    isAnnounced = false
    deadline = now.advanced(by: Self.silence)
    return []
  }

  // MARK: - Leaving

  private mutating func leave() -> [Order] {
    let wasThere = isShown || isUnderway
    (state, deadline, isDoubted, isLeaving) = (.left, nil, false, wasThere && hasStream)
    return isLeaving ? [.leave] : []
  }

  private mutating func lose() -> [Order] {
    (hasStream, knowsOccupants, entersAgain, isLeaving) = (false, false, false, false)
    deadline = nil
    isDoubted = false
    // Until it is known whether the stream is resumed, I am in it.
    if isWanted, state != .joined { state = .waiting(until: nil, reason: nil) }
    return []
  }

  /// The stream is over for good.
  mutating func forgetStream() { if state == .joined { state = .waiting(until: nil, reason: nil) } }

  private mutating func refuse(_ refusal: RoomRecord.Refusal) -> [Order] {
    (state, deadline, isDoubted) = (.refused(refusal), nil, false)
    return []
  }

  private mutating func wait(_ reason: String, at now: Instant) -> [Order] {
    failures += 1
    let pause = min(Self.firstPause.milliseconds << min(failures - 1, 12), Self.longestPause.milliseconds)
    let due = now.advanced(by: .milliseconds(pause))
    (state, deadline, isDoubted) = (.waiting(until: due, reason: reason), due, false)
    return []
  }

  /// The room says that I am not in it, though it has shown me: once is a join, more often a room that takes nothing.
  private mutating func denied(at now: Instant) -> [Order] {
    if now - deniedAt > Self.denialMemory { denials = 0 }
    (denials, deniedAt) = (denials + 1, now)
    guard denials > 1 else { return begin(at: now) }
    failures = denials - 2
    return wait("the room takes no messages", at: now)
  }

  // MARK: - Staying

  /// True if the room has shown me in it, and has not said since that I am not.
  var isShown: Bool { if case .unheard = state { true } else { isJoined } }

  private mutating func heard(at now: Instant) -> [Order] {
    guard isShown else { return [] }
    if state == .entering { isDoubted = false } else { return joined(at: now) }
    return []
  }

  /// Asks whether I am still in it, unless that is being asked.
  private mutating func ask(at now: Instant) -> [Order] {
    guard isShown, !isDoubted else { return [] }
    isDoubted = true
    deadline = now.advanced(by: Self.patience)
    return [.ping]
  }

  private func isQuiet(for interval: Interval, at now: Instant) -> Bool {
    state == .joined && now - heardAt >= interval
  }

  private mutating func pinged(_ outcome: PingOutcome, at now: Instant) -> [Order] {
    switch outcome {
    case .inside:
      knowsOccupants = true
      return heard(at: now)
    case .outside, .nobody: return begin(at: now)
    case .gone(let refusal): return refuse(refusal)
    case .silent: return unanswered(at: now)
    }
  }

  /// A ping tells nothing. A second one does; after that the room is asked again after pauses that grow.
  private mutating func unanswered(at now: Instant) -> [Order] {
    isDoubted = false
    silences += 1
    guard silences >= Self.mostSilences else { return ask(at: now) }
    let pause = Self.firstQuestionPause.milliseconds << min(silences - Self.mostSilences, 8)
    let due = now.advanced(by: .milliseconds(min(pause, Self.silence.milliseconds)))
    (state, deadline) = (.unheard(until: due), due)
    return []
  }

  private mutating func tick(at now: Instant) -> [Order] {
    guard let deadline, deadline <= now else { return [] }
    self.deadline = nil
    switch state {
    case .waiting: return hasStream ? begin(at: now) : []
    case .asking, .joining: return wait(Self.silent, at: now)
    case .entering: return joined(at: now)
    case .joined where !isDoubted && now - heardAt < Self.silence:
      self.deadline = heardAt.advanced(by: Self.silence)
      return []
    case .joined, .unheard: return isDoubted ? unanswered(at: now) : ask(at: now)
    case .left, .refused: return []
    }
  }
}
