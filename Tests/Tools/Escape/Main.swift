import ConfabTransfer
import Glibc
import HelperProtocol
import Syscalls

/// Goes into the sandbox of `confab-transfer` and tries one thing. The exit status: 0: it was possible; else the error
/// number that it got. A system call that the filter does not know ends it by SIGSYS.
///
/// usage: confab-escape WAY [PATH]
@main
struct Main {
  static func main() {
    let words = ProcessArguments.mended()
    do { try TransferSandbox.enter(for: .get(limit: 1000)) } catch { exit(255) }
    let path = words.count > 1 ? words[1] : ""
    exit(attempt(words.first ?? "", path) ? 0 : errno)
  }

  private static func attempt(_ way: String, _ path: String) -> Bool {
    switch way {
    case "nothing": true
    case "read": unsafe open(path, O_RDONLY) >= 0
    case "list": unsafe opendir(path) != nil
    case "write": unsafe open(path, O_WRONLY) >= 0
    case "create": unsafe open(path, O_WRONLY | O_CREAT, 0o600) >= 0
    case "remove": unsafe unlink(path) == 0
    case "rename": unsafe rename(path, path + "x") == 0
    case "link": unsafe symlink("/etc", path) == 0
    case "permit": unsafe chmod(path, 0o777) == 0
    case "start": start(path)
    case "become": become(path)
    case "kill": kill(getppid(), 0) == 0
    case "unix": socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0) >= 0
    case "netlink": socket(AF_NETLINK, CInt(SOCK_RAW.rawValue), 0) >= 0
    case "listen": listen(socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0), 1) == 0
    case "code": code()
    case "memory": memory(200 << 20)
    case "thread": thread()
    case "grow": unsafe pwrite(1, path, 1, 1000) == 1
    case "limits": limits()
    case "priority": setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 1) == 0
    default: false
    }
  }

  private static func start(_ path: String) -> Bool {
    var process: pid_t = 0
    return unsafe posix_spawn(&process, path, nil, nil, ProcessArguments.vector, environ) == 0
  }

  private static func become(_ path: String) -> Bool {
    unsafe execve(path, ProcessArguments.vector, environ) == 0
  }

  private static func code() -> Bool {
    unsafe mmap(nil, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED
  }

  private static func memory(_ count: Int) -> Bool {
    guard let memory = unsafe malloc(count) else { return false }
    unsafe memset(memory, 1, count)
    return true
  }

  private static func thread() -> Bool {
    var thread = pthread_t()
    return unsafe pthread_create(&thread, nil, { _ in nil }, nil) == 0
  }

  private static func limits() -> Bool {
    var limit = rlimit(rlim_cur: 1 << 30, rlim_max: 1 << 30)
    return unsafe setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) == 0
  }
}
