import ConfabClient

/// The purpose of a text that is not a message of its own.
package enum WritingPurpose: Equatable, Sendable {
  /// It answers the message of this id; author and text of that one are shown.
  case reply(UInt64, author: String, text: String)
  /// It takes the place of a text of mine.
  case correction(UInt64, text: String)

  /// The id of the message that it is about.
  var messageID: UInt64 {
    switch self {
    case .reply(let id, _, _), .correction(let id, _): id
    }
  }

  /// Returns the purpose with the message's current text.
  func following(_ row: MessageRow) -> WritingPurpose {
    switch self {
    case .reply(let id, let author, _): .reply(id, author: author, text: row.preview)
    case .correction(let id, _): .correction(id, text: row.text)
    }
  }

  var isCorrection: Bool { if case .correction = self { true } else { false } }
}
