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
}
