import TestSupport
import Testing

@testable import State

@Test("a Bloom filter holds every key that was inserted, and few others")
func bloomFilter() {
  let filter = BloomFilter(from: 2048)
  var page = [UInt8](repeating: 0, count: IndexFormat.pageSize)
  var span = page.mutableSpan
  for key: UInt64 in 0..<10_000 { filter.insert(key, into: &span) }
  #expect(page[..<2048].allSatisfy { $0 == 0 })
  #expect((0..<10_000).allSatisfy { filter.mayHold($0, in: page.span) })
  #expect((10_000..<20_000).count { filter.mayHold($0, in: page.span) } < 250)
}
