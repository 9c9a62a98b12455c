import Clocks
import Testing

@testable import ConfabAccounts

@Suite("The results of an archive's page")
struct ArchivePageTests {
  @Test("A page has its first and last stamps; a result without one has that of the result before")
  func stamps() {
    var page = ArchivePage()
    for (id, time) in [("a", nil), ("b", 1_000), ("c", 2_000), ("d", nil)] as [(String, Int64?)] {
      _ = page.note(id, stamp: time.map { Timestamp(milliseconds: $0) })
    }
    #expect(page.count == 4 && page.oldest == Timestamp(milliseconds: 1_000))
    #expect(page.newest?.id == "d" && page.newest?.time == Timestamp(milliseconds: 2_000))
  }

  @Test("More results than were requested are refused; the next page is counted anew, behind the last result")
  func most() {
    var page = ArchivePage()
    let taken = (0...ArchivePage.size).map { page.note("\($0)", stamp: nil) }
    #expect(taken.count { $0 } == ArchivePage.size)
    page.recount()
    #expect(page.count == 0 && page.newest?.id == "\(ArchivePage.size)")
    let isTaken = page.note("next", stamp: nil)
    #expect(isTaken)
  }
}
