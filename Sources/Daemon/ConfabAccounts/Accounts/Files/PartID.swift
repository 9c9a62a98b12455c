/// Ids of the stanzas before the last one of a message. To devices that read one file or one text in a stanza, as version
/// 0.3 of OMEMO has it, a message with several goes as several stanzas. The last one has the message's id; streams keep
/// their order, so what is true of the last one is true of all.
enum PartID {
  static func make(_ index: Int, of stanzaID: String) -> String { "\(stanzaID).\(index)" }

  /// The id of the message that a part with this id would belong to; nil: it is no part's.
  static func message(of id: String) -> String? {
    guard let dot = id.utf8.lastIndex(of: UInt8(ascii: ".")), dot > id.startIndex else { return nil }
    let index = id[dot...].dropFirst()
    guard (1...2).contains(index.utf8.count), index.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return String(id[..<dot])
  }
}
