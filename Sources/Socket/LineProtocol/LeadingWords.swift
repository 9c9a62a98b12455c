/// Finds `until=` and `tag=` in a request line whatever else is wrong with it: in the leading run of words of the form
/// `[a-z_]+=...` after the first word, fed in any pieces, in bounded memory.
///
/// The first of each counts; `until=` with a time does not, if it is an option of the verb itself (`notify`). Empty words
/// (spaces in front, two spaces where one should be) are wrong but do not end the run: what follows such a line is still
/// meant as text. The bytes are not yet known to be UTF-8.
struct LeadingWords: Sendable {
  /// The value of `until=`, which may be empty.
  private(set) var until: Terminator?
  /// The bytes of `tag=`; nil also where it is over the limit.
  private(set) var tag: [UInt8]?

  /// A line that ends a block of text.
  enum Terminator: Equatable, Sendable {
    case line([UInt8])
    /// Longer than a line may be: no line ends the block, only the end of input does.
    case never
  }

  private enum Option {
    case until, tag
  }

  private enum State {
    case space, verb, name, value, done
  }
  private var state = State.space
  private var verb: [UInt8] = []
  private var word: [UInt8] = []
  /// The option whose value `word` is becoming; nil for one that is none of ours.
  private var option: Option?
  private var isOverlong = false

  /// No name that matters is longer.
  private static let longestName = 8
  private static let longestVerb = 16

  /// - Parameter first: the line's first byte; a JSON line has no leading words.
  init(ofLineStartingWith first: UInt8?) {
    if first == UInt8(ascii: "{") { state = .done }
  }

  /// Takes the next bytes of the line, without its LF.
  mutating func feed(_ bytes: ArraySlice<UInt8>) {
    for byte in bytes {
      switch state {
      case .space where byte == 0x20: break
      case .verb where byte == 0x20: state = .name
      case .space, .verb:
        state = .verb
        if verb.count <= Self.longestVerb { verb.append(byte) }
      case .name: takeName(byte)
      case .value: takeValue(byte)
      case .done: return
      }
    }
  }

  /// The line ended here with LF: its last word is whole, less a CR. Not called for a line that was cut off.
  mutating func endLine() {
    if word.last == 0x0D { word.removeLast() }
    if state == .value { commit() }
    state = .done
  }

  private mutating func takeName(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"):
      if word.count <= Self.longestName { word.append(byte) }
    case UInt8(ascii: "=") where !word.isEmpty:
      option = word.elementsEqual("until".utf8) ? .until : word.elementsEqual("tag".utf8) ? .tag : nil
      (word, isOverlong, state) = ([], false, .value)
    case 0x20 where word.isEmpty: break
    default: state = .done
    }
  }

  private mutating func takeValue(_ byte: UInt8) {
    guard byte != 0x20 else {
      commit()
      state = .name
      return
    }
    guard option != nil else { return }
    if word.count < Limits.line { word.append(byte) } else { isOverlong = true }
  }

  /// The value is one of the verb's own option.
  private var takesUntil: Bool {
    Verb(rawValue: String(decoding: verb, as: UTF8.self)).map { VerbTable[$0].takesUntil(word) } ?? false
  }

  private mutating func commit() {
    switch option {
    case .until: if !takesUntil { until = until ?? (isOverlong ? .never : .line(word)) }
    case .tag: tag = tag ?? (word.count <= Limits.tag ? word : nil)
    case nil: break
    }
    word = []
  }
}
