import Clocks
import Records

/// Messages that waited for a stream to be resumed, and where they stand (decision 0110).
extension LogWitness {
  private typealias Place = ReadingWitness.Place

  /// A carbon stands before what was written after it.
  func checkResent() {
    guard world.faults[.clockJump] == nil else { return }
    let live = livePlaces
    for parcels in resent {
      let placed = parcels.compactMap { parcel in live[parcel.id].map { (parcel: parcel, place: $0) } }
      for (index, one) in placed.enumerated() where one.parcel.isCarbon {
        for other in placed[(index + 1)...] where other.parcel.key == one.parcel.key {
          world.hold(
            one.place < other.place,
            "\(one.parcel.id) was written before \(other.parcel.id), both waited, and it stands behind")
        }
      }
    }
  }

  /// Where the messages stand that came live, once, by the ids of their parcels.
  private var livePlaces: [String: Place] {
    let named = Dictionary(grouping: messages) { String($0.value.text.prefix { $0 != " " }) }
    return named.compactMapValues { found in
      guard found.count == 1, let (id, message) = found.first, !message.archived else { return nil }
      return Place(time: message.time, order: message.archiveOrder, id: id)
    }
  }
}
