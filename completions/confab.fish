# Completion of confab(1) for fish. Made from the table of verbs by `make docs`.

# The words so far that are no options and no values of options; with an argument, the options about the daemon.
function __confab_words
    set -l option
    for word in (commandline -opc)[2..]
        if test -n "$option"
            test -n "$argv[1]"; and contains -- $option --socket --account; and echo -- $option=$word
            set option
        else if contains -- $word --account --affiliation --after --archive-first-sync --around --as --at --before --ca-file --config --data --emoticons --encryption --expires --fetch --for --format --from --gap --group --hold --idle-time --in --in-doubt --jid --key --kinds --limit --log --markers --match --moved --name --nick --outbox-max-age --output --pack --password --plain --proxy --reason --receipts --replace --reply --resource --role --row --server --since --socket --text --timeout --tls --trust --until --until-time --wait --zone
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
complete -c confab -l account -x -a '(__confab_ask status name)' -d 'the account, by name or JID; needed if several are configured'
complete -c confab -l json -d 'show the daemon\'s answer unchanged, one JSON object a line'
complete -c confab -l no-ui -d 'without a command, show the overview instead of the terminal UI'
complete -c confab -l plain -d 'without a command, the terminal UI line by line, for screen readers and braille'
complete -c confab -l help -d 'show this help, or more about one command'
complete -c confab -l version -d 'show the version of this program'

complete -c confab -n __confab_has_no_command -a help -d 'Lists the verbs, or shows how one is used.'
complete -c confab -n '__confab_has_command help' -l format -x -a 'text json' -d 'json gives all that the table of verbs says.'
complete -c confab -n '__confab_at help 0' -a 'help ping version status send send-file fetch wait cancel release scheduled reschedule retract react forward versions typing conversations history sections search read unread-from unread draft notify pin archive forget-history watch ack cursors forget emoticons emoticon-used roster groups add remove accept deny join leave rooms room members topic invite kick ban affiliation role destroy configure voice register ignore ignored noise mention-words nick profile block unblock blocked report avatar avatar-set avatar-remove encrypt devices trust distrust fingerprint verify device-remove session-reset presence connect disconnect unpin reload doctor import log setup'

complete -c confab -n __confab_has_no_command -a ping -d 'Checks that the daemon is responding.'

complete -c confab -n __confab_has_no_command -a version -d 'Shows the daemon\'s version.'

complete -c confab -n __confab_has_no_command -a status -d 'Shows the state of each account.'
complete -c confab -n '__confab_has_command status' -l for -x -a 'online' -d 'Waits for this state.'
complete -c confab -n '__confab_has_command status' -l timeout -x -d 'How long to wait; at most 10 minutes on a socket without all rights.'

