/// An answer that is handed out in parts: the children of the iq's child, each as soon as it is whole. What was handed out
/// is not held any more, so that a roster of many megabytes takes no more memory than one of its items.
extension StreamAssembler {
  /// Whether the stanza that begins is the answer that was asked to come in parts.
  func isPartedAnswer(_ local: DictionaryString, _ attributes: AttributeList) -> Bool {
    guard let partedAnswerID, local.bytes.equals("iq") else { return false }
    return attributes.find("id", atMost: partedAnswerID.utf8.count) == partedAnswerID
      && attributes.find("type", atMost: "result".utf8.count) == "result"
  }

  /// An element begins in such an answer. Says whether it is to be kept: all up to the first part, and what is in a part.
  mutating func isOfPart() -> Bool {
    if depth == 4, parted == nil, !isRefused { beginParts() }
    return isRefused || parted == nil || depth >= 4
  }

  /// The start tags so far are an item of their own, and each part is the root of its own tree.
  private mutating func beginParts() {
    parted = describedStanza(size: 0)
    while builder.depth > 0 { builder.closeElement() }
    finish(.answerBegins, size: lastEvent - boundary)
  }

  /// A part is whole.
  mutating func finishPart() {
    guard parted != nil, !isRefused, builder.nodeCount > 0 else { return }
    finish(.answerPart, size: lastEvent - boundary)
    if let context, context.nameCount > limits.hardNames { fail(.namesExhausted) }
  }
}
