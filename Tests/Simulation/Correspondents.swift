import Clocks
import JSON
import Records
import XML
import XMPPCore

/// What those who get messages say of them, theirs and ours: by which ways, and what must stand then.
extension Mailbox {
  /// Whoever got a message of the user's says so, after a while.
  ///
  /// - Parameters:
  ///   - message: its stanza's id.
  ///   - names: the ids by which it may be named.
  ///   - mayFail: an error may come back to the device that sent it.
  func confirm(_ message: String, as names: [String], by jid: String, mayFail: Bool = false) {
    guard world.climate.confirms else { return }
    // While nobody is here it makes no difference when: some of it is older than the first login.
    world.after(session == nil ? .zero : world.dice.pause(.seconds(2))) { [self] in
      if mayFail, world.dice.percent(20) { return say(.error, message, message, by: jid) }
      say(world.dice.pick([.receipt, .receipt, .oldReceipt]), message, world.dice.pick(names), by: jid)
      guard world.climate.habits.hasMarkers, world.dice.percent(40) else { return }
      world.after(world.dice.pause(.seconds(5))) { [self] in
        say(world.dice.pick([.marker, .marker, .oldMarker]), message, world.dice.pick(names), by: jid)
      }
    }
  }

  /// Says it in a stanza of its own, together with what was put off, or with the next one.
  private func say(_ form: Signal.Form, _ message: String, _ name: String, by jid: String) {
    guard !world.isCalm else { return }
    let signal = Signal(form: form, message: message, name: name)
    said[message, default: []].insert(signal.state)
    if form != .error, world.dice.percent(20) { return putOff[jid, default: []].append(signal) }
    lastSignal += 1
    var parcel = Parcel(
      (form == .error ? [] : takePutOff(by: jid)) + [signal], from: jid, in: self, number: lastSignal)
    if hasDevice, form == .error || world.dice.percent(30) { parcel.way = .toDevice }
    parcel.namesResource = world.dice.percent(50)
    parcel.isKept = form != .error && world.dice.percent(40)
    post(parcel)
  }

  /// The signals that go with the next stanza of somebody.
  func takePutOff(by jid: String) -> [Signal] { putOff.removeValue(forKey: jid) ?? [] }

  func see(_ parcel: Parcel) {
    guard !parcel.signals.isEmpty else { return }
    world.see(parcel.way == .toDevice ? .copiedSignal : parcel.namesResource ? .signal : .bareSignal)
    if parcel.archiveID != nil { world.see(.archivedSignal) }
    if !parcel.isSignal { world.see(.besideText) }
    if parcel.signals.count > 1 { world.see(.severalSignals) }
    if parcel.isError { world.see(.bounce) }
    if parcel.signals.contains(where: \.isOld) { world.see(.oldMarker) }
    if parcel.signals.contains(where: { $0.name != $0.message }) { world.see(.otherName) }
  }

  // MARK: - What must stand

  /// The messages here that a signal may be about: that one, or a correction that stands for it.
  private func records(of signal: Signal) -> [UInt64] {
    (witness.sequences(of: signal.message) + witness.standIns(for: signal.message))
      .filter { !witness.forgotten.hides($0) }
  }

  /// True if a message has become what a signal says. What names it by a correction that changed nothing says nothing.
  private func isHeard(_ signal: Signal) -> Bool {
    signal.name != signal.message && witness.isRetracted(signal.message)
      || records(of: signal).contains { witness.hasBecome(signal.state, $0) }
  }

  /// True if the log has what a parcel says of other messages, or keeps it until they come.
  func areSignalsStored(_ parcel: Parcel) -> Bool {
    parcel.signals.allSatisfy { isHeard($0) || witness.isAwaited($0.name) || witness.forgotten.hasAny(parcel.key) }
  }

  /// A parcel, and what became of the messages of which it says something.
  func words(_ parcel: Parcel) -> String {
    let signals = parcel.signals.map { signal in
      "\(signal.message) is \(signal.state.word), here \(records(of: signal).map { witness.state(of: $0).word })"
    }
    return parcel.id + (signals.isEmpty ? "" : " (\(signals.joined(separator: "; ")))")
  }

