import Clocks
import ConfabClient
import Screen

/// Makes the scene of an open conversation: all that its lines depend on.
struct SceneBuilder {
  let app: Application

  func scene(_ view: ConversationView, _ window: RowWindow, width: Int) -> Transcript.Scene {
    let (context, avatarCanvas) = (app.appearance.layout(width: width), app.appearance.avatarCanvas)
    let found = (app.model.search?.hits ?? []).filter { $0.id == view.selected }.map { ($0.id, $0.hits) }
    let target = view.selectedTarget(window).map { ($0.message, [$0.range]) }
    let filesKey = app.appearance.keyName(.files)
    let (pictures, form) = (app.screen.pictures, app.appearance.pictureForm)
    return Transcript.Scene(
      window: window, unreadFrom: view.unreadFrom, unreadCount: view.unreadCount,
      readByOthers: window.rows.last { $0.isMine && !$0.readers.isEmpty }?.id, selected: view.selected,
      unfolded: view.unfolded, hits: Dictionary(found + (target.map { [$0] } ?? [])) { $1 },
      fileStates: { [app] in app.model.fileStates($0, filesKey: filesKey) },
      pictures: { row in form.map { pictures.pictures(of: row.id, on: $0.canvas(of: row, width: width).canvas) } ?? []
      },
      avatar: avatarCanvas.flatMap { pictures.avatars.picture(of: view.key, on: $0) },
      tail: tail(view.key, context), copyView: app.screen.surface.copyView,
      context: context, date: app.environment.date, now: app.now.wall,
      isImitated: { [app] row in
        app.model.isImitated(row.nick ?? "", ConversationKey(account: row.account, jid: row.conversation))
      },
      colourName: { [app] row in app.model.colourName(row, in: view.key) },
      doubtfulNick: { [app] row in app.model.ownerOfDoubtfulNick(row, in: view.key) },
      name: { [app] jid, account in
        let bare = String(jid.prefix { $0 != "/" })
        let key = ConversationKey(account: account, jid: bare)
        if let room = app.model.rooms[key], bare.count < jid.count {
          let nick = String(jid.dropFirst(bare.count + 1))
          return nick == room.nick ? "me" : nick
        }
        return app.model.accounts.contains { $0.jid == bare } ? "me" : app.model.name(of: key)
      })
  }

  /// Messages that are not stored yet, and people who are typing.
  private func tail(_ key: ConversationKey, _ context: LayoutContext) -> [StyledLine] {
    guard let window = app.model.windows[key] else { return [] }
    let unsent = app.model.outgoing.all.filter { $0.conversation == key }
    var lines: [StyledLine] = []
    if window.hasMoreAfter {
      // Without a daemon the end does not come, and what was written now is shown all the same.
      guard app.model.link != .connected, !unsent.isEmpty else { return [] }
      lines.append(RuleLines.missing("newer messages come with the daemon", in: context))
    }
    let typing = app.model.typing.words(in: key, name: app.model.name(of: key))
    // Below a bubble of several lines the first of these would seem to be one of them.
    let isApart = !unsent.isEmpty || typing != nil || app.model.encryption.news[key] != nil
    if isApart, lines.isEmpty, !context.isCompact { lines.append(StyledLine()) }
    for sentence in app.model.encryption.news[key] ?? [] {
      let words = "\(sentence) \(app.appearance.keyName(.devices))"
      lines.append(RuleLines.notice(words, in: context))
    }
    for message in unsent {
      let text = OneLine(message.typed, width: max(1, context.width - 20), in: context)
      var line = LineBuilder(context)
      line.fill(to: max(0, context.width - text.width - 17))
      line.add(text.glyphs, context.scheme[.queued])
      line.add(.queued, "  not stored yet")
      lines.append(line.line)
    }
    if let typing {
      lines.append(RuleLines.typing(typing.who, typing.verb, in: context))
    }
    return lines
  }
}
