/// What is said of an account's archive.
extension Account {
  /// Adds to the reason for which it is online what a longer fetching is at, as soon as that changes.
  func tellOfArchive(_ session: Session) {
    guard status.state == .online, session.archive.words != session.archive.told else { return }
    session.archive.told = session.archive.words
    report(.online, session.signedIn + (session.archive.words.map { "; \($0)" } ?? ""))
  }
}
