package import Clocks
import ConfabClient
package import Screen

/// The whole UI without terminal, socket and clock: events in, actions and frames out.
///
/// Its parts: what the daemon says (`model`), what is shown (`screen`), what is written (`composer`), who is there
/// (`attendance`). One thread owns it.
package final class Application {
  package internal(set) var model: SocketModel
  package internal(set) var screen: ScreenState
  package internal(set) var composer = Composer()
  /// The text of the status line, and its end.
  package internal(set) var notice: (text: String, until: Instant)?
  /// The last notice; empty: there was none.
  var lastNotice = ""
  package internal(set) var settings: UISettings
  var gate = NoticeGate()
  var attendance = ReaderAttendance()
  var answers = AnswerWatch()
  /// The name or address of the conversation still to be opened at the start; empty for none.
  var wanted: String
  /// The conversations that are open, as they were kept last; nil: those of the last run are not open again yet.
  var keptPanes: [ConversationKey]?
  var typedSearch = TypedSearch()
  var keys: PendingKeys
  let inputLayouts = InputLayouts()
  let occupantLines = OccupantLines()
  let environment: ApplicationEnvironment
  /// True while a requested reload of the settings is outstanding.
  var isReadingSettings = false
  var now: Moment
  var actions: [ApplicationAction] = []
  /// True if something changed since the last frame.
  package private(set) var needsFrame = true

  package init(
    _ environment: ApplicationEnvironment, settings: UISettings, columns: Int, lines: Int, capabilities: Capabilities,
    now: Moment
  ) {
    self.environment = environment
    wanted = environment.who
    self.settings = settings
    self.now = now
    screen = ScreenState(Surface(columns: columns, lines: lines, capabilities: capabilities))
    model = SocketModel(pageSize: Self.pageSize(lines))
    keys = PendingKeys(settings.keyMap)
  }

  /// The number of messages to load: the screen, and a screenful on each side.
  private static func pageSize(_ lines: Int) -> Int { min(300, max(30, 3 * lines)) }

  /// Something happened; what is to be done about it.
  package func handle(_ event: ApplicationEvent, at now: Moment) -> [ApplicationAction] {
    (self.now, model.wall) = (now, now.wall)
    take(event)
    for event in model.takeRefusals() { take(event) }
    let hasHeard = if case .lines = event { true } else { false }
    if !hasHeard || !model.isGathering { settle() }
    answers.update(isAwaiting: model.awaitsDaemon, hasHeard: hasHeard, at: now.instant)
    needsFrame = true
    defer { actions = [] }
    return actions + takeOutput()
  }

  private func take(_ event: ApplicationEvent) {
    switch event {
    case .input(let input): take(input)
    case .resized(let columns, let lines):
      (screen.surface.columns, screen.surface.lines) = (columns, lines)
      model.setPageSize(Self.pageSize(lines))
    case .capabilities(let capabilities): screen.surface.capabilities = capabilities
    case .connected: model.connected()
    case .lines(let lines): for event in model.receive(lines) { take(event) }
    case .disconnected(let reason):
      model.disconnected(reason)
      attendance.reset()
      composer.forgetTyping()
    case .ending:
      shareAllDrafts()
      tellGone()
    case .deadline: break
    case .edited(let text): takeEdited(text)
    case .failed(let reason), .said(let reason): say(reason)
    case .notOpened(let message, let reason): for event in model.giveUp(message, reason) { take(event) }
    case .drawn(let drawing, let wanted, let request, let key): take(drawing, of: wanted, request, key)
    case .foundFiles(let paths, let key): offer(paths, key)
    case .folder(let listing): take(listing)
    case .previewed(let drawing, let path, let request):
      screen.takePreview(drawing, path, request, appearance)
    case .drewAvatar(let drawing, let hash, let request): takeAvatar(drawing, hash: hash, request)
    case .spelled(let verdicts): composer.spelling.take(verdicts)
    case .suggestions(let word, let others): offer(others, for: word)
    case .settings(let file): take(file)
    }
  }

  private func take(_ file: SettingsFile) {
    if file.settings.spelling != settings.spelling { composer.spelling.forget() }
    settings = file.settings
    keys = PendingKeys(settings.keyMap)
    let errors = file.errors
    if let path = file.missing {
      say("There is no \(path), so all is as usual; tui.conf(5) says what it can change.")
    } else if errors.isEmpty {
      say("The settings were read again.")
    } else if isReadingSettings {
      push(.wrongSettings(errors))
    } else {
      say("\(errors.count) mistake\(errors.count == 1 ? "" : "s") in tui.conf; the rest holds. /settings shows all.")
    }
    isReadingSettings = false
  }

  private func takeOutput() -> [ApplicationAction] {
    defer { (model.output, model.fileRequests) = ([], []) }
    return (model.output.isEmpty ? [] : [.send(model.output)]) + model.fileRequests.map(ApplicationAction.pass)
  }

  /// Shows a sentence in the status line for a while.
  func say(_ text: String) {
    notice = (text, now.instant.advanced(by: Self.noticeTime))
    lastNotice = text
  }

  private static let noticeTime = Interval.seconds(8)

  /// Messages laid out so far; for tests.
  package var layoutCount: Int { screen.conversations.panes.reduce(0) { $0 + $1.transcript.layoutCount } }

  /// Builds the frame to paint; the loop calls it once for a batch of events.
  package func frame() -> Frame {
    needsFrame = false
    return FrameBuilder(self).build()
  }

  // MARK: What the parts work with

  var appearance: Appearance {
    Appearance(settings: settings, surface: screen.surface, words: environment.words, keys: keys.map)
  }

  var slash: SlashCommand {
    SlashCommand(conversation: screen.concerned, book: model.book, rooms: model.rooms, times: times)
  }

  /// Reads times as people write them.
  var times: TimeWords { TimeWords(now: { [now] in now.wall }, offset: environment.offset) }

  var conversationWords: ConversationWords {
    ConversationWords(model: model, appearance: appearance, date: environment.date, now: now.wall)
  }

  /// Actions on messages of the conversation that has the keys.
  var messages: MessageActions? {
    guard let view = screen.focused, let window = model.windows[view.key] else { return nil }
    return MessageActions(
      view: view, window: window, name: model.name(of: view.key), fetches: model.fetches,
      moderates: model.rooms[view.key]?.role == .moderator)
  }

  var canvases: PictureCanvases { PictureCanvases(appearance: appearance, panes: screen.panes) }
}
