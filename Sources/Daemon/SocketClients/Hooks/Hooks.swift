package import ConfabAccounts
import Clocks
import ConfabConfiguration
import JSON
import LineProtocol
import Records
import State
import Timelines

/// The hooks of the configuration. Each is a consumer of events with a durable position, for which the daemon runs a
/// command. An event costs nothing if there are no hooks.
package final class Hooks {
  /// True if the user wants to be notified of a message.
  var isNotice: (Entry, Conversation) -> Bool = { _, _ in false }
  private var hooks: [Hook] = []
  private let context: RequestContext
  /// New settings that are applied once the state is fully loaded.
  private var settings: [HookSettings]?
  /// The numbers of the accounts that were online at the last change.
  private var online: Set<UInt32> = []

  init(_ context: RequestContext) { self.context = context }

  /// When a tick is wanted next.
  var nextDeadline: Instant? {
    guard !hooks.isEmpty, !context.storage.isStopping else { return nil }
    return hooks.reduce(nil) { $0.orEarlier($1.nextDeadline) }
  }

  func configure(_ settings: [HookSettings]) {
    self.settings = settings
    advance()
  }

  /// Called when records became durable or the state is fully loaded.
  func advance() {
    guard context.storage.isWhole else { return }
    if let settings = settings.take() { takeUp(settings) }
    for hook in hooks { hook.advance() }
  }

  func tick() { for hook in hooks { hook.tick(at: context.effects.now.instant) } }

  /// Stores the positions at an orderly stop.
  package func stop() { for hook in hooks { hook.stop() } }

  package func ended(_ id: HookRunID, _ outcome: HookOutcome) { _ = hooks.contains { $0.ended(id, outcome) } }

  private func takeUp(_ settings: [HookSettings]) {
    let names = Set(settings.map(\.name))
    for hook in hooks where !names.contains(hook.name) { hook.remove() }
    hooks = settings.map(hook)
    let known = Set(names.map { CursorName.ofHook($0) })
    for name in context.state.cursors.keys.sorted() where name.isOfHook && !known.contains(name) {
      context.storage.append(.cursor(CursorRecord(name: name)))
    }
  }

  private func hook(_ settings: HookSettings) -> Hook {
    let filter = HookFilter(settings, context) { [unowned self] in isNotice($0, $1) }
    guard let known = hooks.first(where: { $0.name == settings.name }) else { return Hook(settings, filter, context) }
    known.configure(settings, filter)
    return known
  }

  /// Writes the member `hooks` of the final line of `status`, if there are any.
  func write(into writer: inout JSONWriter) {
    guard !hooks.isEmpty else { return }
    writer.array("hooks") { array in
      for hook in hooks {
        array.beginObject()
        hook.write(into: &array)
        array.endObject()
      }
    }
  }
}

// MARK: - Accounts that go online or offline

extension Hooks {
  /// Called when the connection state of an account changed.
  func connectionsChanged() {
    let now = Set(context.accounts.all.filter { $0.status.state == .online }.map(\.number))
    let changed = now.symmetricDifference(online)
    defer { online = now }
    guard !hooks.isEmpty, !context.storage.isStopping else { return }
    for account in changed.sorted() { publish(now.contains(account) ? .online : .offline, of: account) }
  }

  private func publish(_ event: HookEvent, of account: UInt32) {
    let line = EventLine(.connection(account: account), context).line([])
    for hook in hooks where hook.filter.wants(event) { hook.take(line) }
  }
}
