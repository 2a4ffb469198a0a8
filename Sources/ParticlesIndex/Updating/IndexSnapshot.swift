package import ParticlesCore
internal import ParticlesDatabase
internal import ParticlesSystem

/// The files of some folders that an index knows at one moment.
package struct IndexSnapshot: Sendable {
  struct Row: Sendable {
    var state: IndexedState
    var format: String?
  }

  var documents: [PathKey: Row] = [:]
  var others: [PathKey: IndexedState] = [:]
  /// When it was made, in seconds since 1970.
  let now = WallClock.seconds

  /// Whether an unchanged file is a document. Nil for a file that is new or has changed.
  /// - Parameter path: an absolute path.
  package func isDocument(_ path: String) -> Bool? {
    let key = PathKey(path)
    let known = documents[key]?.state ?? others[key]
    guard let known, let state = IndexedState(path, now: now), known.isSame(as: state) else {
      return nil
    }
    return documents[key] != nil
  }
}

extension EffectIndex {
  /// Reads the facts about the files in some folders. If their version is not current, all files count as changed.
  package func snapshot(of folders: [String]) throws -> IndexSnapshot {
    try renewFacts()
    return try using { database in
      var snapshot = IndexSnapshot()
      for folder in folders {
        let range: [SQLite.Value] = [
          .text(Self.prefix(of: folder)), .text(Self.end(of: folder)),
        ]
        try database.run(
          """
          SELECT size, modified, device, node, entries, path, format FROM documents \
          WHERE path > ? AND path < ?
          """, range
        ) { row in
          snapshot.documents[PathKey(row.text(5))] = IndexSnapshot.Row(
            state: Self.state(row), format: row.optionalText(6))
          return true
        }
        try database.run(
          """
          SELECT size, modified, device, node, entries, path FROM others \
          WHERE path > ? AND path < ?
          """, range
        ) { row in
          snapshot.others[PathKey(row.text(5))] = Self.state(row)
          return true
        }
      }
      return snapshot
    }
  }

  /// The stored state of the document at a path, or nil if there is none.
  func snapshot(at path: String) throws -> IndexedState? {
    try using { database in
      var state: IndexedState?
      try database.run(
        "SELECT size, modified, device, node, entries FROM documents WHERE path = ?", [.text(path)]
      ) { row in
        state = Self.state(row)
        return false
      }
      return state
    }
  }

  private static func state(_ row: SQLite.Row) -> IndexedState {
    IndexedState(
      size: row.integer(0), modified: row.integer(1), device: row.integer(2), node: row.integer(3),
      entries: row.integer(4))
  }

  /// Makes all documents be read again if their facts are of another version.
  private func renewFacts() throws {
    func isCurrent(_ database: SQLite) throws -> Bool {
      var found = 0
      try database.run("SELECT value FROM meta WHERE key = 'analysis'") { row in
        found = row.integer(0)
        return false
      }
      return found == IndexSchema.analysis
    }
    // Without a transaction that other programs would have to wait for.
    guard try !using(isCurrent) else { return }
    try changing { database in
      guard try !isCurrent(database) else { return }
      try database.execute(
        """
        UPDATE documents SET modified = 0, digest = NULL; DELETE FROM others;
        INSERT OR REPLACE INTO meta VALUES('analysis', \(IndexSchema.analysis));
        """)
    }
  }
}

/// A document as the index keeps it.
package struct IndexedDocument: Sendable {
  /// The name of the format, or nil if none was recognised.
  package var format: String?
  package var name: String?
  /// The digest of the tree, in hexadecimal digits. Nil if it cannot be read.
  package var digest: String?
  /// Numbers by the names of their fields or keys. Infinity is one without a bound.
  package var numbers: [String: [Double]] = [:]
  /// Words by the names of their fields or keys.
  package var words: [String: [String]] = [:]
  package var emitters: [String] = []
  /// The paths of images.
  package var textures: [String] = []
  /// The findings of a check.
  package var problems: [Diagnostic] = []
  /// Simulates the effect. It is called unless the index has an equal document.
  package var look: @Sendable () -> IndexedLook? = { nil }

  /// Creates a document without facts.
  package init() {}
}

