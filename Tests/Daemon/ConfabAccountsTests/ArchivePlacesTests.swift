import Clocks
import Records
import Testing

@testable import ConfabAccounts

@Suite("The places of messages out of the archive")
struct ArchivePlacesTests {
  private let bob = "bob@example.org"
  private let carol = "carol@example.org"

  private func message(_ jid: String, at time: Int64, order: UInt32 = 0) -> MessageRecord {
    var message = MessageRecord(account: 1, jid: jid, peer: jid, time: time, text: "text")
    (message.archived, message.depth) = (true, order > 0 ? MessageRecord.depth(forOrder: order) : 0)
    return message
  }

  /// As it came live, or was written here.
  private func live(_ jid: String, at time: Int64) -> MessageRecord {
    MessageRecord(account: 1, jid: jid, peer: jid, time: time, text: "text")
  }

  private func anchor(at place: Int64, stamp: Int64, order: UInt32? = nil) -> ArchiveRecord.Anchor {
    .init(id: "anchor", time: stamp, place: place, order: order)
  }

  private func time(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

  @Test("A message that is stamped before the one that it follows stands at the time of that")
  func behind() {
    var places = ArchivePlaces()
    places.passed(message(carol, at: 3_400), stamp: time(3_000))
    #expect(places.place(of: time(3_000), in: bob) == time(3_400))
    #expect(places.place(of: time(4_000), in: bob) == time(4_000))
  }

  @Test("A stamp that is much older than the message before stands where it says")
  func old() {
    var places = ArchivePlaces()
    places.passed(message(carol, at: 20_000), stamp: time(20_000))
    #expect(places.place(of: time(14_000), in: bob) == time(14_000))
    #expect(places.place(of: time(15_000), in: bob) == time(20_000))
  }

  @Test("In its own conversation a message stands behind one that waited for minutes at the server")
  func waited() {
    var places = ArchivePlaces()
    places.passed(message(bob, at: 100_000), stamp: time(10_000))
    #expect(places.place(of: time(10_000), in: bob) == time(100_000))
    #expect(places.place(of: time(10_000), in: carol) == time(10_000))
  }

  @Test(
    "What follows the message where a run begins stands behind it, if the server's clock is up to two minutes behind")
  func slowServer() {
    for (shift, follows) in [(90_000, true), (200_000, false)] as [(Int64, Bool)] {
      let places = ArchivePlaces(behind: anchor(at: 1_000_000, stamp: 1_000_000 - shift))
      let stamp = time(1_010_000 - shift)
      #expect(places.place(of: stamp, in: bob) == (follows ? time(1_000_000) : stamp))
      #expect(places.place(of: time(1_010_000), in: bob) == time(1_010_000))
    }
  }

  @Test("A run ends where its last message stands, or one before it that stands later")
  func end() {
    var places = ArchivePlaces()
    places.passed(message(bob, at: 100_000), stamp: time(10_000))
    #expect(places.end == time(100_000))
    places.passed(message(carol, at: 15_000), stamp: time(15_000))
    #expect(places.end == time(15_000))
  }

  @Test("The order of a conversation at a time is the last that came")
  func order() {
    var places = ArchivePlaces()
    for order in [3, 5, 4] as [UInt32] { places.passed(message(bob, at: 1_000, order: order), stamp: time(1_000)) }
    #expect(places.order(of: bob, at: time(1_000)) == 5)
    #expect(places.order(of: carol, at: time(1_000)) == 0 && places.order(of: bob, at: time(2_000)) == 0)
  }

  @Test("A message of mine that was written before says nothing of the orders at the time where the run begins")
  func mineFirst() {
    let place = time(1_200)
    var places = ArchivePlaces(behind: anchor(at: 1_200, stamp: 1_000))
    #expect(places.order(of: bob, at: place) == nil)
    places.passed(message(bob, at: 1_150), stamp: time(1_000))
    #expect(places.place(of: time(1_000), in: bob) == place)
    #expect(places.order(of: bob, at: place) == nil)
    places.passed(live(bob, at: 1_200), stamp: time(1_000))
    #expect(places.order(of: bob, at: place) == nil && places.endOrder == nil)
  }

  @Test("A run goes on with the order at which the run before it ended")
  func orderOfBefore() {
    var before = ArchivePlaces()
    before.passed(message(bob, at: 1_200, order: 7), stamp: time(1_000))
    before.passed(live(bob, at: 1_150), stamp: time(1_000))
    #expect(before.end == time(1_200) && before.endOrder == 7)
    var places = ArchivePlaces(behind: anchor(at: 1_200, stamp: 1_000, order: before.endOrder))
    #expect(places.endOrder == 7)
    places.passed(live(bob, at: 1_200), stamp: time(1_000))
    #expect(places.order(of: bob, at: time(1_200)) == 7 && places.endOrder == 7)
    places.passed(live(bob, at: 1_300), stamp: time(1_000))
    #expect(places.order(of: bob, at: time(1_300)) == 0 && places.endOrder == 0)
  }

  @Test("On the way back nothing stands behind where the page before begins")
  func backwards() {
    var places = ArchivePlaces()
    places.turnBack(before: time(2_000))
    places.passed(message(bob, at: 3_500), stamp: time(1_500))
    #expect(places.place(of: time(1_500), in: bob) == time(2_000))
  }

  @Test("More conversations than a page has results are not all remembered")
  func bounded() {
    var places = ArchivePlaces()
    for number in 0...ArchivePage.size {
      places.passed(message("\(number)@example.org", at: 1_000, order: 1), stamp: time(1_000))
    }
    #expect(places.order(of: bob, at: time(1_000)) == nil)
  }
}
