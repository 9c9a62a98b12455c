/// A bounded thing that the users of the sockets take parts of, such as places or bytes. No other user takes it from
/// the owner and root: one takes at most a half, and all others together leave an eighth, and one at least.
package struct FairShares {
  /// The daemon's user.
  let owner: UInt32
  var total: Int
  private var taken: [UInt32: Int] = [:]

  package init(owner: UInt32, total: Int) { (self.owner, self.total) = (owner, total) }

  /// How much this user may still take; negative where the total has become less.
  package func space(for user: UInt32) -> Int {
    let space = total - taken.values.reduce(0, +)
    if isOwn(user) { return space }
    let ofOthers = taken.reduce(0) { isOwn($1.key) ? $0 : $0 + $1.value }
    return min(space, total / 2 - amount(of: user), total - max(total / 8, 1) - ofOthers)
  }

  /// How much this user has.
  func amount(of user: UInt32) -> Int { taken[user] ?? 0 }

  package mutating func take(_ amount: Int, _ user: UInt32) { taken[user, default: 0] += amount }

  mutating func giveBack(_ amount: Int, _ user: UInt32) {
    guard let left = taken[user].map({ $0 - amount }) else { return }
    taken[user] = left > 0 ? left : nil
  }

  /// True if it is the owner or root.
  func isOwn(_ user: UInt32) -> Bool { user == owner || user == 0 }
}