/// The result of a simulation of an effect.
package struct IndexedLook: Sendable {
  /// The particles that were emitted in the first two seconds.
  package var emitted: Double
  /// A vector: effects that look alike have near ones.
  package var vector: [Float]

  package init(emitted: Double, vector: [Float]) { (self.emitted, self.vector) = (emitted, vector) }

  /// How different two effects look: the square of the distance of their vectors. 0 is an equal look. Above 1, effects
  /// have little in common.
  /// - Parameters:
  ///   - bytes: a vector as it is stored.
  ///   - vector: the vector of the second effect.
  ///   - most: the greatest square of interest.
  /// - Returns: nil if it is greater than `most`, or if the lengths of the vectors differ.
  static func square(
    _ bytes: UnsafeRawBufferPointer, _ vector: [Float], within most: Float
  ) -> Float? {
    guard bytes.count == 4 * vector.count else { return nil }
    var sum: Float = 0
    for index in vector.indices {
      let step = bytes.loadUnaligned(fromByteOffset: 4 * index, as: Float.self) - vector[index]
      sum += step * step
      if sum > most { return nil }
    }
    return sum <= most ? sum : nil
  }
}

/// The state of a file or package on the disk. Equal states are taken as equal contents.
package struct IndexedState: Sendable, Hashable {
  /// The bytes of a file, or of all files in a directory.
  var size: Int
  /// The time of the last change in nanoseconds since 1970. 0 if a change need not change the time.
  var modified: Int
  var device: Int
  var node: Int
  /// A checksum of the names and states of a directory's entries. 0 for a file.
  var entries: Int

  /// The state of a path. Nil if there is neither a file nor a directory.
  package init?(_ path: String, now: Double) {
    guard let status = try? Files.status(path, followingLinks: false) else { return nil }
    switch status.kind {
    case .file: self.init(status)
    case .directory:
      self.init(status)
      size = 0
      var hash = Hash()
      guard add(entriesOf: path, to: &hash, depth: 0) else { return nil }
      entries = hash.value
    case .symbolicLink, .other: return nil
    }
    // A later change may get an equal time: clocks of file systems have steps.
    let step = modified % 1_000_000_000 == 0 ? 2.0 : 0.05
    if now - Double(modified) / 1e9 < step { modified = 0 }
  }

  private init(_ status: FileStatus) {
    size = status.size
    modified = status.state.nanoseconds
    let identity = status.state.identity
    device = Int(truncatingIfNeeded: identity.device)
    node = Int(truncatingIfNeeded: identity.node)
    entries = 0
  }

  init(size: Int, modified: Int, device: Int, node: Int, entries: Int) {
    (self.size, self.modified, self.device, self.node) = (size, modified, device, node)
    self.entries = entries
  }

  private mutating func add(entriesOf folder: String, to hash: inout Hash, depth: Int) -> Bool {
    guard depth < 64, let names = try? Files.list(folder, passingOver: { _ in }) else {
      return false
    }
    for name in names {
      let path = Files.joined(folder, name)
      guard let status = try? Files.status(path, followingLinks: false) else { return false }
      let state = IndexedState(status)
      hash.add(name)
      for number in [state.modified, state.node, state.size, status.kind == .directory ? 1 : 0] {
        hash.add(number)
      }
      modified = max(modified, state.modified)
      if status.kind == .directory {
        guard add(entriesOf: path, to: &hash, depth: depth + 1) else { return false }
      } else {
        size += state.size
      }
    }
    return true
  }

  /// Whether a file with this state needs not be read again.
  func isSame(as other: IndexedState) -> Bool { modified != 0 && self == other }

  /// FNV-1a, 64 bits.
  private struct Hash {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ text: String) {
      for byte in text.utf8 { add(byte) }
      add(0 as UInt8)
    }

    mutating func add(_ number: Int) {
      withUnsafeBytes(of: number.littleEndian) { bytes in for byte in bytes { add(byte) } }
    }

    private mutating func add(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }

    /// Not 0.
    var value: Int { Int(truncatingIfNeeded: state | 1) }
  }
}
