internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesFormats
internal import ParticlesImages
internal import ParticlesPlatform
internal import ParticlesPropertyLists
internal import ParticlesSystem
internal import ParticlesTypes

#if FUZZING
  /// The function that libFuzzer calls for each input. libFuzzer contains `main`.
  @_cdecl("LLVMFuzzerTestOneInput")
  public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    Fuzzer.target.run(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
  }

  private enum Fuzzer {
    /// The target comes from the environment because libFuzzer parses the arguments.
    static let target: FuzzTarget = {
      let name = getenv("PARTICLES_FUZZ_TARGET").map { String(cString: $0) } ?? ""
      guard let target = FuzzTarget.named(name) else {
        Law.broken("PARTICLES_FUZZ_TARGET names a target, not '\(name)'")
      }
      return target
    }()
  }
#endif

/// An entry point of the library that accepts untrusted input.
struct FuzzTarget: Sendable {
  /// The name on the command line and in `Fixtures/crashers/`.
  let name: String

  /// A short description of the input.
  let about: String

  /// Tokens for the dictionary of the fuzzer. Default: none.
  let words: [String]

  /// Initial inputs, made from a file of the project. Empty if the file is of another kind.
  let seeds: @Sendable (_ file: [UInt8]) -> [[UInt8]]

  /// Feeds an input. A thrown ``ParticlesCore/Diagnostic`` is a valid result. A broken law ends the process.
  private let feed: @Sendable (_ bytes: [UInt8]) throws -> Void

  init(
    _ name: String, _ about: String, words: [String] = [],
    seeds: @escaping @Sendable (_ file: [UInt8]) -> [[UInt8]],
    feed: @escaping @Sendable (_ bytes: [UInt8]) throws -> Void
  ) {
    self.name = name
    self.about = about
    self.words = words
    self.seeds = seeds
    self.feed = feed
  }

  /// Every target: one for each effect format, and further targets.
  static let all =
    FormatRegistry.standard.formats.filter { !$0.isArchive && $0.canRead }.map { format in
      FuzzTarget(
        format.name, "a file of the format \(format.title)",
        words: format.table?().keys ?? [], seeds: { Seeds.files($0, of: format) },
        feed: { try EffectLaws.check($0, as: format) })
    } + others

  private static let others: [FuzzTarget] = [
    FuzzTarget("container", "a flat package", seeds: Seeds.packages, feed: PackageLaws.check),
    FuzzTarget(
      "container-structured", "a flat package whose frames get right checksums first",
      seeds: Seeds.packages, feed: { try PackageLaws.check(RepairedPackage($0).bytes) }),
    FuzzTarget(
      "recovery", "a damaged package", seeds: Seeds.packages, feed: RecoveryLaws.check),
    FuzzTarget(
      "saving", "edits of a package, and saves of every kind", seeds: Seeds.histories,
      feed: SavingLaws.check),
    FuzzTarget(
      "zip", "a ZIP archive", seeds: { Seeds.files($0, of: .zip) },
      feed: { try FileLaws.check($0, as: .zip) }),
    FuzzTarget(
      "tar", "a tar archive whose headers get right checksums first",
      seeds: { Seeds.files($0, of: .tar) },
      feed: { try FileLaws.check(FileLaws.repairedTar($0), as: .tar) }),
    FuzzTarget(
      "document", "an effect as JSON", seeds: Seeds.documents, feed: DocumentLaws.check),
    FuzzTarget(
      "png", "an image, in Apple's variant too", seeds: Seeds.images, feed: ImageLaws.check),
    FuzzTarget(
      "plist", "any property list, in XML or binary, and archives written again",
      seeds: Seeds.propertyLists,
      feed: {
        try PropertyListLaws.check($0)
        try WriterLaws.check($0)
      }),
    FuzzTarget("tiff", "an image as TIFF", seeds: Seeds.tiffs, feed: TIFFLaws.check),
    FuzzTarget("json", "any JSON", seeds: Seeds.documents, feed: JSONLaws.check),
    FuzzTarget(
      "types", "a property list, types.json, desktop entry, or dynamic identifier",
      seeds: Seeds.types, feed: TypesLaws.check),
  ]

