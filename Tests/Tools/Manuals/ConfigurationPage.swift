import ConfabConfiguration
/// confab.conf(5): every key of the configuration.
enum ConfigurationPage {
  static var page: ManPage {
    ManPage(
      name: "confab.conf", section: 5, summary: "the configuration of confabd",
      markdown: [front, sections, example, back].joined(separator: "\n\n"))
  }

  private static let front = """
    ## SYNOPSIS

    `$XDG_CONFIG_HOME/confab/confab.conf` (`~/.config/confab/confab.conf`), else `/etc/confab/confab.conf`

    ## DESCRIPTION

    The file has sections in brackets, with one key and its value on each line. A line that starts with `;` or `#` \
    is a comment. A value is the rest of its line, without the spaces around it; there are no quotes.

    In a value that names a file, `${NAME}` is replaced by the environment variable, which must be set, and a \
    leading `~/` by the home directory. Paths are absolute.

    An error names file, line, key and what was expected, and a file with an error has no effect. `confabd --check` \
    reports errors without starting. `confab reload` or SIGHUP reads the file again.

    `account=` and the journal use the name of an account's section. If a section is renamed and keeps its JID, the \
    account keeps its history and state; with another JID it is another account.

    Only its owner may be able to read a file with a password (mode 600).

    Only root and the daemon's user may be able to change the file, a directory on its path or a symbolic link to \
    it, because the daemon runs the commands in it. A user's own group counts as the user.
    """

  private static var sections: String {
    let parts = SettingSection.allCases.map { section in
      let keys = SettingTable.keys.filter { $0.section == section }
      return "## \(section.heading)\n\n"
        + Manuals.table(["key", "value", "default", "meaning"], keys.map(cells))
    }
    return parts.joined(separator: "\n\n")
  }

  private static func cells(_ key: SettingKey) -> [String] {
    let more = key.isRepeatable ? " May be repeated." : ""
    return ["`\(key.name)`", key.expected, key.defaultText ?? "", key.help + more]
  }

  private static let example = """
    ## EXAMPLES

    ```
    [account home]
    jid = alice@example.org
    password-file = ~/.config/confab/password
    ```

    As a service of the system, with the password in `/etc/confab/credentials/home`:

    ```
    [account home]
    jid = alice@example.org
    password-file = ${CREDENTIALS_DIRECTORY}/password_home
    ```
    """

  private static let back = """
    ## SEE ALSO

    `confabd`(8), `confab`(1)

    """
}
