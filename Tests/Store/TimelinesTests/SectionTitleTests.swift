import Clocks
@testable import Timelines
import Testing

@Suite("SectionTitle")
struct SectionTitleTests {
  @Test(
    "is the day and minute at the offset",
    arguments: [
      ("2026-11-20T09:10:59.999Z", 0, "2026-11-20 09:10"),
      ("2026-12-31T23:30:00Z", 3600, "2027-01-01 00:30"),
      ("1970-01-01T00:00:00Z", -60, "1969-12-31 23:59"),
      ("2024-02-29T00:00:00Z", 5 * 3600 + 45 * 60, "2024-02-29 05:45"),
    ])
  func text(time: String, offset: Int, title: String) throws {
    let start = try #require(Timestamp(rfc3339: time))
    var bytes: [UInt8] = []
    bytes.append(addingCapacity: SectionTitle.longest) { SectionTitle.append(start, offsetSeconds: offset, to: &$0) }
    #expect(String(decoding: bytes, as: UTF8.self) == title)
  }

  @Test(
    "years have at least four digits, and a sign before them",
    arguments: [(1 << 44, "2527-"), (1 << 50, "37648-"), (-1 << 47, "-2490-")] as [(Int64, String)])
  func years(milliseconds: Int64, year: String) {
    var bytes: [UInt8] = []
    bytes.append(addingCapacity: SectionTitle.longest) {
      SectionTitle.append(Timestamp(milliseconds: milliseconds), offsetSeconds: 0, to: &$0)
    }
    #expect(String(decoding: bytes, as: UTF8.self).hasPrefix(year))
  }
}
