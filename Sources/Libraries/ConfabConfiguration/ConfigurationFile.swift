/// The location of the configuration.
package enum ConfigurationFile {
  /// The administrator's, used if there is no other.
  package static let system = "/etc/confab/confab.conf"

  /// The file of `--config`; else the user's, if there is one; else the administrator's.
  ///
  /// The user's is `$XDG_CONFIG_HOME/confab/confab.conf`; as the XDG base directory specification says, a variable
  /// that is unset, empty or relative stands for `~/.config`.
  package static func path(option: String?, environment: [String: String], files: any SettingsFiles) -> String {
    if let option { return option }
    guard let user = userPath(environment), files.exists(user) else { return system }
    return user
  }

  /// The user's own, be it there or not; nil if there is no home.
  package static func userPath(_ environment: [String: String]) -> String? {
    if let base = environment["XDG_CONFIG_HOME"], base.utf8.first == UInt8(ascii: "/") {
      return base + "/confab/confab.conf"
    }
    guard let home = environment["HOME"], home.utf8.first == UInt8(ascii: "/") else { return nil }
    return home + "/.config/confab/confab.conf"
  }
}
