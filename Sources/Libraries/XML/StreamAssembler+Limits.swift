/// The limits of one stanza: one that exceeds them is skipped, and some excesses end the stream (`StreamLimits`).
extension StreamAssembler {
  static let sizeReason = "more bytes than a stanza may have"

  @inline(__always)
  var isWithinSize: Bool { lastEvent - boundary <= sizeLimit }

  /// The size limit of the present stanza, in bytes.
  @inline(__always)
  var sizeLimit: Int { isParted ? limits.partedBytes : limits.stanzaBytes }

  /// A quick look that is right for nearly every element. An element for which this is false may still be within the
  /// limits.
  @inline(__always)
  func isSurelyWithinLimits(_ attributes: AttributeList) -> Bool {
    !isRefused && !isTagSpoiled && !isStanzaSpoiled && isWithinSize
      && builder.nodeCount + attributes.count < safeNodes
  }

  /// True if the beginning element is within the limits and belongs to no refused stanza. An element over a limit has
  /// its stanza refused.
  @inline(never)
  mutating func isTaken(
    _ local: DictionaryString, _ namespace: DictionaryString, _ attributes: AttributeList
  ) -> Bool {
    if isTagSpoiled { (isTagSpoiled, isStanzaSpoiled) = (false, true) }
    if !isRefused, let reason = excess(of: attributes) { refuse(reason, local, namespace, attributes) }
    if isRefused { checkHardLimits() }
    return !isRefused
  }

  /// The limit that the element that begins goes over, in words.
  ///
  /// (`mutating`, or the compiler makes a copy of all this for each call.)
  private mutating func excess(of attributes: AttributeList) -> String? {
    if isStanzaSpoiled { return "a wrong declaration of a namespace" }
    if !isWithinSize { return Self.sizeReason }
    if attributes.count > limits.attributes { return "more attributes than an element may have" }
    if builder.depth >= limits.depth { return "more nested elements than a stanza may have" }
    if builder.childCount >= limits.children { return "more children than an element may have" }
    if builder.hasMoreNames(than: limits.stanzaNames) { return "more distinct names than a stanza may have" }
    return nil
  }

  /// From here on the present stanza is only skipped.
  private mutating func refuse(
    _ reason: String, _ local: DictionaryString, _ namespace: DictionaryString, _ attributes: AttributeList
  ) {
    guard builder.depth == 0, parted == nil else { return refuseOpenStanza(reason) }
    let limit = Self.longestKept
    isRefused = true
    refusal = RefusedStanza(
      name: local.bytes.string(atMost: limit) ?? "", namespace: namespace.bytes.string(atMost: limit) ?? "",
      from: attributes.find("from", atMost: limit), id: attributes.find("id", atMost: limit),
      type: attributes.find("type", atMost: limit), bytes: 0, reason: reason)
  }

  /// Drops what is held of the present stanza but for its start tag's own data.
  mutating func refuseOpenStanza(_ reason: String) {
    var refused = describedStanza(size: 0, parted)
    refused.reason = reason
    refusal = refused
    isRefused = true
    builder.dropStanza()
  }

  /// - Parameter begun: the start tag of a stanza that is delivered in parts.
  func describedStanza(size: Int, _ begun: RefusedStanza? = nil) -> RefusedStanza {
    if var begun {
      begun.bytes = size
      return begun
    }
    let start = Element(tree: builder.startTag(), place: 0, wireBytes: 0)
    func kept(_ value: String?) -> String? { value.flatMap { $0.utf8.count <= Self.longestKept ? $0 : nil } }
    return RefusedStanza(
      name: kept(start.local) ?? "", namespace: kept(start.namespace) ?? "", from: kept(start.attribute("from")),
      id: kept(start.attribute("id")), type: kept(start.attribute("type")), bytes: size, reason: Self.sizeReason)
  }

  /// The memory that grows inside the library while a stanza is skipped.
  private mutating func checkHardLimits() {
    guard let context else { return }
    if depth > limits.hardDepth { return fail(.tooLarge("nested elements")) }
    if context.namespaceCount > limits.hardDepth { return fail(.tooLarge("namespace declarations")) }
    if context.nameCount > limits.hardNames { fail(.namesExhausted) }
  }
}
