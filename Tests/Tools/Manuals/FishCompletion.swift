/// `completions/confab.fish`.
enum FishCompletion {
  static var text: String {
    ([front] + CompletionTable.global.map { option($0, condition: nil) } + CompletionTable.commands.flatMap(lines))
      .joined(separator: "\n") + "\n"
  }

  /// JIDs come from others; fish quotes what it inserts.
  private static var front: String {
    #"""
    # Completion of confab(1) for fish. Made from the table of verbs by `make docs`.

    # The words so far that are no options and no values of options; with an argument, the options about the daemon.
    function __confab_words
        set -l option
        for word in (commandline -opc)[2..]
            if test -n "$option"
                test -n "$argv[1]"; and contains -- $option --socket --account; and echo -- $option=$word
                set option
            else if contains -- $word \#(valued)
                set option $word
            else if string match -q -- '-*' $word
                test -n "$argv[1]"; and string match -r -- '^--(?:socket|account)=.+' $word
            else if test -z "$argv[1]"
                echo -- $word
            end
        end
        true
    end

    # The values of $argv[2] of the daemon's lines of the kind $argv[1], with the options of this command line.
    function __confab_ask
        set -l daemon (__confab_words daemon)
        command confab $daemon --json $argv[1] 2>/dev/null </dev/null \
            | string replace -rf '^\{"[a-z]*":\{"'$argv[2]'":"([^"]*)".*' '$1' | string replace -a '\\\\' '\\'
    end

    # The JIDs of contacts, and of the newest conversations.
    function __confab_jids
        begin
            __confab_ask roster jid
            __confab_ask conversations jid
        end | awk '!seen[$0]++'
    end

    # The words of a list with commas that are not in it yet, behind those that are.
    function __confab_list
        set -l value (commandline -ct | string replace -r '^--[^=]*=' '')
        set -l head (string replace -rf '^(.*,)[^,]*$' '$1' -- $value)
        set -l given (string split , -- $head)
        for word in $argv
            contains -- $word $given; or echo -- "$head$word"
        end
    end

    # Whether a command and this many arguments are there.
    function __confab_at
        set -l words (__confab_words)
        test (count $words) -eq (math $argv[2] + 1); and test "$words[1]" = $argv[1]
    end

    function __confab_has_no_command
        test (count (__confab_words)) -eq 0
    end

    function __confab_has_command
        set -l words (__confab_words)
        test (count $words) -gt 0; and test "$words[1]" = $argv[1]
    end

    complete -c confab -f
    """#
  }

  /// Every option that has a value; `--key VALUE` is as good as `--key=VALUE`.
  private static var valued: String {
    let options = CompletionTable.global + CompletionTable.commands.flatMap(\.options)
    return Set(options.filter { $0.values != nil }.map(\.name)).sorted().joined(separator: " ")
  }

  private static func lines(_ command: CompletionTable.Command) -> [String] {
    let name = "complete -c confab -n __confab_has_no_command -a \(command.name) -d '\(quoted(command.meaning))'"
    let options = command.options.map { option($0, condition: "__confab_has_command \(command.name)") }
    let arguments = command.arguments.enumerated().compactMap { index, source in
      let place = "complete -c confab -n '__confab_at \(command.name) \(index)'"
      return source == .files ? place + " -F" : values(source).map { place + " -a '\($0)'" }
    }
    return ["", name] + options + arguments
  }

  private static func option(_ option: CompletionTable.Option, condition: String?) -> String {
    let when = condition.map { " -n '\($0)'" } ?? ""
    let value =
      switch option.values {
      case nil: ""
      case .files: " -r -F"
      case .some(let source): " -x" + (values(source).map { " -a '\($0)'" } ?? "")
      }
    return "complete -c confab\(when) -l \(option.name.dropFirst(2))\(value) -d '\(quoted(option.meaning))'"
  }

  /// The candidates in fish's syntax.
  private static func values(_ source: CompletionTable.Source) -> String? {
    switch source {
    case .unknown, .files: nil
    case .words(let words): words.joined(separator: " ")
    case .list(let words): "(__confab_list \(words.joined(separator: " ")))"
    case .jids: "(__confab_jids)"
    case .accounts: "(__confab_ask status name)"
    }
  }

  private static func quoted(_ text: String) -> String {
    text.filter { $0 != "`" }.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
  }
}
