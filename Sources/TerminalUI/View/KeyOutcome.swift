/// What a part of the screen makes of a key.
enum KeyOutcome: Equatable {
  /// It is done.
  case taken
  /// The part is closed by it.
  case closed
  /// It is done by what the intent says.
  case intent(Intent)
  /// It is the matter of what lies below.
  case passed
  /// The same, and the part is closed.
  case left
}
