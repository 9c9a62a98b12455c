import Records

/// Messages that waited for a stream to be resumed, and where they stand (decision 0110).
extension LogWitness {
  /// What another device sent meanwhile stands before what was written after that. What came to other devices and here
  /// may stand at its arrival, behind what was read meanwhile.
  func checkResent() {
    guard world.faults[.clockJump] == nil else { return }
    for parcels in resent {
      for (index, parcel) in parcels.enumerated() where parcel.way == .fromDevice {
        let next = parcels[(index + 1)...].first { $0.user == parcel.user && $0.otherSide == parcel.otherSide }
        if let next { checkOrder(parcel, next) }
      }
    }
  }

  private func checkOrder(_ first: Parcel, _ second: Parcel) {
    guard let one = livePlace(of: first), let other = livePlace(of: second) else { return }
    world.hold(one < other, "\(first.id) was written before \(second.id), both waited, and it stands behind")
  }

  /// Where a message stands that came live, once.
  private func livePlace(of parcel: Parcel) -> ReadingWitness.Place? {
    let found = messages.filter { $0.value.text.hasPrefix(parcel.id + " ") && $0.value.jid == parcel.otherSide }
    guard found.count == 1, let (id, message) = found.first, !message.archived else { return nil }
    return .init(time: message.time, order: message.archiveOrder, id: id)
  }
}
