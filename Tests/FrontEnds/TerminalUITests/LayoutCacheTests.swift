import ConfabClient
import JSON
import Screen
import Testing

@testable import TerminalUI

struct LayoutCacheTests {
  private let messages = (1...400).map { LayoutSupport.message("message \($0)", ["id": .integer($0)]) }

  private func scroll(_ cache: inout LayoutCache, _ range: Range<Int>, _ context: LayoutContext) {
    for message in messages[range] {
      _ = cache.lines(of: message, MessageFlags(), date: LayoutSupport.date, in: context)
    }
  }

  @Test("scrolling lays each message out once per width")
  func once() {
    var cache = LayoutCache()
    let context = LayoutSupport.context(80)
    for top in 0..<100 { scroll(&cache, top..<(top + 20), context) }
    #expect(cache.missCount == 119)
    #expect(cache.hitCount == 2000 - 119)
    scroll(&cache, 0..<20, LayoutSupport.context(81))
    #expect(cache.missCount == 139)
  }

  @Test("the cache never keeps more cells than its capacity")
  func bounded() {
    var cache = LayoutCache(capacity: 4000)
    for _ in 0..<3 { scroll(&cache, 0..<400, LayoutSupport.context(80)) }
    #expect(cache.cellCount + cache.messageCount * LayoutCache.messageCost <= 4000)
    #expect(LayoutCache.messageCost > 10 && cache.messageCount > 10)
    #expect(cache.missCount == 1200)
  }

  @Test("a long message that is unfolded does not push out the others")
  func unfolded() {
    var cache = LayoutCache()
    let context = LayoutSupport.context(80)
    let long = LayoutSupport.message(String(repeating: "long line of words\n", count: 2000))
    for _ in 0..<3 {
      _ = cache.lines(of: long, MessageFlags(isUnfolded: true), date: LayoutSupport.date, in: context)
      scroll(&cache, 1..<20, context)
    }
    #expect(cache.missCount == 20)
  }

  @Test("a message that changed is laid out again")
  func changed() {
    var cache = LayoutCache()
    let context = LayoutSupport.context(80)
    var message = LayoutSupport.message("hello", mine: true, ["state": .string("sent")])
    let before = cache.lines(of: message, MessageFlags(), date: LayoutSupport.date, in: context)
    message.delivery = .delivered
    let after = cache.lines(of: message, MessageFlags(), date: LayoutSupport.date, in: context)
    #expect(before != after)
    #expect(cache.missCount == 2)
  }
}
