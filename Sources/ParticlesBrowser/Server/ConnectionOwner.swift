internal import ParticlesCore

/// The user who has made a connection to a port of this machine, as the tables of sockets of Linux tell
/// (`/proc/net/tcp`, proc_pid_net(5)).
///
/// Other systems have no such table: every connection counts as one of the user there, and the secret alone decides.
struct ConnectionOwner: Sendable {
  /// A socket that has ended has no owner: the table names root in its place.
  private static let states = ["01", "08"]

  /// The texts of the tables; nil for one that cannot be read.
  private let tables: @Sendable () -> [[UInt8]?]
  private let user: UInt32

  /// Looks into the tables of this machine.
  init() {
    self.init(user: RunningProcess.user) {
      ["/proc/net/tcp", "/proc/net/tcp6"].map { try? Files.read($0) }
    }
  }

  /// Looks into other tables; for tests.
  init(user: UInt32, tables: @escaping @Sendable () -> [[UInt8]?]) {
    (self.user, self.tables) = (user, tables)
  }

  /// Whether there is a table, so that ``isOurs(from:to:)`` tells users apart.
  var isKnown: Bool { tables().first.flatMap(\.self) != nil }

  /// Whether a connection on 127.0.0.1 was made by the user of this process or by root, who can do all that the user can.
  /// - Parameters:
  ///   - port: the port of the other side.
  ///   - server: our port.
  /// - Returns: false also if the other side has ended it already.
  func isOurs(from port: Int, to server: Int) -> Bool {
    let tables = tables()
    guard tables.first.flatMap(\.self) != nil else { return true }
    // Programs that use sockets for both versions of IP have the address in the other table.
    let hosts: [[UInt32]] = [[0x7F00_0001], [0, 0, 0xFFFF, 0x7F00_0001]]
    for (table, host) in zip(tables, hosts) {
      let ends = Array("\(Self.text(host, port)) \(Self.text(host, server)) ".utf8)
      // By bytes: a table has a line for each connection of the machine.
      for line in (table ?? []).split(separator: UInt8(ascii: "\n")).dropFirst() {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
          line[colon...].dropFirst(2).starts(with: ends)
        else { continue }
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        guard words.count > 9, Self.states.contains(String(words[3])), words[9] != "0",
          let owner = UInt32(words[7])
        else { return false }
        return owner == user || owner == 0
      }
    }
    return false
  }

  /// An end of a connection, as the tables have it: the address as numbers of 32 bits in the order of bytes of this machine.
  private static func text(_ host: [UInt32], _ port: Int) -> String {
    host.map { digits($0.bigEndian, 8) }.joined() + ":" + digits(UInt32(clamping: port), 4)
  }

  private static func digits(_ number: UInt32, _ count: Int) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}
