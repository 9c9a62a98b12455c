import Clocks
import ConfabClient
import JSON

extension RowFormat {
  /// Rows for popups and the plain mode.
  ///
  /// - Parameters:
  ///   - date: of a time, where the user is.
  ///   - presence: of a contact in words; empty if it is unknown.
  init(
    _ words: DateWords, date: @escaping (Timestamp) -> CivilDate, now: Timestamp,
    presence: @escaping (ContactRow) -> String
  ) {
    let clock = LocalClock(
      day: { words.day(date($0), today: date(now)) }, minute: { words.time(date($0)) })
    self.init(style: .spoken, clock: clock)
    self.presence = presence
  }

  /// The lines of an answer that has no view of its own.
  ///
  /// - Parameter objects: the answer's data lines, then its final line.
  func lines(ofAnswer objects: [JSONValue]) -> [String] {
    let all = objects.flatMap { $0["ok"] == nil ? lines($0) : final($0) }
    return all.isEmpty ? ["There is nothing to show."] : all
  }

  private func lines(_ object: JSONValue) -> [String] {
    if let row = object["message"].flatMap(MessageRow.init) { return [messages.found(row)] }
    if let verb = object["verb"] { return ["/" + (text(verb, "usage") ?? ""), "  " + (text(verb, "summary") ?? "")] }
    guard let member = object.members?.first(where: { $0.value.members != nil }) else { return [] }
    return (line(member.name, member.value) ?? "").split(separator: "\n").map(String.init)
  }

  private func final(_ object: JSONValue) -> [String] {
    guard object["ok"]?.bool == true else { return [SocketModel.reason(object)] }
    if let text = object["text"]?.string { return text.split(separator: "\n").map(String.init) }
    if object["active"] != nil, let words = encryption(object) { return [words] }
    if let digits = text(object, "fingerprint") { return [fingerprint(digits), text(object, "uri") ?? ""] }
    if let nick = text(object, "nick") { return [nick] }
    if let unread = object["unread"]?.integer { return [Self.counted(unread, "unread message")] }
    return text(object, "version").map { ["Confab \($0)"] } ?? []
  }
}
