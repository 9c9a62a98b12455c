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

    A request that is answered with `ok` is on disk. A stanza of the server is acknowledged only when it is on disk.
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
    | `SIGTERM`, `SIGXCPU`, `SIGINT`, `SIGQUIT` | Answers all requests, syncs, acknowledges the stored stanzas and exits. SIGTERM and SIGXCPU leave the streams to be resumed by the next start, if the server allows it; SIGINT and SIGQUIT close them. `on-stop` sets one way for all. |
    | `SIGHUP` | Reads the configuration again, and makes sockets again that were removed; if the configuration has an error, the old one stays in force. A signal that arrives while the daemon starts waits until it serves; in the first one or two milliseconds, while the dynamic loader runs, it ends the daemon as it ends any program. |
    | `SIGUSR1`, `SIGUSR2`, `SIGALRM`, `SIGVTALRM`, `SIGPROF`, `SIGIO`, `SIGPIPE`, `SIGXFSZ`, `SIGPWR`, `SIGSTKFLT`, real-time signals | Ignored. |

    ## ENVIRONMENT

    | variable | meaning |
    | --- | --- |
    | `XDG_CONFIG_HOME`, `XDG_STATE_HOME`, `XDG_RUNTIME_DIR`, `HOME` | The directories of configuration, data and socket. |
    | `STATE_DIRECTORY`, `RUNTIME_DIRECTORY` | The same from systemd; they take precedence. |
    | `CREDENTIALS_DIRECTORY` | Passwords from systemd: `password-file = ${CREDENTIALS_DIRECTORY}/password_home`. |
    | `LISTEN_FDS`, `LISTEN_PID`, `LISTEN_FDNAMES` | Listening sockets from systemd; a main socket among them replaces the configured path. |
    | `NOTIFY_SOCKET` | Receives `READY`, `STATUS`, `RELOADING` and `STOPPING` (`sd_notify`(3)). |
    | `WATCHDOG_USEC`, `WATCHDOG_PID` | The interval at which the daemon reports that its loop runs. |
    | `JOURNAL_STREAM` | Set if standard error is the journal: lines then have no time of their own. |

    ## FILES

    | file | meaning |
    | --- | --- |
    | `/etc/confab/confab.conf`, `~/.config/confab/confab.conf` | The configuration: `confab.conf`(5). |
    | `/etc/confab/credentials/` | Passwords for the system's service, one a file, readable by root alone. |
    | `/var/lib/confab/`, `~/.local/state/confab/` | The log. |
    | `/run/confab/socket`, `$XDG_RUNTIME_DIR/confab/socket` | The socket: `confab-protocol`(7). |

    ## SYSTEMD

    `systemctl enable --now confabd` for the system; `systemctl --user enable --now confabd` for yourself. Members of \
    the group `confab` may connect to the system's socket; `socket-group = confab` in the configuration lets them use it.

    A password for the system's service goes to `/etc/confab/credentials/NAME`, and its account says \
    `password-file = ${CREDENTIALS_DIRECTORY}/password_NAME`.

    ## SEE ALSO

    `confab`(1), `confab.conf`(5), `confab-protocol`(7)

    """
}