complete -c confab -n __confab_has_no_command -a send -d 'Sends a message; ok means that it is on stable storage and will be sent.'
complete -c confab -n '__confab_has_command send' -l wait -x -a 'sent delivered displayed' -d 'Answers only when the message has reached this state.'
complete -c confab -n '__confab_has_command send' -l timeout -x -d 'How long to wait; at most 10 minutes on a socket without all rights.'
complete -c confab -n '__confab_has_command send' -l key -x -d 'Makes it safe to repeat the request.'
complete -c confab -n '__confab_has_command send' -l expires -x -d 'How long the message may wait to be sent; longer than hold.'
complete -c confab -n '__confab_has_command send' -l hold -x -d 'How long the message is kept back.'
complete -c confab -n '__confab_has_command send' -l at -x -d 'When the message leaves.'
complete -c confab -n '__confab_has_command send' -l emoticons -x -a 'expand' -d 'Turns known codes of the text into their characters first.'
complete -c confab -n '__confab_has_command send' -l unstyled -d 'No part of the text is styled (XEP-0393), whatever marks it has.'
complete -c confab -n '__confab_has_command send' -l reply -x -d 'The message that this one answers.'
complete -c confab -n '__confab_has_command send' -l replace -x -d 'The message of mine that gets this text.'
complete -c confab -n '__confab_has_command send' -l anyway -d 'To an occupant of a room, whoever has the nick now.'
complete -c confab -n '__confab_has_command send' -l encrypt -d 'Whether this message is encrypted, whatever holds for the conversation.'
complete -c confab -n '__confab_has_command send' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at send 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a send-file -d 'Sends files; ok means that they are on stable storage and will be sent.'
complete -c confab -n '__confab_has_command send-file' -l as -x -d 'The name that others see; else that of the file.'
complete -c confab -n '__confab_has_command send-file' -l wait -x -a 'sent delivered displayed' -d 'Answers once the message has got that far.'
complete -c confab -n '__confab_has_command send-file' -l timeout -x -d 'How long to wait.'
complete -c confab -n '__confab_has_command send-file' -l key -x -d 'An idempotency key.'
complete -c confab -n '__confab_has_command send-file' -l anyway -d 'To an occupant of a room, whoever has the nick now.'
complete -c confab -n '__confab_has_command send-file' -l encrypt -d 'Whether this message is encrypted, whatever holds for the conversation.'
complete -c confab -n '__confab_has_command send-file' -l text -r -F -d 'The text of the message.'
complete -c confab -n '__confab_has_command send-file' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at send-file 0' -a '(__confab_jids)'
complete -c confab -n '__confab_at send-file 1' -F

complete -c confab -n __confab_has_no_command -a fetch -d 'Gives a file of a message; fetches it first if it is not here.'
complete -c confab -n '__confab_has_command fetch' -l fetch -x -a 'no' -d 'Asks no server: gives a file only if it is here.'
complete -c confab -n '__confab_has_command fetch' -l output -r -F -d 'Writes the file there, unless something is there already; else to standard output.'
complete -c confab -n '__confab_has_command fetch' -l force -d 'Replaces a file that is there already.'

complete -c confab -n __confab_has_no_command -a wait -d 'Waits until a message of mine has reached a state, or a later one.'
complete -c confab -n '__confab_has_command wait' -l for -x -a 'sent delivered displayed' -d 'The state to wait for.'
complete -c confab -n '__confab_has_command wait' -l timeout -x -d 'How long to wait; at most 10 minutes on a socket without all rights.'

complete -c confab -n __confab_has_no_command -a cancel -d 'Takes back a message of mine that has not been sent.'

complete -c confab -n __confab_has_no_command -a release -d 'Sends a message that is kept back.'

complete -c confab -n __confab_has_no_command -a scheduled -d 'Lists the scheduled messages of mine, earliest first.'
complete -c confab -n '__confab_has_command scheduled' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at scheduled 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a reschedule -d 'Changes when a scheduled message is sent, or its text.'
complete -c confab -n '__confab_has_command reschedule' -l at -x -d 'When the message leaves.'

complete -c confab -n __confab_has_no_command -a retract -d 'Takes back a message of mine, or in a room, as a moderator, somebody else\'s.'

complete -c confab -n __confab_has_no_command -a react -d 'Reacts to a message with emoji.'

complete -c confab -n __confab_has_no_command -a forward -d 'Sends a message with another one inside.'
complete -c confab -n '__confab_has_command forward' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at forward 1' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a versions -d 'Lists what stood in a message before each edit, oldest first.'

complete -c confab -n __confab_has_no_command -a typing -d 'Reports to a contact what you are doing in the conversation.'
complete -c confab -n '__confab_has_command typing' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at typing 0' -a '(__confab_jids)'
complete -c confab -n '__confab_at typing 1' -a 'composing paused active inactive gone'

