/// Delivers an answer in parts: the children of the iq's child, each as soon as it is complete. A delivered part is not
/// kept, so that a roster of many megabytes takes no more memory than one of its items.
extension StreamAssembler {
  /// The id of the stanza that begins, if it is an answer to deliver in parts.
  func partedAnswerID(_ local: DictionaryString, _ attributes: AttributeList) -> String? {
    guard local.bytes.equals("iq"), attributes.find("type", atMost: "result".utf8.count) == "result" else { return nil }
    return partedAnswerIDs.first { attributes.find("id", atMost: $0.utf8.count) == $0 }
  }

  /// Takes the start of an element in such an answer. True if the element is kept: it is before the first part, or
  /// inside a part.
  mutating func isOfPart() -> Bool {
    if depth == 4, parted == nil, !isRefused { beginParts() }
    return isRefused || parted == nil || depth >= 4
  }

  /// Delivers the start tags so far as an item of their own; each part then becomes the root of its own tree.
  private mutating func beginParts() {
    parted = describedStanza(size: 0)
    while builder.depth > 0 { builder.closeElement() }
    finish(.answerBegins, size: lastEvent - boundary)
  }

  /// Delivers a complete part.
  mutating func finishPart() {
    guard parted != nil, !isRefused, builder.nodeCount > 0 else { return }
    finish(.answerPart, size: lastEvent - boundary)
    if let context, context.nameCount > limits.hardNames { fail(.namesExhausted) }
  }
}
