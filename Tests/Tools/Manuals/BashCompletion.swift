/// `completions/confab.bash`.
enum BashCompletion {
  static var text: String { front + ShellTable.functions + back }

  private static let front = """
    # Completion of confab(1) for bash. Made from the table of verbs by `make docs`.

    """

  /// JIDs come from others: the shell never expands them, and quotes each if needed.
  private static let back = #"""

    # Prints the values of `$2` of the daemon's lines of the kind `$1`, with the options of this command line.
    _confab_ask() {
      command confab "${_confab_daemon[@]}" --json "$1" 2>/dev/null </dev/null |
        sed -n 's/^{"[a-z]*":{"'"$2"'":"\([^"]*\)".*/\1/p' | sed 's/\\\\/\\/g'
    }

    # Prints the JIDs of contacts, and of the newest conversations.
    _confab_jids() {
      { _confab_ask roster jid; _confab_ask conversations jid; } | awk '!seen[$0]++'
    }

    # Adds the candidates that begin with `$2` to the reply, each behind `$1`; `$3` says which they are.
    _confab_add() {
      local candidate
      case $3 in
        :files) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$2"); return ;;
        :jids) mapfile -t candidates < <(_confab_jids) ;;
        :accounts) mapfile -t candidates < <(_confab_ask status name) ;;
        :list*) _confab_list "$1" "$2" "${3#:list }"; return ;;
        *) read -ra candidates <<<"$3" ;;
      esac
      for candidate in "${candidates[@]}"; do
        [[ $candidate == "$2"* ]] || continue
        [[ $candidate == *= ]] && compopt -o nospace
        printf -v candidate %q "$candidate"
        COMPREPLY+=("$1$candidate")
      done
    }

    # The same for a list with commas: what stands before the last comma stays, and each word is offered once.
    _confab_list() {
      local word head=
      [[ $2 == *,* ]] && head=${2%,*},
      for word in $3; do
        [[ $word == "${2##*,}"* && ,$head != *",$word,"* ]] && COMPREPLY+=("$1$head$word")
      done
      compopt -o nospace
    }

    # Drops what stands before the last character at which readline breaks words: it is on the line already.
    _confab_trim() {
      local break head=
      for break in @ : =; do
        [[ $COMP_WORDBREAKS == *"$break"* && $1 == *"$break"* ]] || continue
        local part=${1%"${1##*"$break"}"}
        # Readline takes an @ as the beginning of the name of a host.
        [[ $break == @ ]] && part=${part%@}
        (( ${#part} > ${#head} )) && head=$part
      done
      COMPREPLY=("${COMPREPLY[@]#"$head"}")
    }

    _confab() {
      local line=${COMP_LINE:0:COMP_POINT} words word cur options verb= pending= count=0
      local -a candidates _confab_daemon=()
      COMPREPLY=()
      read -ra words <<<"$line"
      cur=
      if [[ $line != *[[:space:]] ]]; then cur=${words[-1]}; unset 'words[-1]'; fi
      for word in "${words[@]:1}"; do
        if [[ -n $pending ]]; then
          [[ $pending == --socket || $pending == --account ]] && _confab_daemon+=("$pending=$word")
          pending=
        elif [[ $word == --socket=* || $word == --account=* ]]; then
          _confab_daemon+=("$word")
        elif [[ $word == --*=* ]]; then
          :
        elif [[ $word == --* ]]; then
          options=" $(_confab_options "$verb") "
          [[ ${options//$'\n'/ } == *" $word= "* ]] && pending=$word
        elif [[ -z $verb ]]; then
          verb=$word
        else
          (( ++count ))
        fi
      done
      if [[ -n $pending ]]; then
        _confab_add "" "$cur" "$(_confab_values "$verb" "$pending")"
      elif [[ $cur == --*=* ]]; then
        _confab_add "${cur%%=*}=" "${cur#*=}" "$(_confab_values "$verb" "${cur%%=*}")"
      elif [[ $cur == -* ]]; then
        _confab_add "" "$cur" "$(_confab_options "$verb")"
      elif [[ -z $verb ]]; then
        _confab_add "" "$cur" "$(_confab_commands)"
      else
        _confab_add "" "$cur" "$(_confab_argument "$verb" "$count")"
      fi
      _confab_trim "$cur"
    }

    complete -F _confab confab

    """#
}