complete -c confab -n __confab_has_no_command -a conversations -d 'Lists the conversations, newest first.'
complete -c confab -n '__confab_has_command conversations' -l group -x -d 'Only with the contacts of this group.'
complete -c confab -n '__confab_has_command conversations' -l known -d 'Only with people in the roster or written to, or only with others.'
complete -c confab -n '__confab_has_command conversations' -l before -x -a '(__confab_jids)' -d 'Only conversations after the one with this JID.'
complete -c confab -n '__confab_has_command conversations' -l limit -x -d 'The most to show; 0 gives the final line alone.'
complete -c confab -n '__confab_has_command conversations' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'

complete -c confab -n __confab_has_no_command -a history -d 'Shows messages of a conversation, oldest first.'
complete -c confab -n '__confab_has_command history' -l limit -x -d 'The most to show; 0 gives the final line alone.'
complete -c confab -n '__confab_has_command history' -l before -x -d 'The page that ends before this message.'
complete -c confab -n '__confab_has_command history' -l after -x -d 'The page that begins after this message.'
complete -c confab -n '__confab_has_command history' -l around -x -d 'The page around this message.'
complete -c confab -n '__confab_has_command history' -l row -x -d 'The page that begins with this row.'
complete -c confab -n '__confab_has_command history' -l since -x -d 'Only messages of this time or later.'
complete -c confab -n '__confab_has_command history' -l until-time -x -d 'Only messages before this time.'
complete -c confab -n '__confab_has_command history' -l ignored -d 'Also messages of ignored occupants of a room (ignore).'
complete -c confab -n '__confab_has_command history' -l gap -x -d 'A longer silence than this begins a new section; else snap-interval of the configuration.'
complete -c confab -n '__confab_has_command history' -l ids -d 'Shows the id of each message.'
complete -c confab -n '__confab_has_command history' -l seconds -d 'Shows times to the second.'
complete -c confab -n '__confab_has_command history' -l spoilers -d 'Shows the texts behind spoilers, and not only their hints.'
complete -c confab -n '__confab_has_command history' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at history 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a sections -d 'Lists the newest sections of a conversation, oldest first.'
complete -c confab -n '__confab_has_command sections' -l gap -x -d 'A longer silence than this begins a new section; else snap-interval of the configuration.'
complete -c confab -n '__confab_has_command sections' -l limit -x -d 'The most to show; 0 gives the final line alone.'
complete -c confab -n '__confab_has_command sections' -l before -x -d 'The sections older than the one that holds this message.'
complete -c confab -n '__confab_has_command sections' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at sections 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a search -d 'Finds messages by a part of their text, newest first.'
complete -c confab -n '__confab_has_command search' -l in -x -a '(__confab_jids)' -d 'Only in the conversation with this JID.'
complete -c confab -n '__confab_has_command search' -l from -x -a '(__confab_jids)' -d 'Only what this JID wrote.'
complete -c confab -n '__confab_has_command search' -l since -x -d 'Only messages of this time or later.'
complete -c confab -n '__confab_has_command search' -l until-time -x -d 'Only messages before this time.'
complete -c confab -n '__confab_has_command search' -l limit -x -d 'The most to show; 0 gives the final line alone.'
complete -c confab -n '__confab_has_command search' -l before -x -d 'Only messages before this one.'
complete -c confab -n '__confab_has_command search' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'

complete -c confab -n __confab_has_no_command -a read -d 'Moves the shared read position forward to a message, or to the newest.'
complete -c confab -n '__confab_has_command read' -l all -d 'Everything in all conversations; without a JID.'
complete -c confab -n '__confab_has_command read' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at read 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a unread-from -d 'Moves the shared read position back before a message: it, what follows and what arrived later is unread again.'
complete -c confab -n '__confab_has_command unread-from' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at unread-from 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a unread -d 'Counts the unread messages.'
complete -c confab -n '__confab_has_command unread' -l in -x -a '(__confab_jids)' -d 'Only in this conversation.'
complete -c confab -n '__confab_has_command unread' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'

