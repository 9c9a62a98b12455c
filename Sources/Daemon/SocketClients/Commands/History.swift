import ConfabAccounts
import Clocks
import Timelines
import State
import JSON
import LineProtocol
import Records
import ConfabConfiguration
import XMPPCore

/// `conversations`, `history`, `sections` and `forget-history`.
extension Command {
  static let history: [Verb: Handler] = [
    .conversations: { try $0.conversations() },
    .history: { try $0.page() },
    .sections: { try $0.sections() },
    .forgetHistory: { try $0.forget() },
  ]

  private func page() throws(RequestFailure) {
    let (page, account) = (try historyPage(), try account())
    guard page.showsBeginning, let room = account.parts.messaging.rooms[try bareJID()], room.canFetchOlder else {
      return client.answers.append(.paging(PagedAnswer(request, .history(page))))
    }
    room.history.fetchOlder(request.integer(.limit) ?? 50, for: ticket())
  }

  /// The first piece of a page, and the rest of it.
  func page(_ space: Int) -> (bytes: [UInt8], rest: PagedAnswer?) {
    do throws(RequestFailure) {
      var page = PagedAnswer(request, .history(try historyPage()))
      return (page.next(context, space: space), page.isDone ? nil : page)
    } catch {
      return (request.error(error), nil)
    }
  }

  private func historyPage() throws(RequestFailure) -> HistoryPage {
    let account = try account()
    let jid = try bareJID()
    let conversation =
      account.state.conversations[jid]
      ?? Conversation(account: account.number, jid: jid, gap: context.state.accounts.gap)
    let query = HistoryPage.Query(
      position: try position(in: conversation), request: request, seq: context.storage.queue.durable,
      mayHaveOlder: account.parts.messaging.rooms[jid]?.history.mayHaveOlder ?? false)
    return HistoryPage(of: conversation, query)
  }

  private func position(in conversation: Conversation) throws(RequestFailure) -> PagePosition {
    if let row = try row(.before, in: conversation) { return .before(row: row) }
    if let row = try row(.after, in: conversation) { return .after(row: row) }
    if let row = try row(.around, in: conversation) { return .around(row: row) }
    return request.integer(.row).map(PagePosition.row) ?? .newest
  }

  /// The row of the message that an option names.
  private func row(_ option: OptionName, in conversation: Conversation) throws(RequestFailure) -> Int? {
    guard let id = request.id(option) else { return nil }
    return try context.row(of: id, in: conversation, argument: option.rawValue)
  }

  private func sections() throws(RequestFailure) {
    let account = try account()
    let jid = try bareJID()
    var writer = JSONWriter()
    if let conversation = account.state.conversations[jid] {
      let found = conversation.timeline.sections(
        gap: request.duration(.gap), limit: request.integer(.limit) ?? 50, before: try row(.before, in: conversation))
      for section in found { write(section, into: &writer) }
    } else if let id = request.id(.before) {
      throw RequestFailure(.notFound, "message \(id) is not in the conversation with \(jid)", argument: "before")
    }
    Answer.ok(request.tag, into: &writer)
    answer(writer.bytes)
  }

  private func write(_ section: Section, into writer: inout JSONWriter) {
    Answer.data("section", request.tag, into: &writer) {
      $0.member("id", section.id)
      $0.member("start", section.start)
      $0.member("end", section.end)
      $0.member("count", section.count)
      $0.member("first", section.first)
      $0.member("last", section.last)
      let offset = context.effects.utcOffset(section.start)
      $0.member("title", plain: SectionTitle.longest) {
        SectionTitle.append(section.start, offsetSeconds: offset, to: &$0)
      }
    }
  }

  private func forget() throws(RequestFailure) {
    try context.checkStorage(usesDiskReserve: true)
    let account = try account()
    let jid = try forgettableJID()
    let there = account.state.conversations(with: jid)
    let wanted = there.filter { $0 == jid.description || !account.state.knows($0) }
    // Nicknames are cleared before the history is hidden, so that they are hidden too.
    let hadNickname = account.parts.people.nicknames.forget(jid)
    let hasMore = { hadNickname && $0 == jid.description || self.hasMore(of: $0, account) }
    let new = wanted.filter(hasMore)
    // Without a conversation there may be other records.
    let other = there.contains(jid.description) ? [] : [jid.description].filter(hasMore)
    for jid in new + other { forget(jid, of: account) }
    let completion = AnswerQueue.Completion.forgotten(new.count, kept: there.count - wanted.count)
    answer(whenDurable: new.isEmpty && other.isEmpty ? 0 : context.storage.queue.last, then: completion)
  }

