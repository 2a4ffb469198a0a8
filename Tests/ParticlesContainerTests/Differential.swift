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
