import Clocks
import Records

/// Corrections, retractions, reactions and replies of those who write (XEP-0308, 0424, 0444, 0461), and what must stand at the end.
extension Mailbox {
  /// Makes a parcel say something of an earlier one, now and then. One author corrects a message a few times, retracts it
  /// once, and reacts to each message once.
  func turnIntoChange(_ parcel: inout Parcel, _ roll: Int) {
    guard roll < 30, parcel.way != .note else { return }
    let author = parcel
    let change: Parcel.Change = roll < 12 ? .correction : roll < 17 ? .retraction : roll < 25 ? .reaction : .reply
    let others = parcels.filter {
      $0.otherSide == author.otherSide && $0.change == nil && $0.stanzaID == $0.id && !$0.isSignal
    }
    let targets =
      switch change {
      case .correction: others.filter { $0.isMine == author.isMine }.map(\.id)
      case .retraction:
        others.filter { $0.isMine == author.isMine && !has(.retraction, of: $0.id, by: author) }.map(\.id)
      case .reaction: (others.map(\.id) + sent(to: author)).filter { !has(.reaction, of: $0, by: author) }
      case .reply: others.map(\.id) + sent(to: author)
      }
    guard let target = targets.suffix(8).dropFirst(roll % 3).first else { return }
    (parcel.change, parcel.target, parcel.stanzaID) = (change, target, parcel.id)
    parcel.asksForReceipt = false
    world.see(.change)
    if change != .reply { witness.targets[parcel.id] = target }
  }

  /// Messages that the client here sent to the other side.
  private func sent(to parcel: Parcel) -> [String] {
    arrivals.keys.filter { id in
      witness.sequence(ofMine: id).flatMap { witness.messages[$0] }?.jid == parcel.otherSide
    }.sorted()
  }

  private func has(_ change: Parcel.Change, of target: String, by author: Parcel) -> Bool {
    made.contains(.init(change: change, target: target, isMine: author.isMine))
  }

  /// Each message stands as the last change that is here says.
  func checkChanges() {
    for (target, changes) in Dictionary(grouping: parcels.filter { $0.change != nil }, by: \.target) {
      let here = changes.filter { witness.count(ofIncoming: $0.id) > 0 }
      let ids = witness.sequences(of: target).filter { !witness.forgotten.hides($0) }
      guard !here.isEmpty, !ids.isEmpty else { continue }
      world.hold(
        ids.contains { holds(here, in: witness.present($0)) },
        "\(target) is as \(here.map(\.id)) say: \(ids.map { witness.present($0)?.text ?? "nothing" })")
    }
    for parcel in parcels where parcel.change == .reply {
      for id in witness.sequences(of: parcel.id) {
        let details = witness.present(id)?.details
        let answers = details?.change?.retraction != nil || details?.reply?.stanzaID == parcel.target
        world.hold(answers, "\(parcel.id) answers \(parcel.target)")
      }
    }
  }

  private func holds(_ changes: [Parcel], in message: MessageRecord?) -> Bool {
    guard let message else { return false }
    let change = message.details?.change
    if changes.contains(where: { $0.change == .retraction }) {
      return message.text.isEmpty && change?.retraction != nil
    }
    let reactions = changes.filter { $0.change == .reaction }
    let areShown = reactions.allSatisfy { parcel in
      change?.reactions.contains { $0.isMine == parcel.isMine && $0.emoji == [Parcel.emoji] } ?? false
    }
    return areShown && (lastTexts(changes).map { $0.contains(message.text) } ?? true)
  }

  /// The texts that may be the last one; nil: there was no correction. Only times tell the order of what came on several
  /// ways; archives stamp whole seconds, and the daemon's clock may have been wrong.
  private func lastTexts(_ changes: [Parcel]) -> [String]? {
    let corrections = changes.filter { $0.change == .correction }
    guard let last = corrections.map(\.time).max() else { return nil }
    let isDoubtful = world.faults[.clockJump] != nil
    return corrections.filter { isDoubtful || last - $0.time <= .minutes(10) }.map(\.text)
  }
}
