/// Damage of the index, or of the checkpoint that names its pages: a state that needs them is not whole, and is made
/// anew from the log.
package struct IndexDamage: Error, Equatable, Sendable, CustomStringConvertible {
  /// The page or part, and its fault.
  package let description: String
}
