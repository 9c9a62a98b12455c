import Clocks
package import ConfabClient

/// The look of a message among its neighbours, and what the view wants of it.
package struct MessageFlags: Hashable, Sendable {
  /// True if the message has another sender than the one above.
  package var showsName: Bool
  /// True if a line separates the message from the one above (bubbles only).
  package var hasGap: Bool
  /// False if the message above has the same sender and the same minute.
  package var showsTime = true
  /// True if the sender's name is, or looks like, another's or mine: the address follows it.
  package var showsAddress: Bool
  /// The address that follows the name then; nil: that of the message.
  package var address: String?
  /// True if a long text is shown whole.
  package var isUnfolded: Bool
  package var isSelected: Bool
  /// The time until a message that is kept back leaves, as it is shown; nil if it is not kept back.
  package var countdown: Countdown.Shown?
  /// The nicks of those who have displayed it and what stands above; empty where that is said of a later one.
  package var readers: [String] = []
  /// The text that the colour of the sender's name is made of (XEP-0392 §5): a bare JID, or in a room a nick; nil: the address.
  package var colourName: String?
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
    let showsName = !isSame || previous?.isLine == true
    self.init(
      showsName: showsName, hasGap: previous.map { !$0.isLine || !message.isLine } ?? false,
      countdown: message.countdown(at: now)?.shown)
    showsTime = showsName || previous.map { $0.minute != message.minute } ?? true
  }
}

extension MessageRow {
  fileprivate var minute: Int64 { time.milliseconds / 60_000 }

  /// True if the message is shown as a line that names its sender, without a bubble.
  var isLine: Bool { details.isAction || details.retraction != nil || isEvent }

  /// The time until a message that is kept back leaves; nil if it does not wait for that.
  /// - Parameter now: seconds since 1970.
  package func countdown(at now: Int64) -> Countdown? {
    guard delivery == .queued, let heldUntil, heldUntil.milliseconds > 1000 * now else { return nil }
    return Countdown(seconds: max(1, heldUntil.milliseconds / 1000 - now))
  }
}
