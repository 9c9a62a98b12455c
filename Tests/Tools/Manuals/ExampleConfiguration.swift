import ConfabConfiguration
/// `config/confab.conf.example`: every key with its default, all of it commented out but one account's needs.
enum ExampleConfiguration {
  static var text: String {
    let sections = SettingSection.allCases.map(section)
    return ([front] + sections).joined(separator: "\n\n") + "\n"
  }

  private static let front = """
    ; Configuration of confabd: see confab.conf(5), and check it with `confabd --check`.
    ; Made from the table of keys by `make docs`.
    ;
    ; Copy it to ~/.config/confab/confab.conf, or /etc/confab/confab.conf for the system's service.
    """

  private static func section(_ section: SettingSection) -> String {
    let keys = SettingTable.keys.filter { $0.section == section }
    let isNeeded = section == .account
    let heading = section.heading.replacing("NAME", with: names[section] ?? "")
    return ([isNeeded || section == .daemon ? heading : "; " + heading] + keys.map(lines)).joined(separator: "\n\n")
  }

  /// The help, the form of the value, and the key: commented out unless an account needs it.
  private static func lines(_ key: SettingKey) -> String {
    let what = key.isRepeatable ? "Value: \(key.expected); may be repeated." : "Value: \(key.expected)."
    let missing = key.defaultText.map { " Default: \($0)." } ?? ""
    let value = needed[key.name].flatMap { key.section == .account ? $0 : nil }
    return "; \(key.help)\n; \(what)\(missing)\n" + (value.map { "\(key.name) = \($0)" } ?? "; \(key.name) =")
  }

  private static let names: [SettingSection: String] = [.account: "home", .socket: "alerts", .hook: "desktop"]

  private static let needed = ["jid": "alice@example.org", "password-file": "~/.config/confab/password"]
}
