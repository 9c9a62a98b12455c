/// The text of an empty list: the next step of a new user.
enum Welcome {
  static func lines(_ app: Application) -> [String] {
    switch app.model.link {
    case .lost:
      return [
        "There is no daemon. Socket, and configuration:",
        app.environment.socket, app.environment.configuration,
        "Enter shows the first steps: set up an account, start the daemon, find out what is wrong.",
        "In a shell: `confab setup`, then `systemctl --user start confabd`. This screen goes on by itself.",
      ]
    case .connecting: return ["Connecting to the daemon …"]
    case .connected: break
    }
    guard app.model.conversations.isLoaded else { return ["Loading …"] }
    if app.model.accounts.isEmpty {
      return [
        "No account is configured.",
        "Enter shows the first steps; in a shell, `confab setup` asks for address and password.",
      ]
    }
    guard app.model.conversations.archivedCount == 0 else {
      return [
        "All conversations are archived.",
        "\(app.appearance.keyName(.showArchive)) shows them; \(app.appearance.keyName(.switcher)) finds one, or writes to an address.",
      ]
    }
    return [
      "No conversation yet.",
      "\(app.appearance.keyName(.switcher)) writes to an address; \(app.appearance.keyName(.contacts)) shows your contacts and adds new ones.",
    ]
  }
}
