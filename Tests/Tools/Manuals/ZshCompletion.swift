/// `completions/_confab`.
enum ZshCompletion {
  static var text: String { front + ShellTable.functions + back }

  private static let front = """
    #compdef confab
    # Completion of confab(1) for zsh. Made from the table of verbs by `make docs`.

    """

  private static let back = #"""

    # Prints the values of `$2` of the daemon's lines of the kind `$1`, with the options of this command line.
    _confab_ask() {
      command confab "${_confab_daemon[@]}" --json "$1" 2>/dev/null </dev/null |
        sed -n 's/^{"[a-z]*":{"'"$2"'":"\([^"]*\)".*/\1/p' | sed 's/\\\\/\\/g'
    }

    # Offers what `$1` says.
    _confab_offer() {
      local -a candidates plain
      case $1 in
        :files) _files; return ;;
        :jids) candidates=(${(fu)"$(_confab_ask roster jid; _confab_ask conversations jid)"}) ;;
        :accounts) candidates=("${(@f)$(_confab_ask status name)}") ;;
        :list*) _values -s , value ${=1#:list }; return ;;
        *) candidates=(${=1}) ;;
      esac
      plain=(${candidates:#*=})
      compadd -a plain
      candidates=(${(M)candidates:#*=})
      compadd -S '' -a candidates
    }

    _confab() {
      local word verb= pending= count=0
      local -a _confab_daemon
      for word in "${(@)words[2,CURRENT-1]}"; do
        word=${(Q)word}
        if [[ -n $pending ]]; then
          [[ $pending == --socket || $pending == --account ]] && _confab_daemon+=("$pending=$word")
          pending=
        elif [[ $word == --socket=* || $word == --account=* ]]; then
          _confab_daemon+=("$word")
        elif [[ $word == --*=* ]]; then
          :
        elif [[ $word == --* ]]; then
          [[ " ${$(_confab_options "$verb")//$'\n'/ } " == *" $word= "* ]] && pending=$word
        elif [[ -z $verb ]]; then
          verb=$word
        else
          (( ++count ))
        fi
      done
      if [[ -n $pending ]]; then
        _confab_offer "$(_confab_values "$verb" "$pending")"
      elif compset -P 1 '--*='; then
        _confab_offer "$(_confab_values "$verb" "${IPREFIX%=}")"
      elif [[ $PREFIX == -* ]]; then
        _confab_offer "$(_confab_options "$verb")"
      elif [[ -z $verb ]]; then
        _confab_offer "$(_confab_commands)"
      else
        _confab_offer "$(_confab_argument "$verb" "$count")"
      fi
    }

    _confab "$@"

    """#
}