  static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }

  /// Feeds an input, whose work, time and memory must be in proportion to its bytes. Returns the diagnostic that it was
  /// refused with, or nil if it was read.
  @discardableResult
  func run(_ bytes: [UInt8]) -> Diagnostic? {
    do {
      try Cost.check(bytes.count) { try feed(bytes) }
    } catch let diagnostic as Diagnostic {
      // A message is one line, even if it quotes a file that contains line breaks.
      Law.holds("a message is one line", !"\(diagnostic)".contains("\n"))
      return diagnostic
    } catch {
      Law.broken("only diagnostics are thrown, not \(error)")
    }
    return nil
  }

  /// Limits for an input: small, so that an input which exceeds them is a finding.
  static let limits: Limits = {
    var limits = Limits()
    limits.entries = 2000
    limits.depth = 16
    limits.entryBytes = 1 << 20
    limits.totalBytes = 4 << 20
    limits.indexBytes = 1 << 20
    limits.fileBytes = 1 << 20
    limits.objects = 20_000
    limits.types = 2000
    limits.textBytes = 1 << 20
    limits.emitters = 64
    limits.pixels = 1 << 16
    return limits
  }()
}

#if !FUZZING
  /// Feeds files to a target once each, as a regression test for earlier findings.
  @main
  enum Replay {
    static let usage = """
      usage: ParticlesFuzz TARGET FILE…                   feed files to a target
             ParticlesFuzz --seeds FOLDER TARGET FILE…    write what to begin with
             ParticlesFuzz --dictionary TARGET            print the words of its language

      targets:

      """

    static func main() throws {
      var arguments = CommandLine.arguments.dropFirst()
      if arguments.first == "--dictionary", let target = FuzzTarget.named(arguments.last ?? "") {
        return print(target.words.map { "\"\($0)\"" }.joined(separator: "\n"))
      }
      var folder: String?
      if arguments.first == "--seeds" {
        folder = arguments.dropFirst().first
        arguments = arguments.dropFirst(2)
      }
      guard let target = arguments.popFirst().flatMap(FuzzTarget.named), !arguments.isEmpty else {
        let list = FuzzTarget.all.map { "  \($0.name): \($0.about)" }.joined(separator: "\n")
        try OpenFile.standardError.write(Array("\(usage)\(list)\n".utf8))
        exit(64)
      }
      for path in arguments {
        let bytes = try Files.read(path)
        if let folder {
          try write(target.seeds(bytes), of: path, to: folder)
        } else {
          print("\(path): \(target.run(bytes)?.description ?? "read")")
          for seed in target.seeds(bytes) { target.run(seed) }
        }
      }
    }

    private static func write(_ seeds: [[UInt8]], of path: String, to folder: String) throws {
      for seed in seeds {
        // Equal seeds are written once: the name is derived from the contents.
        let name = "\(Files.stem(of: path))-\(SHA256.digest(seed).description.prefix(8))"
        let place = Files.joined(folder, name)
        if try Files.status(place) == nil { try Files.create(place, seed) }
      }
    }
  }
#endif

/// The permitted cost of an input for each of its bytes: an input that costs more breaks a law.
///
/// The library counts the work, so it is equal on all machines. Time and memory are measured. Their bounds are ten
/// times the needs of the costliest fixture, for slow machines and the sanitizers.
struct Cost {
  /// A bound that grows with the number of bytes.
  private struct Bound {
    let free: Double
    let perByte: Double

    func holds(_ cost: Double, _ bytes: Int) -> Bool { cost <= free + perByte * Double(bytes) }
  }

  /// Steps. An emitter is read a few times, and written in every format. A file of a few bytes may have an emitter.
  private static let work = Bound(free: 2_000_000, perByte: 400)
  /// Seconds of the processor.
  private static let time = Bound(free: 20 * slowness, perByte: 1e-4 * slowness)
  /// Bytes by which the process grows.
  private static let memory = Bound(free: Double(400 << 20), perByte: 4_096)

  #if DEBUG
    private static let slowness = 5.0
  #else
    private static let slowness = 1.0
  #endif

  private let start = Cost.seconds
  private let peak = Cost.peakBytes

  /// Runs `body`, which processes `count` bytes, and checks the cost.
  static func check(_ count: Int, _ body: () throws -> Void) throws {
    let before = Cost()
    var limits = Limits.standard
    // The laws are many operations. Each has limits of its own.
    (limits.work, limits.memory) = (.max, .max)
    try WorkBudget.run(limits) {
      defer { before.check(count) }
      try body()
    }
  }

  private func check(_ count: Int) {
    let (work, seconds) = (Double(WorkBudget.work), Self.seconds - start)
    let bytes = Double(Self.peakBytes - peak)
    Law.holds("\(count) bytes make \(work) steps of work", Self.work.holds(work, count))
    Law.holds("\(count) bytes take \(seconds) s", Self.time.holds(seconds, count))
    Law.holds("\(count) bytes need \(bytes) bytes of memory", Self.memory.holds(bytes, count))
  }