  /// True if something may be left to forget.
  private func hasMore(of jid: String, _ account: Account) -> Bool {
    account.state.mayForgetMore(of: jid) || context.storage.pending.hasDraft(of: account.number, jid)
  }

  /// A bare JID or a domain.
  private func forgettableJID() throws(RequestFailure) -> JID {
    let jid = try jid()
    guard jid.local != nil || jid.resource == nil else {
      throw RequestFailure(
        .badArgument, "\(jid) has a resource: name a conversation's JID or a domain without one", argument: "jid")
    }
    return jid.bare
  }

  /// The draft is cleared before the history is hidden, so that its old text is hidden too.
  private func forget(_ jid: String, of account: Account) {
    let archives = account.state.server.archives
    let archive = (account.state.rooms[jid] == nil ? archives[nil] : archives[jid])?.anchor?.time
    let isPending = context.storage.pending.hasDraft(of: account.number, jid)
    if isPending || account.state.conversations[jid]?.draft.isEmpty == false {
      context.storage.append(.draft(DraftRecord(account: account.number, jid: jid, text: "")))
    }
    let time = context.effects.now.wall.milliseconds
    context.storage.appendUrgently(
      .forgetting(ForgettingRecord(account: account.number, jid: jid, archive: archive, time: time)))
  }
}

extension AccountState {
  /// The bare JIDs with which there are conversations: this one, or those of a domain.
  fileprivate func conversations(with jid: JID) -> [String] {
    guard jid.local == nil else { return conversations[jid.description] == nil ? [] : [jid.description] }
    let (domain, end) = (jid.domain, "@" + jid.domain)
    return conversations.jids.filter { $0 == domain || $0.hasSuffix(end) }.sorted()
  }
}

// MARK: - `conversations`: the list by recency, page by page

extension Command {
  private func conversations() throws(RequestFailure) {
    let limit = request.integer(.limit) ?? 50
    let found = try newest(limit + 1)
    let final = request.ok { $0.member("more_before", found.count > limit) }
    client.answers.append(.paging(PagedAnswer(request, .conversations(Array(found.prefix(limit))), final: final)))
  }

  /// The newest conversations: one more than the limit, whose presence is `more_before`.
  private func newest(_ count: Int) throws(RequestFailure) -> [Conversation] {
    let bound = try bound()
    let now = context.effects.now.wall
    let isKnown = request.string(.known).map { $0 == "yes" }
    var all = NewestConversations(count, now: now, behind: bound)
    for account in try context.accounts(of: request) {
      let state = account.state
      var list = NewestConversations(count, now: now, behind: bound) { conversation in
        isKnown.map { $0 == state.knows(conversation.jid) } ?? true
      }
      if let group = request.string(.group) {
        for contact in account.state.contacts.all where contact.groups.contains(group) {
          if let conversation = account.state.conversations[contact.jid] { list.insert(conversation) }
        }
      } else if isKnown == true {
        // Not by looking through those of strangers, of whom there may be any number.
        for jid in state.knownJIDs { if let conversation = state.conversations[jid] { list.insert(conversation) } }
      } else {
        state.conversations.fill(&list)
      }
      for conversation in list.sorted() { all.insert(conversation) }
    }
    return all.sorted()
  }

  /// The place of the conversation that `before=` names.
  private func bound() throws(RequestFailure) -> Conversation.Place? {
    guard let jid = try bareJID(.before) else { return nil }
    let places = try context.accounts(of: request).compactMap {
      $0.state.conversations[jid]?.place(asOf: context.effects.now.wall)
    }
    guard places.count < 2 else { throw context.accountNeeded }
    guard let place = places.first else {
      throw RequestFailure(.notFound, "no conversation with \(jid)", argument: "before")
    }
    return place
  }
}
