/// What a text is written for, if it is no message of its own.
package enum WritingPurpose: Equatable, Sendable {
  /// It answers the message of this id; author and text of that one are shown.
  case reply(UInt64, author: String, text: String)
  /// It takes the place of a text of mine.
  case correction(UInt64, text: String)

  var isCorrection: Bool { if case .correction = self { true } else { false } }
}
