/// The lines between a request with `until=` and the line that ends its text; kept within the limit of a text.
struct RequestBlock: Sendable {
  /// The request that the block belongs to.
  enum Origin: Sendable {
    /// A request line, to be parsed when its text is whole.
    case line([UInt8])
    /// A line that is wrong already; its block is consumed all the same.
    case failure(RequestFailure)
  }

  let origin: Origin
  /// The request's tag, for a block that never ends.
  let tag: RequestTag?
  private let terminator: LeadingWords.Terminator
  private let dropsReturns: Bool
  private var text: [UInt8] = []
  private var hasLines = false
  private var isTooLarge = false

  /// - Parameter dropsReturns: the request line ended in CR LF, so a CR before an LF is no part of the text.
  init(origin: Origin, tag: RequestTag?, terminator: LeadingWords.Terminator, dropsReturns: Bool) {
    (self.dropsReturns, self.origin, self.tag, self.terminator) = (dropsReturns, origin, tag, terminator)
  }

  /// Bytes of the text so far.
  var heldBytes: Int { text.count }

  /// Takes one line, without its LF; true if it ends the block, with or without a CR.
  mutating func take(_ whole: ArraySlice<UInt8>) -> Bool {
    let bare = whole.last == 0x0D ? whole.dropLast() : whole
    if case .line(let end) = terminator, bare.elementsEqual(end) { return true }
    let line = dropsReturns ? bare : whole
    guard !isTooLarge else { return false }
    if hasLines { text.append(0x0A) }
    hasLines = true
    guard text.count + line.count <= Limits.text else {
      takeOverlong()
      return false
    }
    text.append(contentsOf: line)
    return false
  }

  /// Takes note of a line longer than any text may be.
  mutating func takeOverlong() {
    isTooLarge = true
    text = []
  }

  /// The whole text.
  func finished() throws(RequestFailure) -> String {
    guard !isTooLarge else {
      throw RequestFailure(.tooLarge, "the text is longer than \(Limits.text) bytes", argument: "text")
    }
    guard let string = String(validating: text, as: UTF8.self) else {
      throw RequestFailure(.badEncoding, "the text is not UTF-8", argument: "text")
    }
    return string
  }
}
