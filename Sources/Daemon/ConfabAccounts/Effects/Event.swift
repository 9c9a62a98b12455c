package import Bytes
import Clocks
package import HelperProtocol
package import MarkedText
package import MessageLog
package import Search
package import ConfabConfiguration
package import State

/// Names one connection to a server for its whole life; never used again after it closed.
package struct LinkID: Hashable, Sendable {
  package let number: UInt64
  package init(_ number: UInt64) { self.number = number }
}

/// Names one front end's connection for its whole life; chosen by the driver.
package struct ClientID: Hashable, Sendable {
  package let number: UInt64
  package init(_ number: UInt64) { self.number = number }
}

/// Names one descriptor that the driver holds, for its whole life.
package struct DescriptorID: Hashable, Sendable {
  package let number: UInt64
  package init(_ number: UInt64) { self.number = number }
}

/// An input of the engine. Together with the time of each, the random source and the disk's contents, the events
/// determine all that it does.
package enum Event: Sendable {
  /// Once, first: the log is open and the socket listens.
  case started
  /// A deadline that `Engine.nextDeadline` named has come. Harmless at any time.
  case tick
  case link(LinkID, LinkEvent)
  /// A login's credential was derived from the password, or cannot be.
  case derived(LinkID, Derived)
  case client(ClientID, ClientEvent)
  /// A batch of the log was written and synced, or could not be.
  case committed(LogBatch.Outcome)
  /// Room for one more segment is kept, or there is none.
  /// The file of keys was changed, or could not be.
  case keysChanged(StorageError?)
  case diskReserveKept(StorageError?)
  /// The pages of `Action.storePages` were written, or could not be.
  case pagesStored(StorageError?)
  /// The checkpoint was stored, or could not be.
  case checkpointStored(Snapshot.Outcome)
  /// A search is at its end.
  case found(SearchID, SearchOutcome)
  /// An order to files has ended.
  case file(FileTicket, FileOutcome)
  /// A transfer moves on, or has ended.
  case transfer(TransferTicket, TransferEvent)
  /// The command of a hook has ended.
  case hookEnded(HookRunID, HookOutcome)
  /// The packs of emoticons were read, with a sentence for each that is not taken, or not whole.
  case emoticons(Emoticons, problems: [String])
  /// The configuration was read again at the request of `Action.readConfiguration` or SIGHUP.
  case configuration(ConfigurationOutcome)
  /// An interface, an address or a route came or went. Harmless at any time.
  case networkChanged
  /// The machine was asleep. Harmless at any time.
  case woke
  /// The wall clock was set.
  case clockSet
  /// Stop in order: answer, sync, acknowledge, close or leave the streams, then `Action.exit`.
  case stop(StopRequest)
}

/// How the daemon is told to stop.
package enum StopRequest: Sendable {
  /// SIGTERM, as at an upgrade: it comes again.
  case terminate
  /// SIGINT: a person ends it.
  case interrupt

  /// The treatment of streams if the configuration does not say it.
  package var manner: StopPolicy { self == .terminate ? .detach : .close }
}

/// The outcome of `LinkAction.derive`.
package enum Derived: Sendable {
  /// The credential that `CredentialRequest` asked for.
  case credential([UInt8])
  /// The password cannot be had or used, for this reason.
  case failed(String)
}

/// An event of a front end's connection.
package enum ClientEvent: Sendable {
  case connected(Caller)
  /// Bytes, and the descriptors that came with the last of them.
  case received([UInt8], [DescriptorID] = [])
  /// It closed its writing side: what it asked is still answered.
  case endOfInput
  /// Everything written to it has been handed to the kernel.
  case drained
  /// It has taken so many descriptors that were written to it.
  case descriptorsTaken(Int)
  /// Writing failed for good: the client's commands are still carried out, its queries are not answered.
  case writeFailed
  /// This number of bytes of `Action.broadcast` waits to be handed to the kernel; `drained` follows.
  case pendingOutput(Int)
  case closed
}

/// The process at the other end of a front end's connection, as the kernel reports it.
package struct Caller: Sendable, Equatable {
  /// The `[socket NAME]` section of the socket; nil: the main one.
  package var socket: String?
  package var user: UInt32
  /// 0 where the kernel could not tell.
  package var process: UInt32
  /// Its own group and the supplementary ones; looked at only where the socket has a group.
  package var groups: [UInt32]

  package init(socket: String? = nil, user: UInt32, process: UInt32 = 0, groups: [UInt32] = []) {
    (self.socket, self.user, self.process, self.groups) = (socket, user, process, groups)
  }
}

/// Facts about the process that the engine runs in.
package struct Host: Sendable, Equatable {
  /// The user that it runs as, who may use every socket.
  package var user: UInt32
  /// The most connections of front ends that leave descriptors for the rest.
  package var connections: Int

  package init(user: UInt32, connections: Int = .max) {
    (self.user, self.connections) = (user, connections)
  }
}

/// How reading the configuration again ended.
package enum ConfigurationOutcome: Sendable {
  case read(Configuration)
  /// The fault, in words with file and line; the old configuration stays in force.
  case refused(String)
}
