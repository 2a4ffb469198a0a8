import ParticlesContainer
import ParticlesCore
import ParticlesTestSupport

/// The judgement of one reader on a package.
struct Judgement: CustomStringConvertible {
  var digest: ContentDigest?
  var fault: Diagnostic?
  var warnings: [Diagnostic] = []

  var description: String { digest?.description ?? fault?.description ?? "nothing" }
}

/// Our readers, made comparable: each accepts a package as a whole, or refuses it.
enum Differential {
  /// Reads everything there is at random; throws the first fault.
  static func full(_ bytes: [UInt8]) throws -> (ContentDigest, ContainerReader) {
    let reader = try ContainerReader(.bytes(bytes), limits: .none)
    let digest = try reader.tree().treeDigest()
    if let fault = try reader.verify().first(where: { $0.severity == .error }) { throw fault }
    return (digest, reader)
  }

  static func judge(_ bytes: [UInt8]) -> Judgement {
    var judgement = Judgement()
    do {
      let (digest, reader) = try full(bytes)
      judgement.digest = digest
      judgement.warnings = reader.warnings
    } catch {
      judgement.fault = error as? Diagnostic ?? Diagnostic(.fileUnreadable, "\(error)")
    }
    return judgement
  }

  /// What commands do that read a whole package and certify or write it, without a verification of its own:
  /// `digest`, `unpack`, `compact`, and the opening of a document.
  static func commands(_ bytes: [UInt8], in folder: String) -> [(name: String, Judgement)] {
    func judge(_ name: String, _ digest: () throws -> ContentDigest) -> (String, Judgement) {
      var judgement = Judgement()
      do {
        judgement.digest = try digest()
      } catch {
        judgement.fault = error as? Diagnostic ?? Diagnostic(.fileUnreadable, "\(error)")
      }
      return (name, judgement)
    }
    return [
      judge("digest") {
        try Container(decoding: bytes, limits: .none, scope: .everyFrame).root.treeDigest()
      },
      judge("unpack") {
        try ContainerReader(.bytes(bytes), limits: .none, scope: .everyFrame)
          .unpack(toDirectory: folder, replacing: true, synchronizing: false)
        return try FileNode(readingDirectory: folder, limits: .none).treeDigest()
      },
      judge("compact") {
        let package = try Container(decoding: bytes, limits: .none, scope: .everyFrame)
        let packed = try package.encoded(PackingOptions(reusesBlocks: true))
        return try full(packed).0
      },
      judge("convert") {
        let package = try Container(decoding: bytes, limits: .none)
        try package.checkEveryFrame()
        return try package.root.treeDigest()
      },
    ]
  }

  /// What is wrong with the recovery of a package; nil if nothing is.
  /// - Parameter digest: the digest of a sound package; nil if it is not sound.
  static func faultOfRecovery(_ bytes: [UInt8], _ digest: ContentDigest?) -> String? {
    do {
      let recovery = try Recovery(.bytes(bytes), limits: .none)
      // Whatever is recovered can be read and packed.
      let found = try recovery.root.treeDigest()
      _ = try Container(root: recovery.root).encoded()
      let errors = recovery.diagnostics.filter { $0.severity == .error || $0.rule == .unrecovered }
      if let digest {
        guard found == digest, errors.isEmpty else { return "a sound package: \(errors)" }
      } else if errors.isEmpty {
        return "nothing is wrong, but it is not sound"
      }
      return nil
    } catch let fault as Diagnostic where [.signature, .containerVersion].contains(fault.rule) {
      return digest == nil ? nil : "a sound package: \(fault)"
    } catch {
      return "recovery throws \(error)"
    }
  }

  /// What is wrong with the recovery of a sound package of which some bytes were changed: contents that it
  /// did not have, or lost ones without a report.
  static func faultOfDamage(
    _ bytes: [UInt8], _ random: inout SeededGenerator
  ) throws -> String? {
    let package = try Container(decoding: bytes, limits: .none)
    let tree = package.root
    var damaged = bytes
    let count = [1, 1, 2, 30].randomElement(using: &random) ?? 1
    // Not the last footer: without it, the save was not finished.
    var end = bytes.count
    if case .offset(let offset)? = package.warnings.first?.location.position { end = offset }
    let first = Int.random(in: Layout.headerSize..<end - Layout.footerSize, using: &random)
    for position in first..<min(first + count, bytes.count) {
      damaged[position] ^= UInt8.random(in: 1...255, using: &random)
    }
    let recovery = try Recovery(.bytes(damaged), limits: .none)
    if recovery.diagnostics.isEmpty {
      return "damage of \(count) bytes at \(first) is not reported"
    }
    let restored = recovery.diagnostics.count { $0.rule == .restored }
    // The unfinished save may be one of which a byte was changed.
    if count == 1, restored <= 1, try recovery.root.treeDigest() != tree.treeDigest() {
      return "a byte at \(first) is not restored: \(recovery.diagnostics)"
    }
    // Damage of several bytes may be taken for that of one.
    if restored > 0 || first + count > end - Layout.footerSize { return nil }
    // An earlier generation is recovered where the root of the last one is lost.
    let isEarlier = try ContainerReader(.bytes(bytes), limits: .none).generation > 1
    var fault: String?
    try recovery.root.forEachDescendant { path, node throws in
      guard !isEarlier, let contents = try node.regularFileContents() else { return }
      if try contents != tree[path]?.regularFileContents() {
        fault = "'\(path)' has other contents after damage at \(first)"
      }
    }
    return fault
  }

  /// Unpacks from front to back.
  static func unpack(_ bytes: [UInt8], to folder: String) throws -> Judgement {
    var judgement = Judgement()
    var position = 0
    do {
      try Container.unpack(
        name: "-", toDirectory: folder, replacing: true, synchronizing: false, limits: .none,
        warn: { judgement.warnings.append($0) }
      ) { count in
        defer { position = min(bytes.count, position + count) }
        return Array(bytes[position..<min(bytes.count, position + count)])
      }
      judgement.digest = try FileNode(readingDirectory: folder, limits: .none).treeDigest()
    } catch let fault as Diagnostic {
      judgement.fault = fault
    }
    return judgement
  }
}

/// The reader in Python, in one process that judges many packages.
final class PythonReader {
  private static let driver = """
    import runpy, struct, sys
    reader = runpy.run_path(sys.argv[1])
    source, sink = sys.stdin.buffer, sys.stdout
    while len(head := source.read(4)) == 4:
        data = source.read(struct.unpack("<I", head)[0])
        try:
            generation, tree, torn = reader["read"](data)
            print("accepted", reader["digest"](tree), generation, torn, flush=True)
        except reader["Invalid"] as fault: print("refused", repr(str(fault)), flush=True)
    """

  private let process: Conversation

  /// - Throws: whatever starting Python throws.
  init(_ python: String) throws {
    process = try Conversation(
      python, ["-c", Self.driver, Repository.path("Spec/read_particles.py")])
  }

  /// The answer for a package: `accepted DIGEST GENERATION TORN` or `refused REASON`.
  func judge(_ bytes: [UInt8]) throws -> String {
    var writer = ByteWriter()
    writer.u32(UInt32(bytes.count))
    return try process.ask(writer.bytes + bytes)
  }

  /// Ends the process.
  /// - Returns: its exit status.
  func finish() throws -> Int32 { process.finish() }
}
