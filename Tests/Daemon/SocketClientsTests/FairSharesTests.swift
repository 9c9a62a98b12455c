import Testing

@testable import SocketClients

@Suite("shares of users")
struct FairSharesTests {
  @Test("another user takes a half at most, all others leave an eighth, and the owner and root take the rest")
  func bounds() {
    var places = FairShares(owner: 1000, total: 80)
    #expect(places.space(for: 33) == 40 && places.space(for: 1000) == 80)
    places.take(40, 33)
    #expect(places.space(for: 33) == 0 && places.space(for: 34) == 30)
    places.take(30, 34)
    #expect(places.space(for: 34) == 0 && places.space(for: 35) == 0)
    #expect(places.space(for: 1000) == 10 && places.space(for: 0) == 10)
    places.take(10, 0)
    #expect(places.space(for: 1000) == 0)
    places.giveBack(5, 33)
    #expect(places.space(for: 1000) == 5 && places.space(for: 34) == 5)
  }

  @Test("where the owner has taken all, nobody gets more")
  func owner() {
    var places = FairShares(owner: 1000, total: 8)
    places.take(8, 1000)
    #expect(places.space(for: 33) == 0 && places.space(for: 0) == 0)
    places.total = 4
    #expect(places.space(for: 1000) == -4)
  }

  @Test("of few, one at least is left to the owner and root", arguments: 1...9)
  func few(total: Int) {
    var places = FairShares(owner: 1000, total: total)
    for user in UInt32(33)..<43 { places.take(max(0, places.space(for: user)), user) }
    #expect(places.space(for: 0) >= 1 && places.space(for: 1000) >= 1)
  }
}
