import ConfabClient

/// The viewer: one picture of a conversation after the other, on the whole screen.
struct PictureViewer: Equatable {
  private let files: [FileTarget]
  private(set) var index: Int
  /// The canvas for which the current picture was asked for; nil: it was not.
  private var asked: PictureCanvas?
  /// True while the current picture is loading.
  private(set) var isWaiting = false

  /// - Parameter files: the pictures of a conversation; `chosen` is one of them.
  init?(_ files: [FileTarget], at chosen: FileTarget) {
    guard let index = files.firstIndex(where: { ($0.message, $0.index) == (chosen.message, chosen.index) }) else {
      return nil
    }
    (self.files, self.index) = (files, index)
  }

  var current: FileTarget { files[index] }
  /// `2 of 5`
  var position: String { "\(index + 1) of \(files.count)" }

  /// Goes to another picture, as far as there is one.
  mutating func turn(_ step: Int) {
    let next = min(max(0, index + step), files.count - 1)
    if next != index { (asked, isWaiting) = (nil, false) }
    index = next
  }

  /// True if the picture has to be requested; true once for a canvas.
  mutating func asks(for canvas: PictureCanvas) -> Bool {
    guard asked != canvas else { return false }
    (asked, isWaiting) = (canvas, true)
    return true
  }

  /// Forgotten as asked for.
  mutating func askAgain() { asked = nil }

  /// The picture is here, or cannot be had.
  mutating func stopWaiting() { isWaiting = false }

  // MARK: Keys

  mutating func act(_ action: UserAction, _ fetches: FileFetches) -> KeyOutcome {
    switch action {
    case .back: return .closed
    case .up, .left, .pageUp, .lineUp, .selectUp, .otherPane: turn(-1)
    case .down, .right, .pageDown, .lineDown, .selectDown, .complete: turn(1)
    case .open: return .intent(.popup(.file(current)))
    case .cancelMessage: return stop(fetches)
    case .quit, .redraw, .suspend: return .passed
    default: break
    }
    return .taken
  }

  /// Letters are the keys of a viewer.
  mutating func type(_ letter: String, _ fetches: FileFetches) -> KeyOutcome {
    switch letter {
    case "n", " ": turn(1)
    case "p", "b": turn(-1)
    case "s": return .intent(.prompt(.saveFile(current), text: "~/" + current.file.fileName))
    case "o": return .intent(current.fetching(.open))
    case "x": return stop(fetches)
    case "q": return .closed
    default: break
    }
    return .taken
  }

  private func stop(_ fetches: FileFetches) -> KeyOutcome {
    isFetched(fetches) ? .intent(.stopFetching(current.message, [current.index], current.conversation)) : .taken
  }

  /// True while the picture is being fetched.
  private func isFetched(_ fetches: FileFetches) -> Bool {
    fetches.indices(of: current.message).contains(current.index)
  }

  // MARK: Words

  /// The line below the picture.
  func words(_ fetches: FileFetches) -> String {
    let state = fetches.states(of: current.message)[current.index]
    let words = isWaiting ? state?.progress ?? "Fetching" : state?.trouble ?? current.file.facts
    return "\(position)  \(current.file.title): \(words)"
  }

  func hints(_ fetches: FileFetches) -> [String] {
    (isFetched(fetches) ? ["x stop"] : []) + ["n next", "p previous", "s save", "o open", "Enter more", "Esc back"]
  }
}

extension MessageRow {
  /// The pictures among its files.
  func pictureFiles(in key: ConversationKey) -> [FileTarget] {
    files(in: key).filter { $0.file.isPicture && !$0.file.url.isEmpty }
  }
}
