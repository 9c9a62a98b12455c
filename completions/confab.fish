# Completion of confab(1) for fish. Made from the table of verbs by `make docs`.

# The words so far that are no options and no values of options; with an argument, the options about the daemon.
function __confab_words
    set -l option
    for word in (commandline -opc)[2..]
        if test -n "$option"
            test -n "$argv[1]"; and contains -- $option --socket --account; and echo -- $option=$word
            set option
        else if contains -- $word --account --after --archive-first-sync --around --as --before --ca-file --config --data --expires --for --format --from --gap --group --hold --in --in-doubt --jid --key --kinds --limit --log --markers --name --outbox-max-age --plain --proxy --receipts --resource --row --server --since --socket --timeout --tls --until-time --wait
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
complete -c confab -l socket -r -F -d 'the daemon\'s socket; else $CONFAB_SOCKET, then $XDG_RUNTIME_DIR/confab/socket if it exists, then /run/confab/socket'
complete -c confab -l account -x -a '(__confab_ask status name)' -d 'which account, by name or JID, where several are configured'
complete -c confab -l json -d 'the daemon\'s answer as it is, one JSON object a line'
complete -c confab -l help -d 'this, or more about one command'
complete -c confab -l version -d 'the version of this program'

complete -c confab -n __confab_has_no_command -a help -d 'What verbs there are, or how one is used.'
complete -c confab -n '__confab_has_command help' -l format -x -a 'text json' -d 'json gives the whole row of the table of verbs.'
complete -c confab -n '__confab_at help 0' -a 'help ping version status send wait cancel release conversations history sections search read unread draft forget-history watch ack cursors forget roster groups add remove accept deny presence connect disconnect unpin reload doctor log setup'

complete -c confab -n __confab_has_no_command -a ping -d 'Answers, and that is all.'

complete -c confab -n __confab_has_no_command -a version -d 'The daemon\'s version.'

complete -c confab -n __confab_has_no_command -a status -d 'How each account is.'
complete -c confab -n '__confab_has_command status' -l for -x -a 'online' -d 'Wait until it is so.'
complete -c confab -n '__confab_has_command status' -l timeout -x -d 'How long to wait.'

complete -c confab -n __confab_has_no_command -a send -d 'Sends a message; ok means it is on stable storage and will go out.'
complete -c confab -n '__confab_has_command send' -l wait -x -a 'sent delivered displayed' -d 'Answer only when the message has got that far.'
complete -c confab -n '__confab_has_command send' -l timeout -x -d 'How long to wait.'
complete -c confab -n '__confab_has_command send' -l key -x -d 'Makes a repeat safe.'
complete -c confab -n '__confab_has_command send' -l expires -x -d 'It is not sent later than this; longer than hold.'
complete -c confab -n '__confab_has_command send' -l hold -x -d 'It is kept back for so long.'
complete -c confab -n '__confab_has_command send' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at send 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a wait -d 'Waits until a message of mine has got that far or further.'
complete -c confab -n '__confab_has_command wait' -l for -x -a 'sent delivered displayed' -d 'The state to wait for.'
complete -c confab -n '__confab_has_command wait' -l timeout -x -d 'How long to wait.'

complete -c confab -n __confab_has_no_command -a cancel -d 'Takes a message of mine back that has not gone out.'

complete -c confab -n __confab_has_no_command -a release -d 'Lets a message go out that is kept back.'

complete -c confab -n __confab_has_no_command -a conversations -d 'The conversations, newest first.'
complete -c confab -n '__confab_has_command conversations' -l group -x -d 'Only with the contacts of this group.'
complete -c confab -n '__confab_has_command conversations' -l before -x -a '(__confab_jids)' -d 'Only conversations after the one with this JID.'
complete -c confab -n '__confab_has_command conversations' -l limit -x -d 'How many at most; 0 gives the final line alone.'
complete -c confab -n '__confab_has_command conversations' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'

