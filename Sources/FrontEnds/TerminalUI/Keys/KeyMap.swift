package import Screen

/// The action that a key does, by context; a key may be the first of two.
package struct KeyMap: Sendable {
  /// The result of a key press.
  package enum Match: Equatable, Sendable {
    case action(UserAction)
    /// The first of two: the pop-up for half a key shows what may follow.
    case prefix
    case none
  }

  private var actions: [KeyContext: [KeySequence: UserAction]] = [:]
  private var prefixes: [KeyContext: Set<KeySequence>] = [:]
  /// The keys of each action, in the order in which help names them.
  private var sequences: [UserAction: [KeySequence]] = [:]
  /// The first key of each action that has any, for people.
  package private(set) var names: [UserAction: String] = [:]

  /// The keys of the table, but for the actions that have others.
  package init(_ own: [UserAction: [KeySequence]] = [:]) {
    for row in ActionTable.rows where own[row.action] == nil { bind(row.action, row.keys, row.contexts) }
    // Later, so that they win where the table has the same key.
    for (action, keys) in own { bind(action, keys, ActionTable[action]?.contexts ?? []) }
    listSequences()
  }

  private mutating func listSequences() {
    let bound = actions.mapValues { bindings in
      bindings.reduce(into: [UserAction: [KeySequence]]()) { $0[$1.value, default: []].append($1.key) }
    }
    for row in ActionTable.rows {
      let keys = bound[row.contexts.first ?? .list]?[row.action] ?? []
      let usual = row.keys.filter(keys.contains)
      let all = usual + keys.filter { !usual.contains($0) }.sorted { $0.text < $1.text }
      sequences[row.action] = all
      if let first = all.first { names[row.action] = first.text }
    }
  }

  private mutating func bind(_ action: UserAction, _ keys: [KeySequence], _ contexts: Set<KeyContext>) {
    for context in contexts {
      for sequence in keys {
        actions[context, default: [:]][sequence] = action
        if sequence.keys.count > 1 {
          prefixes[context, default: []].insert(KeySequence(Array(sequence.keys.dropLast())))
        }
      }
    }
  }

  package func match(_ keys: [Key], in context: KeyContext) -> Match {
    let sequence = KeySequence(keys)
    if let action = actions[context]?[sequence] { return .action(action) }
    return prefixes[context]?.contains(sequence) == true ? .prefix : .none
  }

  /// The keys of an action, as they are now; for hints and help.
  package func keys(of action: UserAction) -> [KeySequence] { sequences[action] ?? [] }

  /// Returns the sequences that continue a prefix, with their actions.
  package func continuations(of keys: [Key], in context: KeyContext) -> [(KeySequence, UserAction)] {
    (actions[context] ?? [:]).filter { $0.key.keys.count > keys.count && $0.key.keys.starts(with: keys) }
      .map { ($0.key, $0.value) }.sorted { $0.0.text < $1.0.text }
  }
}
