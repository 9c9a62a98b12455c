/// Result of a key in a part of the screen.
enum KeyOutcome: Equatable {
  /// Handled.
  case taken
  /// Handled; the part closes.
  case closed
  /// Handled by what the intent says.
  case intent(Intent)
  /// Left to the parts below.
  case passed
  /// Likewise; the part closes.
  case left
}