complete -c confab -n __confab_has_no_command -a draft -d 'Shows the shared draft of a conversation, or sets it.'
complete -c confab -n '__confab_has_command draft' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at draft 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a notify -d 'Sets of which messages of a conversation you want to be notified.'
complete -c confab -n '__confab_has_command notify' -l until -x -d 'When the level that held before holds again.'
complete -c confab -n '__confab_has_command notify' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at notify 0' -a '(__confab_jids)'
complete -c confab -n '__confab_at notify 1' -a 'always mentions never'

complete -c confab -n __confab_has_no_command -a pin -d 'Keeps a conversation on top of the lists of all front ends, or no longer.'
complete -c confab -n '__confab_has_command pin' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at pin 0' -a '(__confab_jids)'
complete -c confab -n '__confab_at pin 1' -a 'yes no'

complete -c confab -n __confab_has_no_command -a archive -d 'Puts a conversation away, apart from the lists of all front ends, or takes it back.'
complete -c confab -n '__confab_has_command archive' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at archive 0' -a '(__confab_jids)'
complete -c confab -n '__confab_at archive 1' -a 'yes no'

complete -c confab -n __confab_has_no_command -a forget-history -d 'Hides all messages of a conversation from every answer, for good.'
complete -c confab -n '__confab_has_command forget-history' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at forget-history 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a watch -d 'Shows events from now on, or from an earlier number.'
complete -c confab -n '__confab_has_command watch' -l since -x -d 'Starts with the durable events after this number.'
complete -c confab -n '__confab_has_command watch' -l log -x -d 'The UUID of the log that since belongs to; checked against this log\'s.'
complete -c confab -n '__confab_has_command watch' -l as -x -d 'The name under which this consumer acknowledges.'
complete -c confab -n '__confab_has_command watch' -l in -x -a '(__confab_jids)' -d 'Only events of this conversation.'
complete -c confab -n '__confab_has_command watch' -l kinds -x -a '(__confab_list message edit retract reaction state read draft conversation roster room invitation voice-request read-by emoticon-used device encryption decrypted connection presence member members typing transfer resection storage caught-up)' -d 'Only these events, and always caught-up.'
complete -c confab -n '__confab_has_command watch' -l reconnect -d 'When the connection ends, waits for the daemon and continues after the last event.'
complete -c confab -n '__confab_has_command watch' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'

complete -c confab -n __confab_has_no_command -a ack -d 'Acknowledges all events up to a number.'
complete -c confab -n '__confab_has_command ack' -l as -x -d 'The name of a watch.'

complete -c confab -n __confab_has_no_command -a cursors -d 'Lists the consumers of events and what each has acknowledged.'

complete -c confab -n __confab_has_no_command -a forget -d 'Forgets the name of a consumer.'
complete -c confab -n '__confab_has_command forget' -l as -x -d 'The name.'

complete -c confab -n __confab_has_no_command -a emoticons -d 'Lists the packs of emoticons, all of a pack, those that match a text, or the recent ones.'
complete -c confab -n '__confab_has_command emoticons' -l pack -x -d 'All of this pack.'
complete -c confab -n '__confab_has_command emoticons' -l match -x -d 'Those whose code or name has this in it.'
complete -c confab -n '__confab_has_command emoticons' -l limit -x -d 'The most to show of those that match.'
complete -c confab -n '__confab_at emoticons 0' -a 'recent'

complete -c confab -n __confab_has_no_command -a emoticon-used -d 'Moves an emoticon to the front of the recent ones, for all front ends.'

complete -c confab -n __confab_has_no_command -a roster -d 'Lists the contacts and the subscription requests.'

complete -c confab -n __confab_has_no_command -a groups -d 'Lists the groups of contacts.'

