import Conversations

/// Goes through runs in the order of their tokens.
struct TokenCursor {
  private var sources: [Source]
  /// The next token of each source that has one, the first of all last.
  private var line: [(token: Token, source: Int)] = []
  private var isBegun = false
  /// A head that is damaged, or has a leaf that is: nothing comes any more.
  private(set) var damaged: TokenHead?

  /// One run.
  private struct Source {
    var heads: ArraySlice<TokenHead>
    var head: TokenHead?
    var leaves: ArraySlice<TokenHeadPage.Leaf> = []
    var tokens: [Token] = []
    var next = 0

    mutating func take() -> Token? {
      guard next < tokens.count else { return nil }
      next += 1
      return tokens[next - 1]
    }

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
    if !isBegun {
      isBegun = true
      for source in sources.indices { lineUp(source, read) }
    }
    guard damaged == nil, let (token, source) = line.popLast() else { return nil }
    lineUp(source, read)
    return token
  }

  /// Puts the next token of a source where it belongs in the line.
  private mutating func lineUp(_ source: Int, _ read: (IndexPage) -> [UInt8]?) {
    if sources[source].next == sources[source].tokens.count {
      damaged = damaged ?? sources[source].fill(read)
    }
    guard let token = sources[source].take() else { return }
    // Those of one source come one behind the other: there are few sources.
    let place = line.lastIndex { !$0.token.precedes(token) }
    line.insert((token, source), at: place.map { $0 + 1 } ?? 0)
  }
}
