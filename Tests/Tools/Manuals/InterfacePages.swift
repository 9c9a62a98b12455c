import TerminalUI

/// The terminal UI: docs/KEYS.md, confab-ui(1) and tui.conf(5), from its tables of actions, settings and colours.
enum InterfacePages {
  static let keysDocument = """
    <!-- Made from the tables in Sources/FrontEnds/TerminalUI by `make docs`. Do not edit: a test compares. -->
    # Keys of the terminal UI

    The ten of every day:

    \(everyDayTable)

    `confab help keys` prints the whole list, with the keys of your own `tui.conf`; F1 shows it within the UI, where a part of \
    a sentence finds a key. `C-x e` are two keys, one after the other. A letter with Alt that does nothing here is Esc \
    and that letter: terminals send both alike.

    \(keyTable)

    Any other letter goes to the input of the open conversation. In the list it looks for a conversation, and `/` begins \
    a command. Commands are those of the line protocol (`/help` lists them), and these:

    \(commandTable)

    A text that begins with `//` is sent with one slash. A `/` word that is no command is never sent.

    """

  private static var keyTable: String {
    Manuals.table(
      ["keys", "where", "action", "what it does"],
      ActionTable.rows.map { row in
        [keys(row), KeyList.place(row), "`\(row.action.rawValue)`", row.sentence]
      })
  }

  private static var everyDayTable: String {
    Manuals.table(
      ["keys", "what it does"], ActionTable.everyDay.compactMap { ActionTable[$0] }.map { [keys($0), $0.sentence] })
  }

  private static func keys(_ row: ActionRow) -> String { row.keys.map { "`\($0.text)`" }.joined(separator: ", ") }

  private static var commandTable: String {
    Manuals.table(["command", "what it does"], CommandList.rows.map { ["`/\($0.name)`", $0.sentence] })
  }

  // MARK: Manual pages

  static let program = ManPage(
    name: "confab-ui", section: 1, summary: "the terminal UI of Confab",
    markdown: """
      ## SYNOPSIS

      `confab` [`--socket` PATH] [`--account` NAME] [`--plain` | PERSON]

      ## DESCRIPTION

      `confab` without a command, on a terminal, becomes this program. It shows the conversations that `confabd` keeps, \
      sends messages, and leaves when you like: the daemon stays connected. Any number of them, and scripts, may be \
      attached at once, and agree on what is read, drafted and sent.

      The list of conversations comes first, or the conversation with PERSON, a name or an address. Enter opens one, and letters go to its input; Enter sends. F1 lists the \
      keys. Where the terminal has 100 columns, list and conversation stand side by side, and two \
      conversations where you open a second one with Alt-T; from 160 columns on the list stands beside them.

      A message counts as read, and its sender may be told so, only after it stood on the screen while you were there: \
      as the terminal reports it, else for a minute after a key press. In tmux, `set -g focus-events on` lets the \
      terminal report it.

      Files of messages are boxes: a file is fetched only when you choose it. Its box shows the progress or the error; \
      the same key tries again. Pictures that you sent are shown at once, as long as the daemon keeps them. If the \
      terminal can draw pictures, the sender's avatar stands beside the name; otherwise \
      initials do. Avatars of strangers are not fetched. “Get the avatar” is in the menu of a contact (F5, then Tab).

      `--plain` is the linear mode: lines in, lines out, nothing is painted over. It is for screen readers and braille, \
      and for terminals that can do nothing else. Each message is said with its number, which commands about a message \
      take: `/reply 3 yes`, `/react 3 👍`; `/help` lists them. Its standard input may be a file or a pipe: each line \
      waits until those before are done, and the end leaves.

      ## KEYS

      \(keyTable)

      ## COMMANDS

      Every command of `confab`(1) can be typed with a slash in front; the open conversation is taken where an address is \
      needed and none is given. Besides:

      \(commandTable)

      ## FILES

      `~/.config/confab/tui.conf`: settings, keys and colours, see `tui.conf`(5).

      ## ENVIRONMENT

      `TERM`, `COLORTERM`, `NO_COLOR`: what the terminal can do. `VISUAL`, `EDITOR`: the editor for long texts. \
      `CONFAB_SOCKET`: the daemon's socket.

      ## EXIT STATUS

      0: left, or the input of `--plain` ended. 64: an option is wrong. 65: standard input cannot be read. 71: there is no \
      terminal. 74: standard output cannot be written; a closed pipe is no such failure.

      ## SEE ALSO

      `confab`(1), `confabd`(8), `tui.conf`(5)

      """)

  static let settings = ManPage(
    name: "tui.conf", section: 5, summary: "settings of the terminal UI of Confab",
    markdown: """
      ## SYNOPSIS

      `$XDG_CONFIG_HOME/confab/tui.conf` (`~/.config/confab/tui.conf`)

      ## DESCRIPTION

      The file has sections in brackets, with one key and its value on each line, as `confab.conf`(5). The UI never \
      writes it. A wrong line is reported, and the others hold. `/settings` reads it again. `/theme dark` tries other \
      colours until then.

      ## [ui]

      \(Manuals.table(["setting", "values", "default", "meaning"], UISettingTable.rows.map { ["`\($0.name)`", $0.values, $0.defaultText, $0.meaning] }))

      ## [keys]

      The name of an action, and its keys in place of the usual ones, separated by commas: `Ctrl-E`, `Alt-A`, `F4`, \
      `Tab`, `Esc`, or two keys one after the other, `C-x e`. `confab-ui`(1) lists the actions.

      ## [colours]

      The name of a part, and its colour: `#a0c0ff`, a number of the terminal's palette, or `standard`. Two of them with \
      `on` between are letters and ground: `mine = #c0e0ff on #203040`.

      \(Manuals.table(["part", "meaning"], ColourPart.allCases.map { ["`\($0.rawValue)`", $0.summary] }))

      ## EXAMPLES

      ```
      [ui]
      enter = newline
      hold = 5s

      [keys]
      quit = Alt-Q

      [colours]
      mine = #c0e0ff
      ```

      ## SEE ALSO

      `confab-ui`(1), `confab`(1)

      """)
}
