import Bytes
import Clocks
import ConfabAccounts
import ConfabConfiguration
import JSON
import Records
import State

@testable import ConfabEngine

/// Hooks: their commands end when told.
extension Harness {
  /// A hook on messages, with a command that is never run.
  static func hook(
    _ name: String = "one", on events: [HookEvent] = [.message], in conversations: [String] = []
  ) -> HookSettings {
    var settings = HookSettings(name: name)
    (settings.events, settings.conversations, settings.command) = (events, conversations, "run \(name)")
    return settings
  }

  /// Bob says something.
  func hear(_ texts: String..., from jid: String = "bob@example.org") {
    for text in texts {
      receive("<message from='\(jid)/x' type='chat' id='m\(text)'><body>\(text)</body></message>")
      pass(.milliseconds(50))
    }
  }

  /// The last run ends.
  func endHook(_ outcome: HookOutcome = .done) {
    guard let run = hookRuns.last else { return }
    handle(.hookEnded(run.id, outcome))
    pass(.milliseconds(50))
  }

  /// The events that the commands got, one after the other.
  var hookInputs: [JSONValue] { hookRuns.compactMap { try? JSONParser.parse($0.input) } }

  /// The texts of the messages that they got.
  var hookTexts: [String] { hookInputs.map { $0["message"]?["text"]?.string ?? $0["event"]?.string ?? "?" } }

  /// Ends runs until none is left.
  func runHooks() {
    var count = 0
    while hookRuns.count > count {
      count = hookRuns.count
      endHook()
    }
  }

  /// The hooks in the answer of `status`.
  var hookStatus: [JSONValue] { ask(connect(777), "status").last?["hooks"]?.array ?? [] }

  func hookCursor(_ name: String = "one") -> UInt64? { engine.state.cursors[.ofHook(name)] }
}
