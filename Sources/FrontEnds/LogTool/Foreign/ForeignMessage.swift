import Records

/// A message in the history of another client.
struct ForeignMessage: Equatable {
  /// An earlier text of a corrected message.
  struct EarlierText: Equatable {
    /// Milliseconds since 1970.
    var time: Int64
    var text: String
  }

  /// The JID of the account that had it, with or without a resource; nil: the history does not say.
  var owner: String?
  /// A bare JID; an occupant's JID if `kind` is `occupant`.
  var conversation: String
  var kind = ConversationKind.person
  var isMine: Bool
  /// In rooms: the author's nick; nil of one of mine whose nick the history does not say.
  var nick: String?
  /// The device that sent it; nil: the history does not say.
  var resource: String?
  /// Milliseconds since 1970.
  var time: Int64
  var text: String
  var stanzaID: String?
  var archiveID: String?
  /// The texts before each correction, oldest first.
  var earlierTexts: [EarlierText] = []
  /// The time of the last correction, in milliseconds since 1970; nil: it was not corrected.
  var edited: Int64?
  /// Ids of the stanzas of the corrections.
  var editIDs: [String] = []
  var place: ForeignPlace
}

/// A place in a history: a line of a file, or a row of a database's table.
struct ForeignPlace: Equatable {
  var file: String
  /// From 1.
  var line: Int

  var text: String { line > 0 ? "\(file):\(line)" : file }
}

/// Why a history cannot be read at all: nothing of it is imported.
struct HistoryFailure: Error, Equatable {
  let file: String
  let reason: String
}