complete -c confab -n __confab_has_no_command -a add -d 'Adds or changes a contact, and asks to see its presence.'
complete -c confab -n '__confab_has_command add' -l name -x -d 'What to call the contact; without it the name stays.'
complete -c confab -n '__confab_has_command add' -l group -x -d 'A group to put it in; it stays in its other groups.'
complete -c confab -n '__confab_has_command add' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at add 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a remove -d 'Removes a contact and ends both subscriptions; the history stays. With group, removes it from a group.'
complete -c confab -n '__confab_has_command remove' -l group -x -d 'Only removes the contact from this group.'
complete -c confab -n '__confab_has_command remove' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at remove 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a accept -d 'Accepts a subscription request: the contact sees your presence.'
complete -c confab -n '__confab_has_command accept' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at accept 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a deny -d 'Declines a subscription request, or cancels a subscription.'
complete -c confab -n '__confab_has_command deny' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at deny 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a join -d 'Joins a room, now and on each new connection, or changes your nick in it.'
complete -c confab -n '__confab_has_command join' -l nick -x -d 'The nick in the room.'
complete -c confab -n '__confab_has_command join' -l password -x -d 'The password of the room.'
complete -c confab -n '__confab_has_command join' -l create -d 'Creates the room if it does not exist.'
complete -c confab -n '__confab_has_command join' -l wait -x -a 'joined' -d 'Answers when you are in the room.'
complete -c confab -n '__confab_has_command join' -l timeout -x -d 'How long to wait; at most 10 minutes on a socket without all rights.'
complete -c confab -n '__confab_has_command join' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at join 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a leave -d 'Leaves a room until you join again, or drops an invitation; the history stays.'
complete -c confab -n '__confab_has_command leave' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at leave 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a rooms -d 'Lists your rooms, the newest first, or those that a service lists.'
complete -c confab -n '__confab_has_command rooms' -l at -x -a '(__confab_jids)' -d 'The service whose rooms are listed.'
complete -c confab -n '__confab_has_command rooms' -l before -x -a '(__confab_jids)' -d 'Only rooms behind this one in the list.'
complete -c confab -n '__confab_has_command rooms' -l limit -x -d 'The most to show; 0 gives the final line alone.'
complete -c confab -n '__confab_has_command rooms' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'

complete -c confab -n __confab_has_no_command -a room -d 'Shows a room.'
complete -c confab -n '__confab_has_command room' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at room 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a members -d 'Lists who is in a room, by role and nick, or an affiliation\'s list.'
complete -c confab -n '__confab_has_command members' -l role -x -a 'moderator participant visitor' -d 'Only those with this role.'
complete -c confab -n '__confab_has_command members' -l affiliation -x -a 'owner admin member outcast' -d 'The room\'s list of these.'
complete -c confab -n '__confab_has_command members' -l match -x -d 'Only nicks with this text in them, first the one that is this text.'
complete -c confab -n '__confab_has_command members' -l limit -x -d 'The most to show.'
complete -c confab -n '__confab_has_command members' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at members 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a topic -d 'Shows the topic of a room, or sets it.'
complete -c confab -n '__confab_has_command topic' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at topic 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a invite -d 'Invites somebody to a room.'
complete -c confab -n '__confab_has_command invite' -l direct -d 'Sends the invitation yourself instead of through the room (XEP-0249).'
complete -c confab -n '__confab_has_command invite' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at invite 0' -a '(__confab_jids)'
complete -c confab -n '__confab_at invite 1' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a kick -d 'Removes an occupant from a room; it may join again.'
complete -c confab -n '__confab_has_command kick' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at kick 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a ban -d 'Bans a JID from a room (affiliation outcast).'
complete -c confab -n '__confab_has_command ban' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at ban 0' -a '(__confab_jids)'
complete -c confab -n '__confab_at ban 1' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a affiliation -d 'Sets the affiliation of a JID with a room.'
complete -c confab -n '__confab_has_command affiliation' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at affiliation 0' -a '(__confab_jids)'
complete -c confab -n '__confab_at affiliation 1' -a '(__confab_jids)'
complete -c confab -n '__confab_at affiliation 2' -a 'owner admin member none outcast'

