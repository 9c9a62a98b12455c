package import MessageLog

/// Damage of the index, or of the checkpoint that names its pages: a state that needs them is not whole, and is made anew
/// from the log.
package struct IndexDamage: Error, Equatable, Sendable, CustomStringConvertible {
  /// The page or part, and its fault.
  package let description: String
}

extension State {
  /// The first damage that was met; nil: the state is whole.
  package var indexDamage: IndexDamage? { pages?.damage }

  /// Fails if pages were damaged: for programs that fill a state from the log, read it once, and end.
  package func checkPages() throws(RecoveryError) {
    if let indexDamage { throw .storage(StorageError(.unreadable, "\(indexDamage)")) }
  }

  /// Has damage reported as soon as it is met: what the state says from then on is not to be relied on.
  package func reportIndexDamage(to report: @escaping (IndexDamage) -> Void) { pages?.onDamage = report }

  /// An empty state that takes the place of this one, and is filled from the log.
  ///
  /// - Parameter withPages: entries may leave memory again.
  package func replacement(withPages: Bool) -> State {
    State(gap: gap, pages: withPages ? pages.map { IndexPages(like: $0) } : nil)
  }
}
