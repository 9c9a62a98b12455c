extension Emoticons {
  /// The emoticons whose code or name has a text in it, without regard to case: first those that are called so, then
  /// those that begin so, then those of which a word does, then the rest; shorter names first, for they have no skin
  /// tones.
  package func search(_ text: String, limit: Int) -> [Emoticon] {
    let wanted = text.lowercased().replacing("_", with: " ")
    var hits: [(rank: Int, length: Int, index: Int)] = []
    for index in table.entries.indices {
      guard let rank = rank(of: index, wanted) else { continue }
      hits.append((rank, table.phraseLength(index), index))
    }
    hits.sort { ($0.rank, $0.length, $0.index) < ($1.rank, $1.length, $1.index) }
    var (codes, found) = (Set<String>(), [Emoticon]())
    for hit in hits where found.count < limit {
      let emoticon = self[hit.index]
      if codes.insert(emoticon.code).inserted { found.append(emoticon) }
    }
    return found
  }

  private func rank(of index: Int, _ wanted: String) -> Int? {
    let emoticon = self[index]
    let names = [
      emoticon.name.lowercased(), Emoticon.usualName(of: emoticon.code).lowercased(), emoticon.code.lowercased(),
    ]
    return names.compactMap { Self.rank(of: $0, wanted) }.min()
  }

  private static func rank(of name: String, _ wanted: String) -> Int? {
    if name == wanted { return 0 }
    if name.hasPrefix(wanted) { return 1 }
    if name.contains(" " + wanted) { return 2 }
    return name.contains(wanted) ? 3 : nil
  }
}