complete -c confab -n __confab_has_no_command -a role -d 'Sets the role of an occupant of a room.'
complete -c confab -n '__confab_has_command role' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at role 0' -a '(__confab_jids)'
complete -c confab -n '__confab_at role 2' -a 'moderator participant visitor none'

complete -c confab -n __confab_has_no_command -a destroy -d 'Destroys a room.'
complete -c confab -n '__confab_has_command destroy' -l moved -x -a '(__confab_jids)' -d 'The room that replaces it.'
complete -c confab -n '__confab_has_command destroy' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at destroy 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a configure -d 'Shows the configuration of a room, or sets fields of it.'
complete -c confab -n '__confab_has_command configure' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at configure 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a voice -d 'Asks for the right to speak in a room, or answers somebody who asks for it.'
complete -c confab -n '__confab_has_command voice' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at voice 0' -a '(__confab_jids)'
complete -c confab -n '__confab_at voice 2' -a 'yes no'

complete -c confab -n __confab_has_no_command -a register -d 'Registers a nick of yours with a room, or shows the one that you have.'
complete -c confab -n '__confab_has_command register' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at register 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a ignore -d 'Ignores an occupant of a room, or does so no more.'
complete -c confab -n '__confab_has_command ignore' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at ignore 0' -a '(__confab_jids)'
complete -c confab -n '__confab_at ignore 2' -a 'yes no'

complete -c confab -n __confab_has_no_command -a ignored -d 'Lists the ignored occupants of a room, or of all.'
complete -c confab -n '__confab_has_command ignored' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at ignored 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a noise -d 'Sets whose joins, leaves and changes of nick stand in the history of a room.'
complete -c confab -n '__confab_has_command noise' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at noise 0' -a '(__confab_jids)'
complete -c confab -n '__confab_at noise 1' -a 'never smart always'

complete -c confab -n __confab_has_no_command -a mention-words -d 'Shows or sets words that are mentions in rooms, beside your nicks.'
complete -c confab -n '__confab_has_command mention-words' -l clear -d 'Removes all words.'

complete -c confab -n __confab_has_no_command -a nick -d 'Shows your nickname, or sets it for your contacts.'

complete -c confab -n __confab_has_no_command -a profile -d 'Shows what an account says of the person behind it.'
complete -c confab -n '__confab_has_command profile' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at profile 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a block -d 'Blocks a JID or a domain: the server delivers nothing from it any more.'
complete -c confab -n '__confab_has_command block' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at block 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a unblock -d 'Takes a JID or a domain off the block list.'
complete -c confab -n '__confab_has_command unblock' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at unblock 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a blocked -d 'Lists the blocked JIDs and domains, as the server has them now.'

complete -c confab -n __confab_has_no_command -a report -d 'Blocks a JID and reports it to the operators of your server.'
complete -c confab -n '__confab_has_command report' -l reason -x -a 'spam abuse' -d 'Why it is reported.'
complete -c confab -n '__confab_has_command report' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at report 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a avatar -d 'Gives the avatar of a contact, or your own: a picture.'
complete -c confab -n '__confab_has_command avatar' -l fetch -x -a 'no' -d 'Asks no server: gives an avatar only if it is here.'
complete -c confab -n '__confab_has_command avatar' -l output -r -F -d 'Writes the file there, unless something is there already; else to standard output.'
complete -c confab -n '__confab_has_command avatar' -l force -d 'Replaces a file that is there already.'
complete -c confab -n '__confab_has_command avatar' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at avatar 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a avatar-set -d 'Publishes a picture as your avatar.'
complete -c confab -n '__confab_at avatar-set 0' -F

complete -c confab -n __confab_has_no_command -a avatar-remove -d 'Withdraws your avatar.'

complete -c confab -n __confab_has_no_command -a encrypt -d 'Shows or sets whether messages of a conversation are encrypted.'
complete -c confab -n '__confab_has_command encrypt' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at encrypt 0' -a '(__confab_jids)'
complete -c confab -n '__confab_at encrypt 1' -a 'auto always never'

