/// Behaviours of servers, archives and senders in the field: counted, so that a test can show that each happens.
package enum Behaviour: String, CaseIterable, Sendable {
  case noID = "a message without an id"
  case sharedID = "a message with the id of others"
  case note = "a note to self"
  case change = "a correction, a retraction, a reaction or a reply"
  case unkept = "a message that the archive does not keep"
  case unknownID = "a question for what stands behind an id that is unknown"
  case openEnd = "a last page that is not called complete"
  case lateClose = "a stream closed within ten seconds of a message"
  case changed = "a server that is replaced, with another archive"
  case otherProcess = "a stream that another process resumes"
}
