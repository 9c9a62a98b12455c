# Completion of confab(1) for bash. Made from the table of verbs by `make docs`.

# The commands.
_confab_commands() { echo 'help ping version status send send-file fetch wait cancel release scheduled reschedule retract react forward versions typing conversations history sections search read unread-from unread draft notify pin archive forget-history watch ack cursors forget emoticons emoticon-used roster groups add remove accept deny join leave rooms room members topic invite kick ban affiliation role destroy configure voice register ignore ignored noise mention-words nick profile block unblock blocked report avatar avatar-set avatar-remove encrypt devices trust distrust fingerprint verify device-remove session-reset presence connect disconnect unpin reload doctor import log setup'; }

# The options of a command and of confab itself; `=` where a value follows.
_confab_options() {
  case $1 in
    help) echo '--format=' ;;
    status) echo '--for= --timeout=' ;;
    send) echo '--wait= --timeout= --key= --expires= --hold= --at= --emoticons= --unstyled --reply= --replace= --anyway --encrypt --jid' ;;
    send-file) echo '--as= --wait= --timeout= --key= --anyway --encrypt --text= --jid' ;;
    fetch) echo '--fetch= --output= --force' ;;
    wait) echo '--for= --timeout=' ;;
    scheduled) echo '--jid' ;;
    reschedule) echo '--at=' ;;
    forward) echo '--jid' ;;
    typing) echo '--jid' ;;
    conversations) echo '--group= --known --before= --limit= --jid' ;;
    history) echo '--limit= --before= --after= --around= --row= --since= --until-time= --ignored --gap= --ids --seconds --spoilers --jid' ;;
    sections) echo '--gap= --limit= --before= --jid' ;;
    search) echo '--in= --from= --since= --until-time= --limit= --before= --jid' ;;
    read) echo '--all --jid' ;;
    unread-from) echo '--jid' ;;
    unread) echo '--in= --jid' ;;
    draft) echo '--jid' ;;
    notify) echo '--until= --jid' ;;
    pin) echo '--jid' ;;
    archive) echo '--jid' ;;
    forget-history) echo '--jid' ;;
    watch) echo '--since= --log= --as= --in= --kinds= --reconnect --jid' ;;
    ack) echo '--as=' ;;
    forget) echo '--as=' ;;
    emoticons) echo '--pack= --match= --limit=' ;;
    add) echo '--name= --group= --jid' ;;
    remove) echo '--group= --jid' ;;
    accept) echo '--jid' ;;
    deny) echo '--jid' ;;
    join) echo '--nick= --password= --create --wait= --timeout= --jid' ;;
    leave) echo '--jid' ;;
    rooms) echo '--at= --before= --limit= --jid' ;;
    room) echo '--jid' ;;
    members) echo '--role= --affiliation= --match= --limit= --jid' ;;
    topic) echo '--jid' ;;
    invite) echo '--direct --jid' ;;
    kick) echo '--jid' ;;
    ban) echo '--jid' ;;
    affiliation) echo '--jid' ;;
    role) echo '--jid' ;;
    destroy) echo '--moved= --jid' ;;
    configure) echo '--jid' ;;
    voice) echo '--jid' ;;
    register) echo '--jid' ;;
    ignore) echo '--jid' ;;
    ignored) echo '--jid' ;;
    noise) echo '--jid' ;;
    mention-words) echo '--clear' ;;
    profile) echo '--jid' ;;
    block) echo '--jid' ;;
    unblock) echo '--jid' ;;
    report) echo '--reason= --jid' ;;
    avatar) echo '--fetch= --output= --force --jid' ;;
    encrypt) echo '--jid' ;;
    devices) echo '--refresh --jid' ;;
    trust) echo '--verified --jid' ;;
    distrust) echo '--jid' ;;
    session-reset) echo '--jid' ;;
    doctor) echo '--config=' ;;
    import) echo '--config= --data= --account= --jid= --zone= --nick= --check --read' ;;
    log) echo '--config= --data= --jsonl --text --in= --account= --jid= --read' ;;
    setup) echo '--config= --name= --replace --enable-service --no-service --server= --tls= --proxy= --ca-file= --resource= --plain= --archive-first-sync= --receipts= --markers= --idle-time= --in-doubt= --outbox-max-age= --encryption= --trust=' ;;
  esac
  echo '--socket= --account= --json --no-ui --plain --help --version'
}

