package import ParticlesCore

/// A document as the index keeps it.
package struct IndexedDocument: Sendable {
  /// The name of the format; nil if none was recognised.
  package var format: String?
  /// The name of the effect.
  package var name: String?
  /// The digest of the tree, in hexadecimal digits; nil if it cannot be read.
  package var digest: String?
  /// Numbers by the names of their fields or keys. Infinity is one without a bound.
  package var numbers: [String: [Double]] = [:]
  /// Words by the names of their fields or keys.
  package var words: [String: [String]] = [:]
  /// The names of emitters.
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

  /// How different two effects look: the square of the distance of their vectors. 0 is the same, and above 1 little is
  /// alike.
  /// - Parameters:
  ///   - bytes: a vector as it is stored.
  ///   - vector: the other one.
  ///   - most: the greatest square of interest.
  /// - Returns: nil if it is greater, or if the vectors have not the same length.
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

/// The state of a file or package on the disk. While it is the same, the contents are taken to be the same.
package struct IndexedState: Sendable, Hashable {
  /// The bytes; of a directory those of all files in it.
  var size: Int
  /// The time of the last change in nanoseconds since 1970; 0 if it may change without another time.
  var modified: Int
  var device: Int
  var node: Int
  /// A checksum of names and states of what is in a directory; 0 for a file.
  var entries: Int

  /// The state of a path; nil if there is neither a file nor a directory.
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
    // A later change may get the same time: clocks of file systems have steps.
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
