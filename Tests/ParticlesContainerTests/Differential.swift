import ParticlesContainer
import ParticlesPackages
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
  /// Reads everything that the last generation needs, and checks every frame. Throws the first fault.
  static func full(
    _ bytes: [UInt8], limits: Limits = .none
  ) throws -> (ContentDigest, ContainerReader) {
    let reader = try ContainerReader(.bytes(bytes), limits: limits, scope: .everyFrame)
    return (try reader.tree().treeDigest(), reader)
  }

  /// The fault of a package, by a verification of all generations, or nil.
  static func verify(_ bytes: [UInt8]) -> Diagnostic? {
    do {
      let findings = try ContainerReader(.bytes(bytes), limits: .none).verify()
      return findings.first { $0.severity == .error }
    } catch {
      return error as? Diagnostic ?? Diagnostic(.fileUnreadable, "\(error)")
    }
  }

  static func judge(_ bytes: [UInt8], limits: Limits = .none) -> Judgement {
    var judgement = Judgement()
    do {
      let (digest, reader) = try full(bytes, limits: limits)
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

  /// The fault in the recovery of a package, or nil.
  /// - Parameter digest: the digest of a sound package, or nil if it is not sound.
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

  /// The fault in the recovery of a sound package after some bytes were changed: contents that it did not
  /// have, or lost contents without a report.
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
    if first + count > end - Layout.footerSize { return nil }
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
  static func unpack(
    _ bytes: [UInt8], to folder: String, limits: Limits = .none
  ) throws -> Judgement {
    var judgement = Judgement()
    var position = 0
    do {
      try Container.unpack(
        name: "-", toDirectory: folder, replacing: true, synchronizing: false, limits: limits,
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

/// A reader in another language, in one process that judges many packages.
final class ForeignReader {
  /// An answer: `accepted DIGEST GENERATION TORN VERIFIED` or `refused REASON`.
  struct Answer: CustomStringConvertible {
    var description: String
    private var fields: [Substring] { description.split(separator: " ") }

    /// The digest of the tree, or nil if the package was refused.
    var digest: String? { fields.first == "accepted" ? String(fields[1]) : nil }
    /// The length of an unfinished save.
    var torn: Int? { digest == nil ? nil : Int(fields[3]) }
    /// Whether the index of earlier generations is sound, too.
    var isVerified: Bool { digest != nil && fields.last == "verified" }
  }

  private static let python = """
    import runpy, struct, sys
    reader = runpy.run_path(sys.argv[1])
    source, sink = sys.stdin.buffer, sys.stdout
    def verified(data):
        try: reader["read"](data, True); return "verified"
        except reader["Invalid"]: return "no"
    while len(head := source.read(4)) == 4:
        data = source.read(struct.unpack("<I", head)[0])
        try:
            generation, tree, torn = reader["read"](data)
            print("accepted", reader["digest"](tree), generation, torn, verified(data), flush=True)
        except reader["Invalid"] as fault: print("refused", repr(str(fault)), flush=True)
    """

  private static let script = """
    const { Package } = await import(process.argv[1]);
    const limits = Object.fromEntries(
      ["entries", "depth", "indexBytes", "entryBytes", "totalBytes", "amplification"].map((name) => [name, Infinity]));
    async function judge(bytes) {
      try {
        const found = await Package.open(bytes, { limits });
        const torn = found.warnings.length > 0 ? parseInt(found.warnings[0].found) : 0;
        return `accepted ${await found.digest()} ${found.generation} ${torn} unknown`;
      } catch (error) {
        if (error.name !== "ParticlesError") throw error;
        return `refused ${error.code}`;
      }
    }
    let pending = Buffer.alloc(0);
    for await (const piece of process.stdin) {
      pending = Buffer.concat([pending, piece]);
      while (pending.length >= 4 && pending.length >= 4 + pending.readUInt32LE(0)) {
        const end = 4 + pending.readUInt32LE(0);
        const answer = await judge(new Uint8Array(pending.subarray(4, end)));
        process.stdout.write(answer + "\\n");
        pending = pending.subarray(end);
      }
    }
    """

  private let process: Conversation

  /// The reader in Python of the specification.
  /// - Throws: whatever starting Python throws.
  init(python program: String) throws {
    process = try Conversation(
      program, ["-c", Self.python, Repository.path("Spec/read_particles.py")])
  }

  /// The reader of pages.
  /// - Throws: whatever starting node throws.
  init(node program: String) throws {
    let module = Repository.path("Sources/ParticlesWeb/Player/package.js")
    process = try Conversation(
      program, ["--input-type=module", "-e", Self.script, "file://\(module)"])
  }

  func judge(_ bytes: [UInt8]) throws -> Answer {
    var writer = ByteWriter()
    writer.u32(UInt32(bytes.count))
    return Answer(description: try process.ask(writer.bytes + bytes))
  }

  /// Ends the process.
  /// - Returns: its exit status.
  func finish() throws -> Int32 { process.finish() }
}
