package import Clocks
package import XML
package import XMPPCore

/// XEP-0313: a question to the archive of an account.
package struct ArchiveQuery: Sendable, Equatable {
  /// The unguessable id of the query, which its results carry.
  package var token: String
  /// Nothing older than this is wanted.
  package var start: Timestamp?
  package var page: ResultSet.Page
  /// The most results that are wanted at once.
  package var max: Int

  package init(token: String, start: Timestamp?, page: ResultSet.Page, max: Int) {
    (self.token, self.start, self.page, self.max) = (token, start, page, max)
  }

  /// The request, to the account whose archive it is.
  package func request(to account: JID, id: String) -> [UInt8] {
    IQ.set(to: account.description, id: id) { writer in
      writer.open("query", xmlns: Namespace.archive, attributes: ["queryid": token])
      if let start {
        DataForm.writeSubmit("\(Namespace.archive)", [DataForm.Change("start", [start.rfc3339])], into: &writer)
      }
      ResultSet.write(page, max: max, into: &writer)
      writer.close()
    }
  }
}

/// One message out of an archive. That it answers a question of ours, and comes from whom that went to, is for the caller
/// to see to.
package struct ArchiveResult: Sendable {
  /// The question that it answers.
  package let token: String?
  /// Its id in the archive.
  package let id: String
  /// The message; nil where the archive does not have it any more (section 2.2), or what is there is no message.
  package let copy: ForwardedMessage?

  /// Reads a `<result/>`; nil where it has no id that is one.
  package init?(_ element: Element) {
    guard element.isNamed("result", Namespace.archive), let id = element.attribute(.id),
      (1...ResultSet.longestID).contains(id.utf8.count)
    else { return nil }
    self.id = id
    token = element.attribute("queryid")
    copy = ForwardedMessage(in: element)
  }
}

/// The archive's statement behind the results of a query.
package struct ArchiveEnd: Sendable, Equatable {
  package var bounds: ResultSet.Bounds?
  /// There is nothing more that was asked for.
  package var isComplete: Bool
  /// True if the results will not change any more (section 4.3.2).
  package var isStable: Bool

  /// Reads the `<fin/>` of an answer; nil where there is none.
  package init?(_ iq: Element) {
    guard let fin = iq.child("fin", Namespace.archive) else { return nil }
    bounds = ResultSet.Bounds(in: fin)
    isComplete = fin.attribute("complete", equals: "true") || fin.attribute("complete", equals: "1")
    isStable = !fin.attribute("stable", equals: "false") && !fin.attribute("stable", equals: "0")
  }
}