  /// Each message of the user's is at least what was said of it, once that is certain to have come.
  func checkSignals() {
    for parcel in parcels where parcel.archiveID != nil || isAcknowledged(parcel) {
      for signal in parcel.signals where !witness.forgotten.mayLackWords(of: parcel) {
        // What names a message that never came waits for that, and not for a correction.
        let isHere = !witness.sequences(of: signal.message).isEmpty && !records(of: signal).isEmpty
        world.hold(!isHere || isHeard(signal), "at the end it stands that \(words(parcel))")
      }
    }
  }

  /// Nothing is said of a message of the user's that nobody said; what was asked for was said.
  func checkConfirmations() {
    let mine = arrivals.keys.compactMap { id in witness.sequence(ofMine: id).map { (id, $0) } }
    let phones = parcels.filter { $0.isConfirmed && $0.change == nil }.flatMap { parcel in
      witness.sequences(of: parcel.id).map { (parcel.id, $0) }
    }
    let isAnyDisplayed = said.values.contains { $0.contains(.displayed) }
    for (id, sequence) in mine + phones {
      let (state, words) = (witness.state(of: sequence), said[id] ?? [])
      world.hold(state != .delivered || !words.isEmpty, "\(id) is delivered, and nobody said so")
      world.hold(state != .displayed || isAnyDisplayed, "\(id) is displayed, and nobody said so")
    }
    for (id, sequence) in phones {
      let isFailed = witness.state(of: sequence) == .failed
      world.hold(!isFailed || said[id]?.contains(.failed) == true, "\(id) failed, and nobody said so")
    }
    for parcel in parcels where mustBeConfirmed(parcel) {
      world.hold(receipts[parcel.id] != nil, "\(parcel.from) asked for a receipt for \(parcel.id), and got none")
    }
  }

  /// It came live, from somebody who may see us, and the server can tell what it has. With an orderly end it is taken for
  /// granted that what was written arrives.
  private func mustBeConfirmed(_ parcel: Parcel) -> Bool {
    let canTell = world.climate.management && world.climate.askers == 0 && world.faults[.stop] == nil
    return canTell && parcel.archiveID == nil && parcel.way == .toUser && parcel.asksForReceipt
      && !parcel.from.hasPrefix("stranger") && witness.count(ofIncoming: parcel.id) == 1
  }

  /// The user's client says how far a message got that came to it: what it has is stored.
  func told(_ element: Element) {
    let received = element.child("received", Namespace.receipts)?.attribute("id")
    let displayed = element.child("displayed", Namespace.chatMarkers)?.attribute("id")
    for id in [received, displayed].compactMap(\.self) {
      let count = witness.count(ofIncoming: id)
      world.hold(count > 0, "somebody was told that \(id) is here, and the log does not have it")
    }
    if let received { receipts[received, default: 0] += 1 }
  }
}

/// Checks that `status` tells the truth about the archive.
extension Server {
  /// If `status` says that an account's archive is complete, everything the archive had when the session began must be
  /// stored soon.
  func checkArchive(_ account: JSONValue) {
    guard account["archive"]?["state"]?.string == "complete",
      let mailbox = mailboxes.first(where: { $0.jid == account["jid"]?.string }), let session = mailbox.session
    else { return }
    let missing = mailbox.missing(before: session.began)
    guard !missing.isEmpty else { return }
    let starts = starts
    world.after(.minutes(2)) { [self] in
      // A daemon that died meanwhile may have had them.
      guard starts == self.starts else { return }
      let lost = missing.filter { !mailbox.isStored($0) }.map(\.id)
      world.hold(lost.isEmpty, "\(mailbox.jid)'s archive is said to be complete, and \(lost) are not here")
    }
  }
}

extension Mailbox {
  /// Messages that the archive had for a while at that time, and that the log lacks.
  func missing(before time: Timestamp) -> [Parcel] {
    parcels.filter { $0.archiveID != nil && $0.time < time && !isHere($0) }
  }
}
