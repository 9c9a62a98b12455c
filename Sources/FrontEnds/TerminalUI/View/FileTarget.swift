import ConfabClient

/// A file of a message that something can be done with.
package struct FileTarget: Equatable, Sendable {
  let message: UInt64
  /// From 0.
  let index: Int
  let file: ShownAttachment
  let conversation: ConversationKey

  func wanted(_ use: WantedFile.Use) -> WantedFile {
    WantedFile(message: message, index: index, file: file, use: use)
  }

  func fetching(_ use: WantedFile.Use) -> Intent { .fetch(wanted(use), conversation) }
}

extension MessageRow {
  func files(in key: ConversationKey) -> [FileTarget] {
    guard details.retraction == nil else { return [] }
    return details.files.enumerated().map { index, file in
      FileTarget(message: id, index: index, file: file, conversation: key)
    }
  }
}
