import Clocks
import JSON

/// A program at the daemon's socket that lives through the daemon's deaths and its own: it connects again and goes on.
class FrontEndProgram {
  let name: String
  unowned let frontEnds: FrontEnds
  private(set) var connection: FrontEndConnection?

  init(_ name: String, _ frontEnds: FrontEnds) { (self.name, self.frontEnds) = (name, frontEnds) }

  final var world: World { frontEnds.world }

  /// The first time.
  final func begin() { world.after(world.dice.interval(0...500)) { [self] in reconnect() } }

  private func reconnect() {
    guard connection == nil else { return }
    connection = frontEnds.connect(self)
    if connection == nil {
      world.after(world.dice.interval(50...3_000)) { [self] in reconnect() }
    } else {
      connected()
    }
  }

  /// Its connection ended: by the daemon's death, mostly.
  final func disconnected(_ old: FrontEndConnection) {
    guard connection === old else { return }
    connection = nil
    world.after(world.dice.interval(10...2_000)) { [self] in reconnect() }
  }

  /// It dies, and is started again.
  final func die() {
    guard let connection else { return }
    if world.dice.percent(30) { connection.write("send key=half bob@exam") }
    connection.close()
    disconnected(connection)
  }

  // MARK: - What each kind does

  /// There is a new connection.
  func connected() {}

  /// A line came.
  func hear(_ line: JSONValue) {}

  /// It is satisfied: nothing is owed to it.
  var isContent: Bool { true }
}
