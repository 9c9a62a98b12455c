import Clocks
import Records
import State
import XMPPExtensions

// The archive of the room.
extension Room {
  /// True if messages from before the oldest one that is here can be fetched now.
  package var canFetchOlder: Bool { machine.hasStream && history.canGoBack }

  /// Takes a result of the archive. Until the room has shown me, nobody knows which of the messages are mine: the page
  /// is asked for again then.
  func receive(_ result: ArchiveResult) {
    if machine.isShown || history.archive.run?.token != result.token {
      history.sync.receive(result)
    } else {
      history.forgetRun()
    }
  }

  /// The messages from before that the room is to send: none where it has an archive.
  var wantedHistory: MultiUserChat.History {
    if record.info?.has(.archive) == true { return .last(0) }
    guard record.firstJoined != nil, let last = state.conversations[address]?.newestTime else { return .standard }
    // A message of mine that leaves later stands in the future.
    let since = min(outbox.oldest ?? last, last, surroundings.effects.now.wall)
    return .since(since.advanced(by: .milliseconds(-OwnArchive.margin.milliseconds)))
  }
}
