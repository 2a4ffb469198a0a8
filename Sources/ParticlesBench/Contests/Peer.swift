internal import CParticlesYardstick

/// A program to compare with, and its command line for each operation.
struct Peer {
  /// The command line of one operation.
  struct Recipe {
    /// The label in the table.
    let label: String
    /// The command. `{archive}`, `{folder}`, `{entry}` and `{copy}` are replaced by paths.
    let command: String
    /// Whether it runs in the folder that is packed or unpacked to.
    let isInside: Bool
  }

  let name: String
  /// The extension of its packages, different for each peer.
  let fileExtension: String
  let recipes: [Operation: Recipe]

  /// The words of a recipe with paths in place of their names.
  static func words(of command: String, _ paths: [String: String]) -> [String] {
    command.split(separator: " ").map { word in
      guard let open = word.firstIndex(of: "{"), let close = word.lastIndex(of: "}") else {
        return String(word)
      }
      let name = String(word[word.index(after: open)..<close])
      return word[..<open] + (paths[name] ?? "") + word[word.index(after: close)...]
    }
  }
}

extension Peer {
  /// The programs to compare with. Compression levels are the default, or the level closest to it.
  static let all = [
    Peer(
      name: "zip", fileExtension: "zip",
      recipes: [
        .pack: Recipe("zip -6", "zip -q -r -X -6 {archive} .", inside: true),
        .packFast: Recipe("zip -6", "zip -q -r -X -6 {archive} .", inside: true),
        .unpack: Recipe("unzip", "unzip -q -o {archive} -d {folder}"),
        .list: Recipe("unzip -l", "unzip -l {archive}"),
        .extract: Recipe("unzip -p", "unzip -p {archive} {entry}"),
        .verify: Recipe("unzip -t", "unzip -tq {archive}"),
        .verifyQuick: Recipe("unzip -t", "unzip -tq {archive}"),
        .append: Recipe("zip -6", "zip -q -X -6 {archive} {entry}", inside: true),
        .replace: Recipe("zip -6", "zip -q -X -6 {archive} {entry}", inside: true),
      ]),
    Peer(
      name: "7z", fileExtension: "7z.zip",
      recipes: [
        .pack: Recipe("7z", "7z a -bd -tzip -mx=5 {archive} .", inside: true),
        .unpack: Recipe("7z", "7z x -bd -y -o{folder} {archive}"),
        .list: Recipe("7z", "7z l -bd {archive}"),
        .extract: Recipe("7z", "7z x -bd -so {archive} {entry}"),
        .verify: Recipe("7z", "7z t -bd {archive}"),
        .replace: Recipe("7z", "7z u -bd -tzip -mx=5 {archive} {entry}", inside: true),
      ]),
    Peer(
      name: "bsdtar", fileExtension: "bsdtar.zip",
      recipes: [
        .pack: Recipe("bsdtar", "bsdtar --format zip -cf {archive} .", inside: true),
        .unpack: Recipe("bsdtar", "bsdtar -xf {archive}", inside: true),
        .list: Recipe("bsdtar", "bsdtar -tf {archive}"),
        .extract: Recipe("bsdtar", "bsdtar -xOf {archive} ./{entry}"),
        .verify: Recipe("bsdtar", "bsdtar -xOf {archive}"),
      ]),
    Peer(
      name: "sqlite3", fileExtension: "sqlar",
      recipes: [
        .pack: Recipe("sqlite3 -A", "sqlite3 {archive} -Ac .", inside: true),
        .unpack: Recipe("sqlite3 -A", "sqlite3 {archive} -Ax", inside: true),
        .list: Recipe("sqlite3 -A", "sqlite3 {archive} -At"),
        .append: Recipe("sqlite3 -A", "sqlite3 {archive} -Ai {entry}", inside: true),
        // It synchronises by itself. With -u it would do nothing within a second of the last change.
        .appendSynced: Recipe("sqlite3 -A", "sqlite3 {archive} -Ai {entry}", inside: true),
      ]),
    Peer(
      name: "pigz", fileExtension: "tar.gz",
      recipes: [
        .pack: Recipe("tar pigz", "tar -Ipigz -cf {archive} .", inside: true),
        .unpack: Recipe("tar pigz", "tar -Ipigz -xf {archive}", inside: true),
        .list: Recipe("tar pigz", "tar -Ipigz -tf {archive}"),
        .verify: Recipe("pigz -t", "pigz -t {archive}"),
      ]),
  ]

