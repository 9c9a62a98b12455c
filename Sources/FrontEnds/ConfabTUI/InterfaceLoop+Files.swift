import ConfabClient
import HelperProtocol
import Syscalls
import TerminalUI

/// Files that the application wants sent or kept.
extension InterfaceLoop {
  var transfers: FileTransfers { FileTransfers(home: files.variable("HOME")) }

  func pass(_ request: FileRequest) {
    do throws(FileFailure) {
      daemon?.send(request.bytes, passing: try transfers.open(request.paths))
    } catch {
      dispatch(.notOpened(request.message, error.reason))
    }
  }

  func look(at paths: [String], _ key: ConversationKey) {
    if paths.allSatisfy(transfers.isFile) { dispatch(.foundFiles(paths, key)) }
  }

  /// The file came with the line that is being handled.
  func keep(_ wanted: WantedFile) {
    guard let file = daemon?.takeDescriptor() else { return dispatch(.said("The daemon sent no file.")) }
    do throws(FileFailure) {
      switch wanted.use {
      case .save(let path): dispatch(.said(transfers.keep(file.raw, wanted, as: path)))
      case .open: try open(wanted, file.raw)
      case .show, .view: break
      }
    } catch {
      dispatch(.said("Not saved: \(error.reason)"))
    }
  }

  /// The file came with the line that is being handled.
  func draw(_ wanted: WantedFile, _ request: DrawingRequest, _ key: ConversationKey) {
    guard let file = daemon?.takeDescriptor() else { return dispatch(.said("The daemon sent no file.")) }
    drawers.draw(request, file) { [unowned self] in dispatch(.drawn($0, wanted, request, key)) }
  }

  /// The avatar came with the line that is being handled.
  func drawAvatar(_ hash: String, _ request: DrawingRequest) {
    guard let file = daemon?.takeDescriptor() else { return }
    drawers.draw(request, file) { [unowned self] in dispatch(.drewAvatar($0, hash: hash, request)) }
  }

  func preview(_ path: String, _ request: DrawingRequest) {
    guard let file = try? transfers.open([path]).first else {
      return dispatch(.previewed(nil, path: path, request))
    }
    drawers.draw(request, file) { [unowned self] in dispatch(.previewed($0, path: path, request)) }
  }

  /// The name is of our making: that of the file could say that it is a program.
  private func open(_ wanted: WantedFile, _ file: CInt) throws(FileFailure) {
    guard let ending = wanted.file.safeEnding else {
      return dispatch(.said("Only pictures, sound, films, PDF and plain text are opened; /save keeps it."))
    }
    let copy = try OpenedFile(file, ending: ending, folder: files.temporaryFolder)
    opened.append(copy)
    dispatch(.said("Opening \(wanted.file.fileName)"))
    perform(.run(["xdg-open", copy.path]))
  }
}
