import ConfabAccounts

/// The clients that are connected.
struct ClientTable {
  private var byID: [ClientID: Client] = [:]
  /// In the order in which they connected.
  private(set) var all: [Client] = []

  subscript(id: ClientID) -> Client? { byID[id] }

  mutating func add(_ client: Client) {
    byID[client.id] = client
    all.append(client)
  }

  mutating func remove(_ client: Client) {
    byID[client.id] = nil
    all.removeAll { $0 === client }
  }
}
