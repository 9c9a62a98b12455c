import Conversations

/// Goes through runs in the order of their tokens.
struct TokenCursor {
  private var sources: [Source]
  /// A head that is damaged, or has a leaf that is: nothing comes any more.
  private(set) var damaged: TokenHead?

  /// One run.
  private struct Source {
    var heads: ArraySlice<TokenHead>
    var head: TokenHead?
    var leaves: ArraySlice<TokenHeadPage.Leaf> = []
    var tokens: [Token] = []
    var next = 0

    var token: Token? { next < tokens.count ? tokens[next] : nil }

    /// Reads the next leaf, if there is one; a head that is damaged, or has a leaf that is.
    mutating func fill(_ read: (IndexPage) -> [UInt8]?) -> TokenHead? {
      (tokens, next) = ([], 0)
      if leaves.isEmpty {
        head = heads.popFirst()
        guard let head else { return nil }
        guard let found = read(head.page).flatMap(TokenHeadPage.leaves) else { return head }
        leaves = found[...]
      }
      guard let leaf = leaves.popFirst() else { return nil }
      guard let found = read(leaf.page).flatMap(TokenLeaf.unpack) else { return head }
      tokens = found
      return nil
    }
  }

  init(_ runs: some Collection<TokenRun>) {
    sources = runs.map { Source(heads: $0.heads[...]) }
  }

  /// - Parameter read: what is on a page; nil where it is not what it should be.
  mutating func next(_ read: (IndexPage) -> [UInt8]?) -> Token? {
    var (first, least): (Int?, Token?) = (nil, nil)
    for index in sources.indices {
      if sources[index].next == sources[index].tokens.count {
        damaged = damaged ?? sources[index].fill(read)
      }
      guard let token = sources[index].token else { continue }
      if least.map({ token.precedes($0) }) ?? true { (first, least) = (index, token) }
    }
    guard let first, damaged == nil else { return nil }
    sources[first].next += 1
    return least
  }
}
