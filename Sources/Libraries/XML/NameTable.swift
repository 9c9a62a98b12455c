/// The names of a stream's tapes, found by libxml2's strings.
struct NameTable {
  private(set) var list = NameList.known
  private var table = StringTable()

  /// More names than this are not kept from stanza to stanza.
  private static let kept = 100
  private static let keptBytes = 4 << 10

  /// There are too many of them to be kept.
  var areMany: Bool { table.count > Self.kept || list.byteCount > Self.keptBytes }

  /// The number of a string, which is added where there has been none.
  @inline(__always)
  mutating func number(of string: DictionaryString) -> UInt32 {
    if string.identity == 0 { return KnownName.none.number }
    return table.find(string.identity) ?? number(ofNew: string)
  }

  @inline(never)
  private mutating func number(ofNew string: DictionaryString) -> UInt32 {
    let name = list.add(string.bytes)
    table.insert(string.identity, name)
    return name
  }
}