  private static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The most memory that the process had.
  private static var peakBytes: Int {
    var usage = rusage()
    // RUSAGE_SELF, whose type differs between systems.
    getrusage(0, &usage)
    #if canImport(Darwin)
      return Int(usage.ru_maxrss)
    #else
      return Int(usage.ru_maxrss) << 10
    #endif
  }
}

/// Initial inputs of the fuzzer, made from files of any kind.
enum Seeds {
  static func packages(_ file: [UInt8]) -> [[UInt8]] {
    Container.isFlatPackage(file) ? [file] : []
  }

  /// Any bytes select the steps of the target `saving`, so these serve well.
  static func histories(_ file: [UInt8]) -> [[UInt8]] {
    Container.isFlatPackage(file) ? [Array(file.prefix(256))] : []
  }

  /// An archive of a format. A package is packed as an archive.
  static func files(_ file: [UInt8], of format: ParticleFormat) -> [[UInt8]] {
    if format.recognise(file, "") { return [file] }
    guard let package = try? Container(decoding: file), case .files(_, let pack) = format.content
    else { return [] }
    var packed: [UInt8] = []
    _ = try? pack(package.root) { packed += $0 }
    return [packed]
  }

  /// Files that declare types.
  static func types(_ file: [UInt8]) -> [[UInt8]] {
    guard let types = try? TypesFile(file, path: "input"), file.count < 16 << 10 else { return [] }
    return types.declarations.isEmpty && types.claims.isEmpty ? [] : [file]
  }

  /// A property list, as it is and as XML.
  static func propertyLists(_ file: [UInt8]) -> [[UInt8]] {
    guard let list = try? PropertyListValue(decoding: file) else { return [] }
    return [file, list.xml]
  }

  /// A TIFF file, or one embedded in a file of another format.
  static func tiffs(_ file: [UInt8]) -> [[UInt8]] {
    if ImageFormat(of: file) == .tiff { return [file] }
    let context = DecodingContext(fileName: "seed")
    let imported = FormatRegistry.standard.formats.lazy.compactMap { try? $0.decode(file, context) }
      .first
    return imported?.images.values.filter { ImageFormat(of: $0) == .tiff } ?? []
  }

  /// The document of a package, or a file that is JSON itself.
  static func documents(_ file: [UInt8]) -> [[UInt8]] {
    if let package = try? Container(decoding: file) {
      let document = try? package.root[EffectPackage.documentPath]?.regularFileContents()
      return [document].compactMap(\.self)
    }
    return (try? JSONParser.parse(file)) == nil ? [] : [file]
  }

  /// Images of a package, or an image file. A PNG also in Apple's variant.
  static func images(_ file: [UInt8]) -> [[UInt8]] {
    var files = [file]
    try? Container(decoding: file).root.forEachDescendant { _, node in
      files += [try node.regularFileContents()].compactMap(\.self)
    }
    return files.filter { ImageFormat(of: $0) != nil }.flatMap {
      [$0] + (ImageFormat(of: $0) == .png ? [try? appleVariant(of: $0)].compactMap(\.self) : [])
    }
  }

  /// A PNG with the chunks of Apple's variant. The checksums of chunks are omitted: the reader
  /// ignores them.
  private static func appleVariant(of image: [UInt8]) throws -> [UInt8] {
    var reader = ByteReader(image, rule: .image)
    try reader.seek(to: PNG.signature.count)
    var variant = PNG.signature
    var data: [UInt8] = []
    func chunk(_ kind: [UInt8], _ content: [UInt8]) -> [UInt8] {
      let count = UInt32(content.count).bigEndian
      return withUnsafeBytes(of: count) { Array($0) } + kind + content + [0, 0, 0, 0]
    }
    variant += chunk(Array("CgBI".utf8), [0x50, 0, 0x20, 2])
    while !reader.isAtEnd {
      let count = Int(try reader.bigEndian(4))
      let kind = Array(try reader.read(4))
      let content = Array(try reader.read(count))
      _ = try reader.u32()
      switch String(decoding: kind, as: UTF8.self) {
      case "IDAT": data += content
      // The deflate stream without the header and checksum of zlib.
      case "IEND": variant += chunk(Array("IDAT".utf8), Array(data.dropFirst(2).dropLast(4)))
      default: break
      }
      if kind != Array("IDAT".utf8) { variant += chunk(kind, content) }
    }
    return variant
  }
}
