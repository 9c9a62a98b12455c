import ConfabClient
import Clocks
import Timelines
import State
import MessageLog
import Records

/// `confab log export --text`: each conversation by itself, in its order, as irssi keeps its logs; times are local ones.
///
///     --- Log opened Fri Nov 20 09:10:00 2026 bob@example.org
///     09:10 < Bob> hello
///     --- Day changed Sat Nov 21 2026
///     --- Log closed Sat Nov 21 08:00:00 2026
struct ExportedText {
  private let state: State
  private let index: LogIndex
  private let reader: LogReader
  private let output: LineOutput
  /// Seconds east of UTC at a time.
  private let offset: (Timestamp) -> Int

  init(
    _ state: State, _ index: LogIndex, _ storage: any LogStorage, _ output: LineOutput,
    offset: @escaping (Timestamp) -> Int
  ) {
    (self.state, self.index, self.output, self.offset) = (state, index, output, offset)
    reader = LogReader(storage: storage, chunk: 16 << 10) { _ in true }
  }

  /// Writes all conversations, or those with this JID.
  func write(_ only: String?) {
    for account in state.accounts.all {
      for jid in only.map({ [$0] }) ?? account.conversations.jids where output.isOpen {
        if let conversation = account.conversations[jid] { write(conversation, of: account) }
      }
    }
  }

  private func write(_ conversation: Conversation, of account: AccountState) {
    let timeline = conversation.timeline
    guard timeline.count > 0 else { return }
    let owner = state.accounts.byNumber.count > 1 ? " via \(TerminalText.clean(account.label))" : ""
    output.line("--- Log opened \(stamp(timeline[0].time)) \(TerminalText.clean(conversation.jid))\(owner)")
    var last = timeline[0].time
    for row in 0..<timeline.count where output.isOpen {
      let time = timeline[row].time
      if day(time) != day(last) { output.line("--- Day changed \(day(time))") }
      last = time
      if let message = try? reader.message(timeline[row], in: index) { write(message, time, of: account) }
    }
    output.line("--- Log closed \(stamp(last))")
  }

  /// One line for each of the text.
  private func write(_ message: MessageRecord, _ time: Timestamp, of account: AccountState) {
    let nick = TerminalText.clean(author(of: message, account))
    let date = local(time)
    let head = "\(Self.padded(date.hour)):\(Self.padded(date.minute)) < \(nick)> "
    for line in message.shownText.split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" })
    {
      output.line(head + TerminalText.cleanBetweenTabs(line))
    }
  }

  /// The local part of mine, an occupant's nick, the contact's name in the roster, or the bare JID, which is behind a name
  /// that is like mine or like an address.
  private func author(of message: MessageRecord, _ account: AccountState) -> String {
    switch message.author {
    case .thisDevice, .otherDevice: return String(account.record.jid.prefix { $0 != "@" })
    case .occupant(let occupant): return occupant.nick.isEmpty ? message.jid : occupant.nick
    case .person: break
    }
    guard let name = account.contacts[message.jid]?.name else { return message.jid }
    return account.shownName(of: message.jid)?.warning == nil ? name : "\(name) <\(message.jid)>"
  }

  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// `Fri Nov 20 2026`
  private func day(_ time: Timestamp) -> String { "\(weekday(time)) \(local(time).year)" }

  /// `Fri Nov 20 09:10:00 2026`
  private func stamp(_ time: Timestamp) -> String {
    let date = local(time)
    let clock = [date.hour, date.minute, date.second].map(Self.padded).joined(separator: ":")
    return "\(weekday(time)) \(clock) \(date.year)"
  }

  /// `Fri Nov 20`
  private func weekday(_ time: Timestamp) -> String {
    let date = local(time)
    let number = CivilDate.days(year: date.year, month: date.month, day: date.day) % 7
    return "\(Self.days[Int(number + 7) % 7]) \(Self.months[date.month - 1]) \(Self.padded(date.day))"
  }

  private func local(_ time: Timestamp) -> CivilDate { CivilDate(time, offsetSeconds: offset(time)) }

  private static func padded(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
}

extension MessageRecord {
  /// All that it says, for people.
  fileprivate var shownText: String {
    if details?.change?.retraction != nil { return "(retracted)" }
    let hasMore = details?.forwarded.isEmpty == false || details?.attachments.isEmpty == false || details?.event != nil
    return hasMore ? details?.plain ?? text : text
  }
}
