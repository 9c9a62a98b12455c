/// Behaviours of servers, archives and senders in the field: counted, so that a test can show that each happens.
package enum Behaviour: String, CaseIterable, Sendable {
  case noID = "a message without an id"
  case sharedID = "a message with the id of others"
  case note = "a note to self"
  case change = "a correction, a retraction, a reaction or a reply"
  case flood = "many messages from addresses that are used once"
  case stamp = "a stranger's message that says how old it is"
  case imitation = "a stranger with the user's local part, and forged carbons and archived messages"
  case requests = "more requests for presence than one domain may have waiting"
  case shortRoom = "a disk with less room than texts of strangers need"
  case leftText = "a stranger's text that is acknowledged and left in the archive"
  case unkept = "a message that the archive does not keep"
  case unknownID = "a question for what stands behind an id that is unknown"
  case openEnd = "a last page that is not called complete"
  case lateClose = "a stream closed within ten seconds of a message"
  case changed = "a server that is replaced, with another archive"
  case otherProcess = "a stream that another process resumes"
}
