import TestSupport
import Testing

/// The completions in real shells at a terminal: keys in, and the words out with which the shell runs `confab`.
@Suite("Completions")
struct CompletionTests {
  static let shells = ["bash", "zsh", "fish"]

  /// Stands for `confab`: answers for the daemon, and notes with what else it is run.
  private static let stub = #"""
    #!/bin/sh
    case " $* " in
      *" --json roster "*)
        printf '%s\n' '{"contact":{"jid":"bob@example.org","name":"\"jid\":\"x\""}}' \
          '{"contact":{"jid":"eve$(touch${IFS}hacked)`touch${IFS}hacked`@example.org"}}' \
          '{"contact":{"jid":"carol'"'"'s@example.org"}}' '{"contact":{"jid":"d\\20e@example.org"}}' '{"ok":true}' ;;
      *" --json conversations "*)
        printf '%s\n' '{"conversation":{"jid":"bob@example.org","account":"x"}}' \
          '{"conversation":{"jid":"stranger@example.net"}}' '{"ok":true,"more_before":true}' ;;
      *" --account=work --json status "*) echo '{"account":{"name":"elsewhere"}}' ;;
      *" --json status "*) printf '%s\n' '{"account":{"name":"home","jid":"alice@example.org"}}' '{"ok":true}' ;;
      *) for word in "$@"; do printf '<%s>' "$word"; done >"$HOME/ran" ;;
    esac
    """#

  private static let bash = "PS1='ready> '\nsource '\(Products.repository)/completions/confab.bash'\n"
  private static let zsh =
    "PS1='ready> '\nfpath=('\(Products.repository)/completions' $fpath)\nautoload -Uz compinit\ncompinit -u\n"
  private static let fish = """
    function fish_prompt; echo -n 'ready> '; end
    function fish_greeting; end
    source '\(Products.repository)/completions/confab.fish'

    """

  /// What `confab` was run with, once these keys were typed.
  private func words(_ keys: String, in shell: String) throws -> String? {
    let folder = try TemporaryFolder("completion")
    let home = try folder.makeFolder("home")
    _ = try folder.makeFolder("home/fish")
    _ = try folder.makeFolder("bin")
    _ = try folder.makeFolder("home/sub")
    try folder.write("home/sub/inner", "")
    try folder.write("home/one two.jsonl", "")
    try folder.write("bin/confab", Self.stub, mode: 0o755)
    for (name, text) in [("rc", Self.bash), (".zshrc", Self.zsh), ("fish/config.fish", Self.fish)] {
      try folder.write("home/" + name, text)
    }
    let done = try Program.run(
      ["python3", "-B", Products.support("shell_session.py"), shell, home, folder.file("bin"), keys])
    #expect(!TestFiles.exists(home + "/hacked"))
    let words = TestFiles.text(home + "/ran")
    if words == nil { Issue.record("\(shell): \(done.text)\(done.errorText)") }
    return words
  }

  @Test("commands, options and their values", arguments: shells)
  func words(shell: String) throws {
    #expect(try words(#"confab presence aw\t\r"#, in: shell) == "<presence><away>")
    #expect(try words(#"confab he\t sen\t\r"#, in: shell) == "<help><send>")
    #expect(try words(#"confab send --wait=se\t x@y z\r"#, in: shell) == "<send><--wait=sent><x@y><z>")
    #expect(try words(#"confab wait --for disp\t 17\r"#, in: shell) == "<wait><--for><displayed><17>")
    #expect(try words(#"confab log exp\t --te\t\r"#, in: shell) == "<log><export><--text>")
  }

  @Test("lists with commas, options without a value, and all commands after help are completed", arguments: shells)
  func lists(shell: String) throws {
    // fish appends a space to a completed word.
    let first = shell == "fish" ? "message" : #"mess\t"#
    #expect(try words("confab watch --kinds=\(first),sta\\t\\r", in: shell) == "<watch><--kinds=message,state>")
    #expect(try words("confab watch --kinds \(first),sta\\t\\r", in: shell) == "<watch><--kinds><message,state>")
    #expect(try words(#"confab watch --kinds=mess\t\r"#, in: shell) == "<watch><--kinds=message>")
    #expect(try words(#"confab read --al\t\r"#, in: shell) == "<read><--all>")
    #expect(try words(#"confab history x@y --sec\t --id\t\r"#, in: shell) == "<history><x@y><--seconds><--ids>")
    #expect(try words(#"confab help doc\t\r"#, in: shell) == "<help><doctor>")
    #expect(try words(#"confab help histo\t\r"#, in: shell) == "<help><history>")
    #expect(try words(#"confab unw\t\r"#, in: shell) == "<unw>")
  }

  @Test("files are completed, even if their names have spaces", arguments: shells)
  func files(shell: String) throws {
    let file = "<one two.jsonl>"
    #expect(try words(#"confab log import --jsonl on\t\r"#, in: shell) == "<log><import><--jsonl>" + file)
    #expect(try words(#"confab doctor --config on\t\r"#, in: shell) == "<doctor><--config>" + file)
    #expect(try words(#"confab doctor --config=on\t\r"#, in: shell) == "<doctor><--config=one two.jsonl>")
    #expect(try words(#"confab --socket=sub\tin\t ping\r"#, in: shell) == "<--socket=sub/inner><ping>")
  }

  @Test("accounts and contacts, of whom the daemon is asked", arguments: shells)
  func asked(shell: String) throws {
    #expect(
      try words(#"confab --json --account=h\t hist\t bo\t\r"#, in: shell)
        == "<--json><--account=home><history><bob@example.org>")
    #expect(try words(#"confab send bob@\t hello\r"#, in: shell) == "<send><bob@example.org><hello>")
    #expect(try words(#"confab unread --in=bob@ex\t\r"#, in: shell) == "<unread><--in=bob@example.org>")
    #expect(try words(#"confab history str\t\r"#, in: shell) == "<history><stranger@example.net>")
    #expect(
      try words(#"confab --account=work --account el\t status\r"#, in: shell)
        == "<--account=work><--account><elsewhere><status>")
  }

  @Test("a contact's address is one word, whatever is in it, and is never run", arguments: shells)
  func hostile(shell: String) throws {
    #expect(
      try words(#"confab history ev\t\r"#, in: shell)
        == "<history><eve$(touch${IFS}hacked)`touch${IFS}hacked`@example.org>")
    #expect(try words(#"confab history car\t\r"#, in: shell) == "<history><carol's@example.org>")
    #expect(try words(#"confab history d\t\r"#, in: shell) == #"<history><d\20e@example.org>"#)
  }
}