complete -c confab -n __confab_has_no_command -a history -d 'Messages of a conversation, oldest first.'
complete -c confab -n '__confab_has_command history' -l limit -x -d 'How many at most; 0 gives the final line alone.'
complete -c confab -n '__confab_has_command history' -l before -x -d 'The page that ends before this message.'
complete -c confab -n '__confab_has_command history' -l after -x -d 'The page that begins after this message.'
complete -c confab -n '__confab_has_command history' -l around -x -d 'The page around this message.'
complete -c confab -n '__confab_has_command history' -l row -x -d 'The page that begins with this row.'
complete -c confab -n '__confab_has_command history' -l since -x -d 'Only messages of this time or later.'
complete -c confab -n '__confab_has_command history' -l until-time -x -d 'Only messages before this time.'
complete -c confab -n '__confab_has_command history' -l gap -x -d 'A section begins after more than this; snap-interval of the configuration where absent.'
complete -c confab -n '__confab_has_command history' -l ids -d 'Shows the id of each message.'
complete -c confab -n '__confab_has_command history' -l seconds -d 'Shows times to the second.'
complete -c confab -n '__confab_has_command history' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at history 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a sections -d 'The sections of a conversation, oldest first of the newest.'
complete -c confab -n '__confab_has_command sections' -l gap -x -d 'A section begins after more than this; snap-interval of the configuration where absent.'
complete -c confab -n '__confab_has_command sections' -l limit -x -d 'How many at most; 0 gives the final line alone.'
complete -c confab -n '__confab_has_command sections' -l before -x -d 'The sections older than the one that holds this message.'
complete -c confab -n '__confab_has_command sections' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at sections 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a search -d 'Finds messages by a part of their text, newest first.'
complete -c confab -n '__confab_has_command search' -l in -x -a '(__confab_jids)' -d 'Only in the conversation with this JID.'
complete -c confab -n '__confab_has_command search' -l from -x -a '(__confab_jids)' -d 'Only what this JID wrote.'
complete -c confab -n '__confab_has_command search' -l since -x -d 'Only messages of this time or later.'
complete -c confab -n '__confab_has_command search' -l until-time -x -d 'Only messages before this time.'
complete -c confab -n '__confab_has_command search' -l limit -x -d 'How many at most; 0 gives the final line alone.'
complete -c confab -n '__confab_has_command search' -l before -x -d 'Only messages that stand before this one.'
complete -c confab -n '__confab_has_command search' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'

complete -c confab -n __confab_has_no_command -a read -d 'Moves the shared read position forward to a message, or to the newest.'
complete -c confab -n '__confab_has_command read' -l all -d 'Everything in all conversations; without a JID.'
complete -c confab -n '__confab_has_command read' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at read 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a unread -d 'How many messages are unread.'
complete -c confab -n '__confab_has_command unread' -l in -x -a '(__confab_jids)' -d 'Only in this conversation.'
complete -c confab -n '__confab_has_command unread' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'

complete -c confab -n __confab_has_no_command -a draft -d 'Shows the shared draft of a conversation, or sets it.'
complete -c confab -n '__confab_has_command draft' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at draft 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a forget-history -d 'Hides all messages of a conversation from every answer, for good.'
complete -c confab -n '__confab_has_command forget-history' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at forget-history 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a watch -d 'Event lines from here on, or from an earlier number.'
complete -c confab -n '__confab_has_command watch' -l since -x -d 'Durable events after this number first.'
complete -c confab -n '__confab_has_command watch' -l log -x -d 'The UUID of the log that since is of; checked against this one\'s.'
complete -c confab -n '__confab_has_command watch' -l as -x -d 'The name by which this consumer acknowledges.'
complete -c confab -n '__confab_has_command watch' -l in -x -a '(__confab_jids)' -d 'Only events of this conversation.'
complete -c confab -n '__confab_has_command watch' -l kinds -x -a '(__confab_list message state read draft roster connection presence resection storage caught-up)' -d 'Only these events; caught-up always comes.'
complete -c confab -n '__confab_has_command watch' -l reconnect -d 'When the connection ends, waits for the daemon and continues after the last event.'
complete -c confab -n '__confab_has_command watch' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'

complete -c confab -n __confab_has_no_command -a ack -d 'Says that everything up to an event is dealt with.'
complete -c confab -n '__confab_has_command ack' -l as -x -d 'The name of a watch.'

complete -c confab -n __confab_has_no_command -a cursors -d 'The names of consumers, and what each has acknowledged.'

complete -c confab -n __confab_has_no_command -a forget -d 'Forgets the name of a consumer.'
complete -c confab -n '__confab_has_command forget' -l as -x -d 'The name.'

complete -c confab -n __confab_has_no_command -a roster -d 'The contacts, and who asks to become one.'

complete -c confab -n __confab_has_no_command -a groups -d 'The groups of contacts.'

complete -c confab -n __confab_has_no_command -a add -d 'Adds a contact or changes it, and asks for its presence.'
complete -c confab -n '__confab_has_command add' -l name -x -d 'What to call the contact.'
complete -c confab -n '__confab_has_command add' -l group -x -d 'The group to put it in.'
complete -c confab -n '__confab_has_command add' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at add 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a remove -d 'Removes a contact and ends both subscriptions; the history stays.'
complete -c confab -n '__confab_has_command remove' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at remove 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a accept -d 'Lets a contact see my presence.'
complete -c confab -n '__confab_has_command accept' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at accept 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a deny -d 'Refuses or takes back the sight of my presence.'
complete -c confab -n '__confab_has_command deny' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at deny 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a presence -d 'Says how I am, durably until changed.'
complete -c confab -n '__confab_at presence 0' -a 'available away xa dnd chat'