# What the value of an option may be: words, or where they come from.
_confab_values() {
  case $1:$2 in
    *:--socket) echo ':files' ;;
    *:--account) echo ':accounts' ;;
    help:--format) echo 'text json' ;;
    status:--for) echo 'online' ;;
    send:--wait) echo 'sent delivered displayed' ;;
    send:--emoticons) echo 'expand' ;;
    send-file:--wait) echo 'sent delivered displayed' ;;
    send-file:--text) echo ':files' ;;
    fetch:--fetch) echo 'no' ;;
    fetch:--output) echo ':files' ;;
    wait:--for) echo 'sent delivered displayed' ;;
    conversations:--before) echo ':jids' ;;
    search:--in) echo ':jids' ;;
    search:--from) echo ':jids' ;;
    unread:--in) echo ':jids' ;;
    watch:--in) echo ':jids' ;;
    watch:--kinds) echo ':list message edit retract reaction state read draft conversation roster room invitation voice-request read-by emoticon-used device encryption decrypted connection presence member members typing transfer resection storage caught-up' ;;
    join:--wait) echo 'joined' ;;
    rooms:--at) echo ':jids' ;;
    rooms:--before) echo ':jids' ;;
    members:--role) echo 'moderator participant visitor' ;;
    members:--affiliation) echo 'owner admin member outcast' ;;
    destroy:--moved) echo ':jids' ;;
    report:--reason) echo 'spam abuse' ;;
    avatar:--fetch) echo 'no' ;;
    avatar:--output) echo ':files' ;;
    doctor:--config) echo ':files' ;;
    import:--config) echo ':files' ;;
    import:--data) echo ':files' ;;
    log:--config) echo ':files' ;;
    log:--data) echo ':files' ;;
    log:--in) echo ':jids' ;;
    setup:--config) echo ':files' ;;
    setup:--ca-file) echo ':files' ;;
  esac
}

# What an argument of a command may be, the first one being 0.
_confab_argument() {
  case $1:$2 in
    help:0) echo 'help ping version status send send-file fetch wait cancel release scheduled reschedule retract react forward versions typing conversations history sections search read unread-from unread draft notify pin archive forget-history watch ack cursors forget emoticons emoticon-used roster groups add remove accept deny join leave rooms room members topic invite kick ban affiliation role destroy configure voice register ignore ignored noise mention-words nick profile block unblock blocked report avatar avatar-set avatar-remove encrypt devices trust distrust fingerprint verify device-remove session-reset presence connect disconnect unpin reload doctor import log setup' ;;
    send:0) echo ':jids' ;;
    send-file:0) echo ':jids' ;;
    send-file:1) echo ':files' ;;
    scheduled:0) echo ':jids' ;;
    forward:1) echo ':jids' ;;
    typing:0) echo ':jids' ;;
    typing:1) echo 'composing paused active inactive gone' ;;
    history:0) echo ':jids' ;;
    sections:0) echo ':jids' ;;
    read:0) echo ':jids' ;;
    unread-from:0) echo ':jids' ;;
    draft:0) echo ':jids' ;;
    notify:0) echo ':jids' ;;
    notify:1) echo 'always mentions never' ;;
    pin:0) echo ':jids' ;;
    pin:1) echo 'yes no' ;;
    archive:0) echo ':jids' ;;
    archive:1) echo 'yes no' ;;
    forget-history:0) echo ':jids' ;;
    emoticons:0) echo 'recent' ;;
    add:0) echo ':jids' ;;
    remove:0) echo ':jids' ;;
    accept:0) echo ':jids' ;;
    deny:0) echo ':jids' ;;
    join:0) echo ':jids' ;;
    leave:0) echo ':jids' ;;
    room:0) echo ':jids' ;;
    members:0) echo ':jids' ;;
    topic:0) echo ':jids' ;;
    invite:0) echo ':jids' ;;
    invite:1) echo ':jids' ;;
    kick:0) echo ':jids' ;;
    ban:0) echo ':jids' ;;
    ban:1) echo ':jids' ;;
    affiliation:0) echo ':jids' ;;
    affiliation:1) echo ':jids' ;;
    affiliation:2) echo 'owner admin member none outcast' ;;
    role:0) echo ':jids' ;;
    role:2) echo 'moderator participant visitor none' ;;
    destroy:0) echo ':jids' ;;
    configure:0) echo ':jids' ;;
    voice:0) echo ':jids' ;;
    voice:2) echo 'yes no' ;;
    register:0) echo ':jids' ;;
    ignore:0) echo ':jids' ;;
    ignore:2) echo 'yes no' ;;
    ignored:0) echo ':jids' ;;
    noise:0) echo ':jids' ;;
    noise:1) echo 'never smart always' ;;
    profile:0) echo ':jids' ;;
    block:0) echo ':jids' ;;
    unblock:0) echo ':jids' ;;
    report:0) echo ':jids' ;;
    avatar:0) echo ':jids' ;;
    avatar-set:0) echo ':files' ;;
    encrypt:0) echo ':jids' ;;
    encrypt:1) echo 'auto always never' ;;
    devices:0) echo ':jids' ;;
    trust:0) echo ':jids' ;;
    distrust:0) echo ':jids' ;;
    session-reset:0) echo ':jids' ;;
    presence:0) echo 'available away xa dnd chat' ;;
    import:0) echo 'gajim dino profanity poezio mcabber pidgin psi weechat' ;;
    import:1) echo ':files' ;;
    log:0) echo 'verify dump export import scrub' ;;
    log:1) echo ':files' ;;
  esac
}

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
