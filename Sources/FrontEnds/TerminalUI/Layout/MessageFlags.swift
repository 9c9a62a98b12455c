import Clocks
package import ConfabClient

/// The look of a message among its neighbours, and what the view wants of it.
package struct MessageFlags: Hashable, Sendable {
  /// True if the message has another sender than the one above.
  package var showsName: Bool
  /// True if a blank line separates the message from the line above (bubbles only).
  package var hasGap: Bool
  /// True if the sender's name is, or looks like, another's or mine: the address follows it.
  package var showsAddress: Bool
  /// True if a long text is shown whole.
  package var isUnfolded: Bool
  package var isSelected: Bool
  /// The time until a message that is kept back leaves, as it is shown; nil if it is not kept back.
  package var countdown: Countdown.Shown?
  /// The nicks of those who have displayed it and what stands above; empty where that is said of a later one.
  package var readers: [String] = []
  /// How the author of the message that it answers is called; nil: by the address.
  package var answeredName: String?
  /// Its files that are being fetched, could not be had, or were not sent, by their indices.
  package var fileStates: [Int: FileState] = [:]
  /// Pictures of it that are shown, for the width of the pane.
  package var pictures: [DrawnPicture] = []
  /// The avatar of its sender, if that is drawn.
  package var avatar: DrawnPicture?

  /// Hashes the flags of the row alone: few rows have more.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(showsName)
    hasher.combine(isSelected)
  }

  package init(
    showsName: Bool = true, hasGap: Bool = false, showsAddress: Bool = false, isUnfolded: Bool = false,
    isSelected: Bool = false, countdown: Countdown.Shown? = nil
  ) {
    self.showsName = showsName
    self.hasGap = hasGap
    self.showsAddress = showsAddress
    self.isUnfolded = isUnfolded
    self.isSelected = isSelected
    self.countdown = countdown
  }

  /// The flags that follow from the message itself and the one above.
  /// - Parameters:
  ///   - previous: nil at the begin of a section and below the unread line.
  ///   - now: seconds since 1970.
  package init(_ message: MessageRow, below previous: MessageRow?, now: Int64) {
    let isSame = previous.map { $0.isMine == message.isMine && $0.speaker == message.speaker } ?? false
    self.init(
      showsName: !isSame || previous?.isLine == true,
      hasGap: previous.map { !isSame || !message.isJoined(to: $0) } ?? false,
      countdown: message.countdown(at: now)?.shown)
  }
}

extension MessageRow {
  /// Columns of the shortest line of a bubble, about.
  private static let oneLine = 24
  private static let joinedMilliseconds: Int64 = 120_000

  /// True if no blank line separates it from the message of the same sender above. Both must have one line and follow
  /// each other soon, so that their times tell them apart; bubbles of several lines would look like one.
  fileprivate func isJoined(to previous: MessageRow) -> Bool {
    isOneLine && previous.isOneLine && time.milliseconds - previous.time.milliseconds < Self.joinedMilliseconds
  }

  private var isOneLine: Bool {
    text.utf8.count <= Self.oneLine && !text.contains(where: \.isNewline) && details.files.isEmpty
      && details.forwarded.isEmpty && details.reply == nil && details.reactions.isEmpty
  }

  /// True if the message is shown as a line that names its sender, without a bubble.
  var isLine: Bool { details.isAction || details.retraction != nil || isEvent }

  /// The time until a message that is kept back leaves; nil if it does not wait for that.
  /// - Parameter now: seconds since 1970.
  package func countdown(at now: Int64) -> Countdown? {
    guard delivery == .queued, let heldUntil, heldUntil.milliseconds > 1000 * now else { return nil }
    return Countdown(seconds: max(1, heldUntil.milliseconds / 1000 - now))
  }
}