complete -c confab -n __confab_has_no_command -a connect -d 'Lets the account connect, at once if it was waiting.'

complete -c confab -n __confab_has_no_command -a disconnect -d 'Closes the account\'s stream, durably until connect.'

complete -c confab -n __confab_has_no_command -a unpin -d 'Lets the account log in by less than before, and connects it anew.'

complete -c confab -n __confab_has_no_command -a reload -d 'Reads the configuration again.'

complete -c confab -n __confab_has_no_command -a doctor -d 'Looks at all that the daemon needs, and says what is wrong and how to mend it.'
complete -c confab -n '__confab_has_command doctor' -l config -r -F -d 'The configuration; else where confabd looks for it.'

complete -c confab -n __confab_has_no_command -a log -d 'Reads the log itself, or writes to it: verify, dump, export, import, scrub.'
complete -c confab -n '__confab_has_command log' -l config -r -F -d 'The configuration; else where confabd looks for it.'
complete -c confab -n '__confab_has_command log' -l data -r -F -d 'The data directory; else the one of the configuration.'
complete -c confab -n '__confab_has_command log' -l jsonl -d 'A JSON object a line.'
complete -c confab -n '__confab_has_command log' -l text -d 'For people.'
complete -c confab -n '__confab_has_command log' -l in -x -a '(__confab_jids)' -d 'For export: the messages of this conversation alone.'
complete -c confab -n '__confab_has_command log' -l account -x -d 'For import: the account of messages that name none.'
complete -c confab -n '__confab_has_command log' -l jid -x -d 'For import: makes that account with this JID, where there is none of its name.'
complete -c confab -n '__confab_at log 0' -a 'verify dump export import scrub'
complete -c confab -n '__confab_at log 1' -F

complete -c confab -n __confab_has_no_command -a setup -d 'Sets an account up: asks for address and password, logs in, writes the configuration.'
complete -c confab -n '__confab_has_command setup' -l config -r -F -d 'The configuration; else where confabd looks for it.'
complete -c confab -n '__confab_has_command setup' -l name -x -d 'What the account is called in the configuration; else home.'
complete -c confab -n '__confab_has_command setup' -l replace -d 'Replace the account of that name where there is one.'
complete -c confab -n '__confab_has_command setup' -l enable-service -d 'Enable and start the user\'s service without asking.'
complete -c confab -n '__confab_has_command setup' -l no-service -d 'Leave the service alone without asking.'
complete -c confab -n '__confab_has_command setup' -l server -x -d 'The key server: Where to connect; the certificate is still checked against the address\'s domain.'
complete -c confab -n '__confab_has_command setup' -l tls -x -d 'The key tls: How TLS begins: auto tries both ways. There is no plaintext.'
complete -c confab -n '__confab_has_command setup' -l proxy -x -d 'The key proxy: A SOCKS5 proxy such as Tor; it looks names up, and DNS is asked for nothing.'
complete -c confab -n '__confab_has_command setup' -l ca-file -r -F -d 'The key ca-file: The certificate authorities to trust, in PEM, instead of the system\'s.'
complete -c confab -n '__confab_has_command setup' -l resource -x -d 'The key resource: The name of this client among the account\'s.'
complete -c confab -n '__confab_has_command setup' -l plain -x -d 'The key plain: Whether the password itself may be sent (SASL PLAIN, inside TLS) to a server that never offered more.'
complete -c confab -n '__confab_has_command setup' -l archive-first-sync -x -d 'The key archive-first-sync: How far back the server\'s archive is fetched the first time; later on, whatever came meanwhile is.'
complete -c confab -n '__confab_has_command setup' -l receipts -x -d 'The key receipts: Who hears that a message has come, if he asks: contacts who see your presence, or nobody.'
complete -c confab -n '__confab_has_command setup' -l markers -x -d 'The key markers: Who hears that you have read a message, if he asks: contacts who see your presence, or nobody.'
complete -c confab -n '__confab_has_command setup' -l in-doubt -x -d 'The key in-doubt: Whether messages that may have been delivered go again, marked in_doubt, or wait for release or cancel.'
complete -c confab -n '__confab_has_command setup' -l outbox-max-age -x -d 'The key outbox-max-age: A message that could not be sent in this time fails (see expires= of send).'
