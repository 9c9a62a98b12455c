/// The keys as a list for people: `confab help keys`, and the documents.
package enum KeyList {
  private static let keyColumns = 30

  /// A line an action: its keys, then the sentence.
  package static func lines(_ map: KeyMap) -> [String] {
    ActionTable.rows.map { row in
      let keys = map.keys(of: row.action).map(\.text).joined(separator: ", ")
      let gap = String(repeating: " ", count: max(2, keyColumns - keys.count))
      return keys + gap + row.sentence
    }
  }

  /// The contexts in which the keys of a row count, for people.
  package static func place(_ row: ActionRow) -> String {
    switch (row.contexts.contains(.list), row.contexts.contains(.conversation), row.contexts.contains(.popup)) {
    case (true, true, true): "everywhere"
    case (true, true, false): "list, conversation"
    case (true, false, true): "lists"
    case (true, false, false): "list"
    case (false, true, true): "input"
    case (false, true, false): "conversation"
    default: "pop-ups"
    }
  }
}
