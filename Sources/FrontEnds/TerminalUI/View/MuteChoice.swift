import Clocks
import ConfabClient
import LineProtocol

/// For how long a conversation is muted.
enum MuteChoice {
  /// - Parameter isMuted: then the first choice is to unmute it.
  static func items(
    _ key: ConversationKey, isMuted: Bool, now: Timestamp, date: (Timestamp) -> CivilDate
  ) -> [PickerItem] {
    let hour = now.advanced(by: .hours(1))
    let local = date(now)
    let sinceMidnight = Interval.seconds(Int64(local.hour * 3600 + local.minute * 60 + local.second))
    // 8 in the morning, where the user is.
    let tomorrow = now.advanced(by: Interval(milliseconds: 32 * 3_600_000 - sinceMidnight.milliseconds))
    let unmute = item("Unmute: notices for all messages", "always", nil, key, "unmute \(key.jid)")
    let mute = [
      item("Mute for an hour", "never", hour, key, "mute \(key.jid) for an hour"),
      item("Mute until tomorrow", "never", tomorrow, key, "mute \(key.jid) until tomorrow"),
      item("Mute for ever", "never", nil, key, "mute \(key.jid) for ever"),
      item("Notices only where you are named", "mentions", nil, key, "mute \(key.jid) where you are not named"),
    ]
    return isMuted ? [unmute] + mute : mute + [unmute]
  }

  private static func item(
    _ title: String, _ level: String, _ until: Timestamp?, _ key: ConversationKey, _ label: String
  ) -> PickerItem {
    var request = Request(.notify, arguments: [.jid: .string(key.jid), .level: .string(level)])
    if let until { request.options[.until] = .time(until) }
    request.account = key.accountName
    return PickerItem(title, "", .request(request, label))
  }
}
