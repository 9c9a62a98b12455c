import Bytes
import Conversations

/// Tokens on pages, ordered by their keys; never changed, only written and, merged with another run, given up.
struct TokenRun {
  var heads: [TokenHead]
  /// The numbers of its records lie between these.
  var ids: ClosedRange<UInt64>

  /// How many there are.
  var count: Int { heads.reduce(0) { $0 + Int($1.count) } }

  /// The head that has a key, if any has.
  func place(of key: UInt64) -> Int? {
    let next = heads.partitioningIndex { $0.first > key }
    return next > 0 ? next - 1 : nil
  }

  /// The keys that the head there may have.
  func keys(of place: Int) -> ClosedRange<UInt64> {
    let next = place + 1 < heads.count ? heads[place + 1].first - 1 : .max
    return heads[place].first...max(heads[place].first, next)
  }
}

/// Puts tokens, which come in their order, on pages. Those of one key are never parted.
struct TokenPages {
  /// What is to be written, and where.
  private(set) var full: [(page: IndexPage, bytes: [UInt8])] = []
  private var heads: [TokenHead] = []
  private var ids: ClosedRange<UInt64>?
  /// The pages that no head names yet.
  private(set) var unnamed: [UInt32] = []
  /// Those of the page that is being filled, and behind them the newest of one key, which have no page yet.
  private var open: [Token] = []
  /// How many of these have their page.
  private var placed = 0
  private var extent = TokenLeaf.Extent()
  private var leaves: [TokenHeadPage.Leaf] = []
  private var keys: [UInt64] = []

  mutating func append(_ token: Token, _ ledger: inout PageLedger) {
    let last = open.count - 1
    if last >= placed, open[last].key == token.key {
      if open.count - placed < Token.mostOfKey, open[last].id != token.id { open.append(token) }
    } else {
      place(&ledger)
      open.append(token)
    }
  }

  /// Puts all that there are on pages.
  mutating func fill(_ tokens: [Token], _ ledger: inout PageLedger) {
    for token in tokens { append(token, &ledger) }
    close(&ledger)
  }

  /// There are no more.
  mutating func close(_ ledger: inout PageLedger) {
    place(&ledger)
    closeLeaf(&ledger)
    closeHead(&ledger)
  }

  /// The run of all that has a head.
  var run: TokenRun { TokenRun(heads: heads, ids: ids ?? 0...0) }

  /// All tokens with lesser keys have a head.
  var end: UInt64 { leaves.first?.first ?? open.first?.key ?? .max }

  /// Hands out the pages that are full.
  mutating func take() -> [(page: IndexPage, bytes: [UInt8])] {
    defer { full = [] }
    return full
  }

  private mutating func place(_ ledger: inout PageLedger) {
    guard placed < open.count else { return }
    var larger = extent.with(open[placed...])
    if larger.size > IndexFormat.pageSize {
      closeLeaf(&ledger)
      if leaves.count == TokenHeadPage.mostLeaves || keys.count >= TokenHeadPage.manyTokens { closeHead(&ledger) }
      larger = extent.with(open[placed...])
    }
    extent = larger
    for place in placed..<open.count { keys.append(open[place].key) }
    placed = open.count
  }

  private mutating func closeLeaf(_ ledger: inout PageLedger) {
    guard placed > 0 else { return }
    let page = write(TokenLeaf.pack(open[..<placed], extent), &ledger)
    leaves.append(TokenHeadPage.Leaf(first: extent.first, page: page))
    ids = min(ids?.lowerBound ?? .max, extent.lowestID)...max(ids?.upperBound ?? 0, extent.highestID)
    open.removeFirst(placed)
    placed = 0
    extent = TokenLeaf.Extent()
  }

  private mutating func closeHead(_ ledger: inout PageLedger) {
    guard let first = leaves.first?.first else { return }
    let page = write(TokenHeadPage.pack(leaves, keys: keys), &ledger)
    unnamed = []
    heads.append(TokenHead(first: first, page: page, count: UInt16(clamping: keys.count)))
    leaves.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
  }

  private mutating func write(_ bytes: [UInt8], _ ledger: inout PageLedger) -> IndexPage {
    let page = IndexPage(number: ledger.take(), checksum: CRC32C.checksum(bytes))
    unnamed.append(page.number)
    full.append((page, bytes))
    return page
  }
}

// In a checkpoint: 1 the lowest id, 2 the highest; then for each head 3 the least key, 4 page and checksum, 5 the count.
extension TokenRun {
  func write(into writer: inout FieldWriter) {
    writer.uint(1, ids.lowerBound)
    writer.uint(2, ids.upperBound)
    for head in heads {
      writer.uint(3, head.first)
      writer.fixed64(4, UInt64(head.page.number) << 32 | UInt64(head.page.checksum))
      writer.uint(5, UInt64(head.count))
    }
  }

  /// Nil where it is none that there can be.
  static func read(_ reader: inout FieldReader) throws(FieldError) -> TokenRun? {
    var (lowest, highest): (UInt64, UInt64) = (0, 0)
    var run = TokenRun(heads: [], ids: 0...0)
    var head = TokenHead(first: 0, page: IndexPage(number: 0, checksum: 0), count: 0)
    while let field = try reader.next() {
      switch field {
      case 1: lowest = try reader.uint()
      case 2: highest = try reader.uint()
      case 3: head.first = try reader.uint()
      case 4:
        let place = try reader.fixed64()
        head.page = IndexPage(number: UInt32(place >> 32), checksum: UInt32(truncatingIfNeeded: place))
      case 5:
        head.count = try reader.uint(UInt16.self)
        run.heads.append(head)
      default: break
      }
    }
    guard lowest <= highest, zip(run.heads, run.heads.dropFirst()).allSatisfy({ $0.first < $1.first }) else {
      return nil
    }
    run.ids = lowest...highest
    return run
  }
}
