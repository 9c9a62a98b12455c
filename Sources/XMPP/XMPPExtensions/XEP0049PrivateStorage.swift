package import XML
import XMPPCore

/// XEP-0049, for bookmarks alone (XEP-0048): an element that the server keeps for an account.
package enum PrivateStorage {
  private static let namespace: StaticString = "jabber:iq:private"
  /// The feature of accounts where this and the node of XEP-0048 are the same (XEP-0411).
  package static let conversion: StaticString = "urn:xmpp:bookmarks-conversion:0"

  /// True if an account or its server says that there is such a storage.
  package static func isOffered(by info: DiscoInfo) -> Bool { info.has(namespace) || info.has(conversion) }

  package static func request(id: String) -> [UInt8] {
    IQ.get(id: id) { writer in
      writer.open("query", xmlns: namespace)
      writer.empty("storage", xmlns: BookmarkStorage.namespace)
      writer.close()
    }
  }

  /// The bookmarks in the answer; nil: there is nothing that could be changed and stored again.
  package static func bookmarks(in iq: Element) -> BookmarkStorage? {
    let storage = iq.child("query", namespace)?.onlyChild("storage", BookmarkStorage.namespace)
    return storage.flatMap { BookmarkStorage($0) }
  }

  /// Stores all bookmarks, in place of those that are there.
  package static func store(_ storage: BookmarkStorage, id: String) -> [UInt8] {
    IQ.set(id: id) { writer in
      writer.open("query", xmlns: namespace)
      storage.write(into: &writer)
      writer.close()
    }
  }
}
