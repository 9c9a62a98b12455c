import ConfabRuntime

/// confabd(8): the daemon.
enum DaemonPage {
  static var page: ManPage {
    ManPage(
      name: "confabd", section: 8, summary: "XMPP client daemon",
      markdown: [synopsis, options, statuses, rest].joined(separator: "\n\n"))
  }

  private static let synopsis = """
    ## SYNOPSIS

    `confabd` [`--config` FILE] [`--check` | `--doctor` [`--login`] | `--addresses` | `--version` | `--help`]

    ## DESCRIPTION

    \(Options.summary)

    What was answered with `ok` is on disk. What the server handed over is acknowledged only when it is on disk.
    """

  private static var options: String {
    "## OPTIONS\n\n" + Manuals.table(["option", "meaning"], Options.rows.map { ["`\($0.usage)`", $0.meaning + "."] })
  }

  private static var statuses: String {
    let rows = Options.exitStatuses.map { ["`\($0.status)`", $0.meaning + "."] }
    return "## EXIT STATUS\n\n" + Manuals.table(["status", "meaning"], rows)
  }

  private static let rest = """
    ## SIGNALS

    | signal | meaning |
    | --- | --- |
    | `SIGTERM`, `SIGINT` | Answers what was asked, syncs, acknowledges what is stored and ends. SIGTERM leaves the streams to be resumed by the next start, where the server allows it; SIGINT closes them. `on-stop` decides for both. |
    | `SIGHUP` | Reads the configuration again; where it is wrong, the old one stays in force. |

    ## ENVIRONMENT

    | variable | meaning |
    | --- | --- |
    | `XDG_CONFIG_HOME`, `XDG_STATE_HOME`, `XDG_RUNTIME_DIR`, `HOME` | Where configuration, data and socket are. |
    | `STATE_DIRECTORY`, `RUNTIME_DIRECTORY` | The same from systemd; they come first. |
    | `CREDENTIALS_DIRECTORY` | Passwords from systemd: `password-file = ${CREDENTIALS_DIRECTORY}/password_home`. |
    | `LISTEN_FDS`, `LISTEN_PID`, `LISTEN_FDNAMES` | Listening sockets that systemd passes; a main socket among them needs no other place. |
    | `NOTIFY_SOCKET` | Where to say `READY`, `STATUS`, `RELOADING` and `STOPPING` (`sd_notify`(3)). |
    | `WATCHDOG_USEC`, `WATCHDOG_PID` | How often to say that the loop turns. |
    | `JOURNAL_STREAM` | Standard error is the journal: lines carry no time of their own. |

    ## FILES

    | file | meaning |
    | --- | --- |
    | `/etc/confab/confab.conf`, `~/.config/confab/confab.conf` | The configuration: `confab.conf`(5). |
    | `/etc/confab/credentials/` | Passwords for the system's service, a file each, of root's alone. |
    | `/var/lib/confab/`, `~/.local/state/confab/` | The log. |
    | `/run/confab/socket`, `$XDG_RUNTIME_DIR/confab/socket` | The socket: `confab-protocol`(7). |

    ## SYSTEMD

    `systemctl enable --now confabd` for the system; `systemctl --user enable --now confabd` for oneself. Members of \
    the group `confab` may connect to the system's socket; `socket-group = confab` in the configuration lets them ask.

    A password for the system's service goes to `/etc/confab/credentials/NAME`, and its account says \
    `password-file = ${CREDENTIALS_DIRECTORY}/password_NAME`.

    ## SEE ALSO

    `confab`(1), `confab.conf`(5), `confab-protocol`(7)

    """
}
