package import Bytes
import Clocks
package import HelperProtocol
package import MessageLog
package import SASL
package import Search
package import ConfabConfiguration
package import State

/// An order of the engine. The driver (ConfabRuntime, or a simulator) performs them in their order.
package enum Action: Sendable {
  case link(LinkID, LinkAction)
  case client(ClientID, ClientAction)
  /// Write this to each of these front ends; answered by `ClientEvent.pendingOutput` if it does not go at once.
  case broadcast([ClientID], [UInt8])
  /// Nothing is wanted of these any more.
  case closeDescriptors([DescriptorID])
  /// Write and sync this batch on the writer thread; answered by `Event.committed`. One at a time.
  case commit(LogBatch)
  /// Write these pages of the index on the writer thread; answered by `Event.pagesStored`. One at a time.
  case storePages(PageBatch)
  /// Replace the checkpoint, a derived file, on the writer thread; answered by `Event.checkpointStored`.
  case checkpoint(Snapshot)
  /// Keep room for one more segment, on the writer thread; answered by `Event.diskReserveKept`.
  case keepDiskReserve
  /// Change the file of keys, on the writer thread; answered by `Event.keysChanged`. One at a time.
  case changeKeys(EpochKeyOrder)
  /// Look for this off the loop, for a user of this number, fair to the others; answered by `Event.found`, unless it is
  /// cancelled.
  case search(SearchID, SearchQuery, SearchScope, user: UInt32)
  /// Drop this search, whose result is no longer wanted; not answered.
  case cancelSearch(SearchID)
  /// The network is another, or the configuration: ask the name servers that are right now. Look-ups that run may fail.
  case refreshNames
  /// The key derived from this account's password was refused, or another fault needs a person: read the password anew
  /// at the next login.
  case forgetKeys(account: String)
  /// Do this with files, off the loop and in their order; answered by `Event.file`.
  case file(FileTicket, FileOrder)
  /// Move a file over HTTP, in a program of its own, and close the descriptor; answered by `Event.transfer`, once and
  /// again.
  case transfer(TransferTicket, TransferRequest, DescriptorID)
  /// Drop this transfer; not answered any more.
  case cancelTransfer(TransferTicket)
  /// Run the command of a hook, bounded, in a session of its own; answered by `Event.hookEnded`, unless it is killed.
  case runHook(HookRun)
  /// Kill this run with its group; not answered any more.
  case killHook(HookRunID)
  /// Read all packs of emoticons, off the loop; answered by `Event.emoticons`. Once.
  case readEmoticons
  /// Answered by `Event.configuration`.
  case readConfiguration
  case logLevel(LogLevel)
  /// A burst, a start or a login is over: give the memory that it needed back to the system.
  case releaseMemory
  /// The status text of the daemon for the service manager: the state of the accounts, in words. It contains text of
  /// servers.
  case serviceStatus(String)
  /// One line for the journal, and what it is about; never a text, a password or anything private.
  case journal(LogLevel, String, JournalFields)
  /// Everything is closed and synced: end the process with this status.
  case exit(Int32)
}

/// An order about a connection to a server.
package enum LinkAction: Sendable {
  /// Look up both kinds of SRV record of a domain; answered by `resolved`.
  case resolve(domain: String)
  /// Connect to a host, trying each of its addresses, or leaving it to a proxy; answered by `opened` or `closed`.
  case connect(host: String, port: UInt16, proxy: Proxy?)
  /// Begin TLS as a client; answered by `secured` or `closed`.
  case startTLS(TLSRequest)
  case write([UInt8])
  /// Stop reading from the socket until `resume`: the disk does not keep up.
  case pause
  case resume
  /// Flush, close_notify, FIN; answered by `closed`.
  case close
  /// Drop it at once. Not answered: the link is forgotten.
  case abort
  /// Make this of the password of this link's account, on a worker; answered by `Event.derived`.
  case derive(account: String, CredentialRequest)
}

/// An order about a front end's connection.
package enum ClientAction: Sendable {
  case write([UInt8])
  /// Write a line that passes this descriptor, and close the descriptor, even if the line cannot be written.
  case writePassing([UInt8], DescriptorID)
  /// Stop reading its requests until `resume`.
  case pause
  case resume
  /// Flush, then close.
  case close
  /// Flush, then close; read and drop the client's bytes meanwhile, for a short time, so that it sees why it is
  /// rejected.
  case rejectAndClose
}