  /// The tool itself.
  static let ours = Peer(
    name: "particles", fileExtension: "particles",
    recipes: [
      .pack: Recipe("particles", "{tool} pack {folder} -o {archive}"),
      .packFast: Recipe("particles", "{tool} pack --level fast {folder} -o {archive}"),
      .unpack: Recipe("particles", "{tool} unpack {archive} -o {folder}"),
      .list: Recipe("particles", "{tool} list {archive}"),
      .extract: Recipe("particles", "{tool} extract {archive} {entry}"),
      .verify: Recipe("particles", "{tool} verify {archive}"),
      .verifyQuick: Recipe("particles", "{tool} verify --quick {archive}"),
      .start: Recipe("particles", "{tool} --version"),
      .info: Recipe("particles", "{tool} info {document}"),
      .convert: Recipe("particles", "{tool} convert {effect} --to cocos2d --dry-run"),
    ])

  /// A process that does nothing: the cost of starting one.
  static let nothing = Recipe("true", "/bin/true")

  /// A copy of the package's bytes.
  static let copy = Recipe("cp", "cp {archive} {copy}")

  /// The programs that the peers need, with the arguments that print the version of each.
  static let programs: [(name: String, arguments: [String])] = [
    ("zip", ["-v"]), ("unzip", ["-v"]), ("7z", []), ("bsdtar", ["--version"]),
    ("sqlite3", ["--version"]), ("tar", ["--version"]), ("pigz", ["--version"]),
    ("cp", ["--version"]), ("python3", ["--version"]), ("love", ["--version"]),
    ("ffmpeg", ["-version"]),
  ]

  /// The first thing in `text` that looks like a version: digits, a point, digits.
  static func version(in text: String) -> String? {
    let words = text.split { $0.isWhitespace || $0 == "," || $0 == "(" || $0 == ")" }
    // Distributions append something to the number.
    return words.map { $0.prefix { $0.isNumber || $0 == "." } }.first { word in
      let parts = word.split(separator: ".", omittingEmptySubsequences: false)
      return parts.count > 1 && parts.allSatisfy { !$0.isEmpty }
    }.map(String.init)
  }
}

extension Peer.Recipe {
  init(_ label: String, _ command: String, inside: Bool = false) {
    self.init(label: label, command: command, isInside: inside)
  }

  /// The programs that have to be installed for it.
  var programs: [String] {
    let words = command.split(separator: " ").map(String.init)
    return Array(words.prefix(1)) + words.filter { $0.hasPrefix("-I") }.map { "\($0.dropFirst(2))" }
  }
}

/// An idealised loop and a test of the memory, with which the simulation is compared.
final class Yardstick {
  private static let count = Int(particles_yardstick_columns)

  private let particles: Int
  private let memory: UnsafeMutableRawPointer
  private let columns: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  init(_ particles: Int) {
    self.particles = particles
    // Columns whose addresses are equal within a memory page would displace each other in the cache.
    let spacing = (particles * 4 + 4_095) / 4_096 * 4_096 + 320
    memory = .allocate(byteCount: Self.count * spacing, alignment: 64)
    columns = .allocate(capacity: Self.count)
    for column in 0..<Self.count {
      let numbers = (memory + column * spacing).bindMemory(to: Float.self, capacity: particles)
      // Lives are long, so that shares stay within 0 and 1.
      numbers.initialize(repeating: column == 5 ? 1e6 : 0.5, count: particles)
      (columns + column).initialize(to: numbers)
    }
  }

  deinit {
    columns.deallocate()
    memory.deallocate()
  }

  /// An idealised simulation step as a loop in C.
  func step() { particles_yardstick_step(particles, columns, 1 / 60) }

  /// The least number of bytes that a step of one particle reads and writes: 18 columns are read, 5 columns written,
  /// and 6 more.
  static let bytes = (18 + 5 + 6) * 4

  /// Reads and writes as many bytes as a step, with hardly anything to compute.
  func triad() {
    var moved = 0
    var column = 0
    while moved < Self.bytes {
      particles_yardstick_triad(
        particles, columns[column], columns[column + 1], columns[column + 2], 0.5)
      moved += 12
      column = (column + 3) % (Self.count - 3)
    }
  }
  /// The share of the triads that a step needs: they are not a whole number.
  static let triadShare = Double(bytes) / Double((bytes + 11) / 12 * 12)
}