complete -c confab -n __confab_has_no_command -a devices -d 'Lists the devices of a contact, or of all in a room, that read encrypted messages, or my own.'
complete -c confab -n '__confab_has_command devices' -l refresh -d 'Asks the server for the lists first.'
complete -c confab -n '__confab_has_command devices' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at devices 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a trust -d 'Encrypts to the devices with an identity key.'
complete -c confab -n '__confab_has_command trust' -l verified -d 'It was compared.'
complete -c confab -n '__confab_has_command trust' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at trust 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a distrust -d 'Encrypts no more to the devices with an identity key.'
complete -c confab -n '__confab_has_command distrust' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at distrust 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a fingerprint -d 'Shows the identity key of this device.'

complete -c confab -n __confab_has_no_command -a verify -d 'Marks the identity keys in an address as verified.'

complete -c confab -n __confab_has_no_command -a device-remove -d 'Takes a device of mine off my lists, so that nobody encrypts to it any more.'

complete -c confab -n __confab_has_no_command -a session-reset -d 'Begins new sessions with a contact\'s devices, or with one.'
complete -c confab -n '__confab_has_command session-reset' -l jid -d 'A word without @ is an address as it stands, and not the name of a contact.'
complete -c confab -n '__confab_at session-reset 0' -a '(__confab_jids)'

complete -c confab -n __confab_has_no_command -a presence -d 'Sets your presence; kept across restarts.'
complete -c confab -n '__confab_at presence 0' -a 'available away xa dnd chat'

complete -c confab -n __confab_has_no_command -a connect -d 'Lets the account connect again; a waiting account tries at once.'

complete -c confab -n __confab_has_no_command -a disconnect -d 'Closes the account\'s stream until connect, also across restarts.'

complete -c confab -n __confab_has_no_command -a unpin -d 'Accepts a weaker login than before, and connects the account again.'

complete -c confab -n __confab_has_no_command -a reload -d 'Reads the configuration again.'

complete -c confab -n __confab_has_no_command -a doctor -d 'Checks all that the daemon needs, and says what is wrong and what to do.'
complete -c confab -n '__confab_has_command doctor' -l config -r -F -d 'The configuration, instead of the one that confabd finds.'

complete -c confab -n __confab_has_no_command -a import -d 'Imports the history of another client.'
complete -c confab -n '__confab_has_command import' -l config -r -F -d 'The configuration, instead of the one that confabd finds.'
complete -c confab -n '__confab_has_command import' -l data -r -F -d 'The data directory, instead of the configured one.'
complete -c confab -n '__confab_has_command import' -l account -x -d 'The account for messages that name none or an unknown one.'
complete -c confab -n '__confab_has_command import' -l jid -x -d 'Creates the account of --account with this JID if it does not exist.'
complete -c confab -n '__confab_has_command import' -l zone -x -d 'The zone of local times: Europe/Berlin, or +02:00.'
complete -c confab -n '__confab_has_command import' -l nick -x -d 'The JID of a nick, for logs that have only nicks; may be repeated.'
complete -c confab -n '__confab_has_command import' -l check -d 'Prints what would be imported; imports nothing.'
complete -c confab -n '__confab_has_command import' -l read -d 'Marks all imported messages as read.'
complete -c confab -n '__confab_at import 0' -a 'gajim dino profanity poezio mcabber pidgin psi weechat'
complete -c confab -n '__confab_at import 1' -F

complete -c confab -n __confab_has_no_command -a log -d 'Reads or changes the log directly: verify, dump, export, import, scrub.'
complete -c confab -n '__confab_has_command log' -l config -r -F -d 'The configuration, instead of the one that confabd finds.'
complete -c confab -n '__confab_has_command log' -l data -r -F -d 'The data directory, instead of the configured one.'
complete -c confab -n '__confab_has_command log' -l jsonl -d 'Prints one JSON object a line.'
complete -c confab -n '__confab_has_command log' -l text -d 'Prints text for people.'
complete -c confab -n '__confab_has_command log' -l in -x -a '(__confab_jids)' -d 'For export: only the messages of this conversation.'
complete -c confab -n '__confab_has_command log' -l account -x -d 'For import: the account of messages without one.'
complete -c confab -n '__confab_has_command log' -l jid -x -d 'For import: creates that account with this JID, if there is none of its name.'
complete -c confab -n '__confab_has_command log' -l read -d 'For import: all messages of the file count as read.'
complete -c confab -n '__confab_at log 0' -a 'verify dump export import scrub'
complete -c confab -n '__confab_at log 1' -F

complete -c confab -n __confab_has_no_command -a setup -d 'Sets up an account: asks for address and password, logs in, writes the configuration.'
complete -c confab -n '__confab_has_command setup' -l config -r -F -d 'The configuration, instead of the one that confabd finds.'
complete -c confab -n '__confab_has_command setup' -l name -x -d 'The name of the account in the configuration, instead of home.'
complete -c confab -n '__confab_has_command setup' -l replace -d 'Replaces an existing account of that name.'
complete -c confab -n '__confab_has_command setup' -l enable-service -d 'Enables and starts the user\'s service without asking.'
complete -c confab -n '__confab_has_command setup' -l no-service -d 'Does not ask about the service, and leaves it alone.'
complete -c confab -n '__confab_has_command setup' -l server -x -d 'The key server: Where to connect; the certificate is still checked against the address\'s domain.'
complete -c confab -n '__confab_has_command setup' -l tls -x -d 'The key tls: How TLS begins; auto tries both ways. A connection without TLS is never used.'
complete -c confab -n '__confab_has_command setup' -l proxy -x -d 'The key proxy: A SOCKS5 proxy such as Tor; it resolves all names, and the daemon sends no DNS queries.'
complete -c confab -n '__confab_has_command setup' -l ca-file -r -F -d 'The key ca-file: The certificate authorities to trust instead of the system\'s, in PEM.'
complete -c confab -n '__confab_has_command setup' -l resource -x -d 'The key resource: The resource, which names this client among the account\'s clients.'
complete -c confab -n '__confab_has_command setup' -l plain -x -d 'The key plain: Whether the password itself may be sent (SASL PLAIN, inside TLS) to a server that never offered a stronger mechanism.'
complete -c confab -n '__confab_has_command setup' -l archive-first-sync -x -d 'The key archive-first-sync: How far back the first sync fetches the server\'s archive; later ones fetch everything new.'
complete -c confab -n '__confab_has_command setup' -l receipts -x -d 'The key receipts: Whom to send delivery receipts to: contacts (those subscribed to your presence) or nobody.'
complete -c confab -n '__confab_has_command setup' -l markers -x -d 'The key markers: Whom to send read markers to: contacts (those subscribed to your presence) or nobody.'
complete -c confab -n '__confab_has_command setup' -l idle-time -x -d 'The key idle-time: Who learns since when no front end has shown a conversation, after 5 minutes: contacts (those subscribed to your presence) or nobody.'
complete -c confab -n '__confab_has_command setup' -l in-doubt -x -d 'The key in-doubt: Whether messages that may have arrived are sent again, marked in_doubt, or wait for release or cancel.'
complete -c confab -n '__confab_has_command setup' -l outbox-max-age -x -d 'The key outbox-max-age: A message that cannot be sent within this time fails (see expires= of send).'
complete -c confab -n '__confab_has_command setup' -l encryption -x -d 'The key encryption: Which messages are encrypted end to end (OMEMO): auto (those to contacts whose devices can read them, and all behind the first one), always (they wait, or fail) or never.'
complete -c confab -n '__confab_has_command setup' -l trust -x -d 'The key trust: Which devices messages are encrypted to: blind (all, until one of the contact\'s is verified), first (those of the first message) or manual (those that you trust).'
