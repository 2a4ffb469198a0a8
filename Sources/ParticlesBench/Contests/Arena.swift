internal import ParticlesContainer
internal import ParticlesPackages
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesFormats
internal import ParticlesModel
internal import ParticlesPlatform
internal import ParticlesSystem
internal import ParticlesTypes

/// The scratch folders of the contests on a shape: its files, and the packages made from them.
final class Arena {
  let shape: Shape
  let tool: String

  private let folder: String
  /// A folder on a disk, for synchronised saves. Nil if none are measured.
  private let disk: String?
  private var sourceDigest = ""
  private(set) var fileCount = 0

  init(_ shape: Shape, in scratch: Scratch, disk: Scratch?, tool: String) throws {
    self.shape = shape
    self.tool = tool
    folder = Files.joined(scratch.path, shape.rawValue)
    self.disk = disk.map { Files.joined($0.path, shape.rawValue) }
    try Files.makeDirectory(folder)
    if let disk = self.disk { try Files.makeDirectory(disk) }
    for name in ["archives", "saves"] { try Files.makeDirectory(path(name)) }
    try writeSource()
    sourceDigest = try digest(of: source)
  }

  func path(_ name: String) -> String { Files.joined(folder, name) }

  /// The folder for the saves of an operation.
  func saves(_ operation: Operation) -> String {
    operation == .appendSynced ? disk ?? path("saves") : path("saves")
  }

  /// The files that are packed.
  var source: String { path("source") }

  /// The folder that packages are unpacked to.
  var output: String { path("output") }

  private func writeSource() throws {
    var made: Set<String> = []
    func makeFolder(_ path: String) throws {
      guard path != folder, made.insert(path).inserted else { return }
      try makeFolder(Files.folder(of: path))
      try Files.makeDirectory(path)
    }
    try shape.forEachFile { generated in
      try Interruption.check()
      let path = Files.joined(source, generated.path)
      try makeFolder(Files.folder(of: path))
      let file = try OpenFile(creating: path)
      try generated.forEachPiece { try $0.withUnsafeBytes(file.write) }
      fileCount += 1
    }
  }

  // MARK: Programs

  /// The process that a recipe describes.
  func process(
    _ recipe: Peer.Recipe, archive: String, folder: String = "", insideOf place: String? = nil
  ) -> ChildProcess {
    let words = Peer.words(
      of: recipe.command,
      [
        "tool": tool, "archive": archive, "folder": folder, "entry": shape.entry,
        "copy": path("saves/copy"), "document": path("document.particles"),
        "effect": path("effect.sks"),
      ])
    return ChildProcess(words: words, folder: recipe.isInside ? place ?? folder : nil)
  }

  /// The path of a peer's package. If it does not exist, it is packed now.
  func archive(of peer: Peer) throws -> String {
    let path = archivePath(of: peer)
    if try Files.status(path) == nil, let recipe = peer.recipes[.pack] {
      _ = try process(recipe, archive: path, folder: source).run()
    }
    return path
  }

  func archivePath(of peer: Peer) -> String { path("archives/package.\(peer.fileExtension)") }

  // MARK: Checks

  /// Throws unless a folder or package holds a tree equal to the source.
  func expectSource(in path: String) throws {
    guard try digest(of: path) == sourceDigest else {
      throw ChildProcess.Failure(text: "the tree in '\(path)' is not the one that was packed")
    }
  }

  private func digest(of path: String) throws -> String {
    // Another process, so that the memory of this one stays small.
    let output = try ChildProcess(words: [tool, "digest", path]).output()
    return String(decoding: output.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
  }
}

extension Files {
  /// Removes a file or folder if it exists.
  static func clear(_ path: String) throws {
    if try status(path, followingLinks: false) != nil { try removeAll(path) }
  }
}

extension Arena {
  /// The contest of an operation. Nil if this shape adds no information.
  func contest(_ operation: Operation, peers: [Peer]) throws -> Contest? {
    if !operation.isAboutPackages, shape != .tiny { return nil }
    if operation == .appendSynced, shape != .tiny, shape != .many { return nil }
    if operation == .batch { return try batch() }
    if operation.particleCount != nil { return try simulation(operation) }
    if operation.isPicture { return try pictures(operation) }
    if let format = operation.exportFormat { return try exports(operation, to: format) }
    if let contest = try live(operation) { return contest }
    let ours: Contestant
    switch operation {
    case .append, .appendSynced: ours = try saveInProcess(.append, operation)
    case .replace: ours = try saveInProcess(.replace, operation)
    case .read: ours = try readInProcess()
    case .decode: ours = Self.decode
    case .encode: ours = Self.encode
    case .typesLoad: ours = loadTypes()
    case .typeOfExtension: ours = typeOfExtension()
    case .conforms: ours = conforms()
    default:
      guard let contestant = try contestant(operation, Peer.ours) else { return nil }
      ours = contestant
    }
    var others = try peers.compactMap { try contestant(operation, $0) }
    switch operation {
    case .replace: others.append(try copy())
    case .read: others.append(try readWholeFile())
    case .decode: others.append(Self.parseJSON)
    case .encode: others.append(Self.printJSON)
    case .list, .extract, .verify, .start, .info, .convert:
      if shape == .tiny { others.append(nothing()) }
    default: break
    }
    return Contest(operation: operation, shape: shape, ours: ours, peers: others)
  }

  private func contestant(_ operation: Operation, _ peer: Peer) throws -> Contestant? {
    guard let recipe = peer.recipes[operation] else { return nil }
    switch operation {
    case .pack:
      return packing(recipe, to: archivePath(of: peer), isOurs: peer.name == Peer.ours.name)
    case .packFast:
      let path = path("archives/fast.\(peer.fileExtension)")
      return packing(recipe, to: path, isOurs: peer.name == Peer.ours.name)
    case .unpack: return try unpacking(recipe, peer)
    case .append, .appendSynced, .replace: return try updating(recipe, peer, operation)
    case .info:
      let document = path("document.particles")
      try Files.clear(document)
      _ = try ChildProcess(words: [tool, "new", document]).run()
      return Contestant(label: recipe.label, work: .process(process(recipe, archive: "")))
    case .convert:
      try writeEffect(to: path("effect.sks"))
      return Contestant(label: recipe.label, work: .process(process(recipe, archive: "")))
    case .list, .extract, .verify, .verifyQuick, .read, .start:
      let process = process(recipe, archive: try archive(of: peer))
      return Contestant(
        label: recipe.label, work: .process(process),
        check: { [self] in try check(operation, process) })
    default: return nil
    }
  }

  private func packing(_ recipe: Peer.Recipe, to path: String, isOurs: Bool) -> Contestant {
    Contestant(
      label: recipe.label, prepare: { try Files.clear(path) },
      work: .process(process(recipe, archive: path, folder: source)),
      // Packages of peers are checked when they are unpacked.
      check: { [self] in if isOurs { try expectSource(in: path) } },
      size: { try Files.status(path)?.size })
  }

  private func unpacking(_ recipe: Peer.Recipe, _ peer: Peer) throws -> Contestant {
    let archive = try archive(of: peer)
    return Contestant(
      label: recipe.label,
      prepare: { [output] in
        try Files.clear(output)
        if recipe.isInside { try Files.makeDirectory(output) }
      },
      work: .process(process(recipe, archive: archive, folder: output)),
      check: { [self] in try expectSource(in: output) })
  }

  private func nothing() -> Contestant {
    let recipe = Peer.nothing
    return Contestant(label: recipe.label, work: .process(process(recipe, archive: "")))
  }

  /// Checks the output of a program, as far as all programs have it in common.
  private func check(_ operation: Operation, _ process: ChildProcess) throws {
    switch operation {
    case .extract:
      let expected = try Files.read(Files.joined(source, shape.entry))
      guard try process.output() == expected else {
        throw ChildProcess.Failure(text: "the extracted file is another one")
      }
    case .list:
      let lines = try process.output().count { $0 == UInt8(ascii: "\n") }
      guard lines >= fileCount else {
        throw ChildProcess.Failure(text: "\(lines) lines for \(fileCount) files")
      }
    default: break
    }
  }
}

/// Contests of the type registry.
extension Arena {
  /// From the table in the program to a registry that answers.
  func loadTypes() -> Contestant {
    var registry = TypeRegistry([])
    return Contestant(
      label: "library", work: .shortCall { registry = TypeRegistry.bundled() },
      check: {
        guard UniformType("public.png", in: registry)?.conforms(to: .image) == true else {
          throw ChildProcess.Failure(text: "the types of the system are not there")
        }
      })
  }

  /// Looks up an extension that exactly one type claims. The cost is different for extensions with several types or
  /// none.
  func typeOfExtension() -> Contestant {
    var type: UniformType?
    return Contestant(
      label: "library", work: .shortCall { type = UniformType(filenameExtension: "png") },
      check: {
        guard type == .png else { throw ChildProcess.Failure(text: "another type was found") }
      })
  }

  /// Conformance across the tree, by way of two other types.
  func conforms() -> Contestant {
    let (type, other) = (UniformType.swiftSource, UniformType.content)
    var answer = false
    return Contestant(
      label: "library", work: .shortCall { answer = type.conforms(to: other) },
      check: {
        guard answer else { throw ChildProcess.Failure(text: "the answer is wrong") }
      })
  }
}

/// Conversions: one typical file, and whether the cost per emitter is constant for many emitters.
extension Arena {
  private static let counts = [100, 200, 400, 800, 1600, 3200]

  /// The largest effect beside the smaller ones.
  func exports(_ operation: Operation, to format: String) throws -> Contest {
    var contestants = try Self.counts.map { try Self.export(of: $0, to: format) }
    let ours = contestants.removeLast()
    return Contest(operation: operation, shape: shape, ours: ours, peers: contestants)
  }

  /// Exports an effect of many emitters into memory.
  static func export(of count: Int, to format: String) throws -> Contestant {
    let format = try Self.format(format)
    let package = try EffectPackage(manyEmitters(count))
    var exported = Exported(parts: [])
    return Contestant(
      label: "\(count) emitters",
      work: .call { exported = try package.exported(as: format, fileName: "many") },
      check: {
        guard exported.parts.flatMap(\.emitters).count == count else {
          throw ChildProcess.Failure(text: "some of \(count) emitters were not exported")
        }
      }, count: count)
  }

  /// An effect of emitters that differ a little.
  private static func manyEmitters(_ count: Int) -> ParticleSystem {
    ParticleSystem(
      name: "Many",
      emitters: (0..<count).map { number in
        var emitter = Emitter(name: "emitter \(number)")
        emitter.emission.rate = .constant(Double(10 + number % 7))
        emitter.lifetime = .constant(1 + Double(number % 5) / 4)
        emitter.launch.speed = 50
        emitter.launch.spread = 10
        return emitter
      })
  }

  /// Writes a typical effect as a file of SpriteKit's. Another process does, so that the memory of
  /// this one stays small.
  func writeEffect(to path: String) throws {
    let document = self.path("document.particles")
    for path in [document, path] { try Files.clear(path) }
    _ = try ChildProcess(words: [tool, "new", document]).run()
    _ = try ChildProcess(words: [tool, "convert", document, "-o", path]).run()
  }

  private static func format(_ name: String) throws -> ParticleFormat {
    guard let format = FormatRegistry.standard[name] else {
      throw ChildProcess.Failure(text: "there is no format '\(name)'")
    }
    return format
  }
}

/// Reading and writing a document, beside the JSON alone: the cost of types, defaults and preserved
/// unknown properties.
extension Arena {
  /// A typical document: three emitters with curves, gradients and forces.
  private static let document: ParticleSystem = {
    var system = ParticleSystem(
      name: "Camp fire", emitters: ["Flames", "Smoke", "Sparks"].map(emitter))
    system.images = ["fire", "smoke", "spark"].map { name in
      var image = ImageReference(name: name, uri: "Images/\(name).png")
      (image.mimeType, image.width, image.height) = ("image/png", 128, 128)
      image.sha256 = String(repeating: "0f", count: 32)
      return image
    }
    system.sprites = system.images.indices.map { Sprite(image: $0) }
    system.emitters[1].sprites = [1]
    system.emitters[2].triggers = [Trigger(.death, emitter: 1, count: .range(1, 3))]
    return system
  }()

  private static func emitter(_ name: String) -> Emitter {
    var emitter = Emitter(name: name)
    emitter.timing.duration = 2
    emitter.timing.loop = true
    emitter.emission.rate = .range(90.5, 120.25)
    emitter.emission.bursts = [Burst(time: 0.5, count: 12)]
    emitter.shape = .ellipse(24, 8.5)
    emitter.launch.spread = 12.5
    emitter.launch.speed = .range(60, 95.75)
    emitter.lifetime = .range(0.8, 1.6)
    emitter.forces = [.gravity(Vector(0, -30.5)), .drag(.exponential, strength: 0.4)]
    emitter.rotation.velocity = Track(from: .range(-45, 45), to: 0)
    emitter.size.width = Track(
      from: 0, to: .range(24, 40), curve: Curve(through: [(0, 0.35), (0.2, 1), (1, 0.1)]))
    emitter.color.base = ColorTrack(
      gradient: Gradient([
        GradientKey(0, Color(1, 0.9, 0.6)), GradientKey(0.35, Color(1, 0.45, 0.1)),
        GradientKey(1, Color(0.3, 0.05, 0, 0)),
      ]))
    emitter.color.opacity = Track(
      from: 0, to: 1, curve: Curve(through: [(0, 0), (0.1, 1), (1, 0)]))
    emitter.render.blend.mode = .add
    emitter.sprites = [0]
    return emitter
  }

  private static let bytes = document.encoded()

  static var decode: Contestant {
    Contestant(
      label: "library", work: .shortCall { _ = try ParticleSystem(decoding: bytes) },
      check: {
        guard try ParticleSystem(decoding: bytes) == document else {
          throw ChildProcess.Failure(text: "the document is another one")
        }
      })
  }

  static var encode: Contestant {
    Contestant(label: "library", work: .shortCall { _ = document.encoded() })
  }

  static var parseJSON: Contestant {
    Contestant(label: "JSON parser", work: .shortCall { _ = try JSONParser.parse(bytes) })
  }

  private static let json = document.json

  static var printJSON: Contestant {
    Contestant(label: "JSON printer", work: .shortCall { _ = Array(json.text.utf8) })
  }
}

/// Conversion of many small effects with their images to packages, in one run.
extension Arena {
  /// The folders of small effects in the corpus.
  static let kinds = ["plist", "pex", "sks", "scnp"]

  /// The number of copies of each effect.
  private static let copies = 20

  /// The folder of real effects: `PARTICLES_CORPUS`, or `../shared/corpus`.
  static let corpus = getenv("PARTICLES_CORPUS").map { String(cString: $0) } ?? "../shared/corpus"

  /// Whether the corpus has small effects.
  static var hasEffects: Bool {
    kinds.allSatisfy { (try? Files.status(Files.joined(corpus, $0)))?.kind == .directory }
  }

  /// Converts with the tool. Python reads, parses and writes equally many bytes. A flush of the tool's result to disk
  /// shows the cost of durability.
  func batch() throws -> Contest {
    let (effects, results) = (path("effects"), path("packages"))
    let count = try copyEffects(to: effects)
    var others: [Contestant] = []
    let peers = [
      ("plistlib", ["python3", "-c", Self.script, effects, path("copies")], path("copies")),
      ("sync", ["sync", "-f", results], nil as String?),
    ]
    for (label, words, output) in peers where ChildProcess.find(words[0]) != nil {
      others.append(
        Contestant(
          label: label, prepare: { if let output { try Files.clear(output) } },
          work: .process(ChildProcess(words: words)), count: count))
    }
    let convert = [tool, "convert", "-q", "-r", effects, "--to", "particles", "-o", results]
    return Contest(
      operation: .batch, shape: shape,
      ours: Contestant(
        label: "particles", prepare: { try Files.clear(results) },
        work: .process(ChildProcess(words: convert)),
        check: {
          let found = try Self.countFiles(in: results)
          guard found == count else {
            throw ChildProcess.Failure(text: "\(found) results for \(count) effects")
          }
        }, count: count),
      peers: others)
  }

  /// Copies the effects and their images into a folder for each copy.
  /// - Returns: the number of effects, without images.
  private func copyEffects(to folder: String) throws -> Int {
    try Files.clear(folder)
    try Files.makeDirectory(folder)
    var count = 0
    for copy in 1...Self.copies {
      let place = Files.joined(folder, "\(copy)")
      try Files.makeDirectory(place)
      for kind in Self.kinds {
        count += try Self.copyTree(
          Files.joined(Self.corpus, kind), to: Files.joined(place, kind), counting: kind)
      }
    }
    return count
  }

  private static func copyTree(_ source: String, to target: String, counting kind: String) throws
    -> Int
  {
    try Files.makeDirectory(target)
    var count = 0
    for name in try Files.list(source, passingOver: { _ in }) {
      try Interruption.check()
      let (from, to) = (Files.joined(source, name), Files.joined(target, name))
      if try Files.status(from)?.kind == .directory {
        count += try copyTree(from, to: to, counting: kind)
      } else {
        try Files.read(from).withUnsafeBytes(OpenFile(creating: to).write)
        if Files.pathExtension(of: name) == kind { count += 1 }
      }
    }
    return count
  }

  private static func countFiles(in folder: String) throws -> Int {
    try Files.list(folder, passingOver: { _ in }).reduce(0) { count, name in
      let path = Files.joined(folder, name)
      let isFolder = try Files.status(path)?.kind == .directory
      return count + (isFolder ? try countFiles(in: path) : 1)
    }
  }

  /// Reads, parses and writes every file, in one thread and without flushing.
  private static let script =
    "import os, plistlib, sys\nimport xml.etree.ElementTree as xml\n" + """
      source, target = sys.argv[1:]
      for folder, _, names in os.walk(source):
          place = os.path.join(target, os.path.relpath(folder, source))
          os.makedirs(place)
          for name in names:
              with open(os.path.join(folder, name), 'rb') as file:
                  data = file.read()
              if name.endswith('.pex'):
                  data = xml.tostring(xml.fromstring(data))
              elif not name.endswith('.png'):
                  form = plistlib.FMT_BINARY if data.startswith(b'bplist') else plistlib.FMT_XML
                  data = plistlib.dumps(plistlib.loads(data), fmt=form, sort_keys=False)
              with open(os.path.join(place, name), 'wb') as file:
                  file.write(data)
      """
}

/// Contests that run inside this process, and their peers.
extension Arena {
  /// Saves an open document, of which 4 KB have changed, in place.
  func saveInProcess(_ mode: SaveMode, _ operation: Operation) throws -> Contestant {
    let path = Files.joined(saves(operation), "\(mode).particles")
    try copy(try archive(of: Peer.ours), to: path)
    var container = Container()
    var changes = 0
    return Contestant(
      label: "library",
      prepare: { [shape] in
        container = try Container(contentsOf: path)
        changes += 1
        let node = FileNode(regularFileWithContents: Shape.change(changes))
        try container.root.setFileNode(node, at: shape.entry)
      },
      work: .call { try container.save(mode: mode) },
      check: {
        guard try Container(contentsOf: path).root.treeDigest() == container.root.treeDigest()
        else {
          throw ChildProcess.Failure(text: "the saved package is not the one that was changed")
        }
      },
      size: { try Files.status(path)?.size })
  }

  /// Makes the change in the package of a peer.
  func updating(
    _ recipe: Peer.Recipe, _ peer: Peer, _ operation: Operation
  ) throws -> Contestant {
    let path = Files.joined(saves(operation), "update.\(peer.fileExtension)")
    try copy(try archive(of: peer), to: path)
    let place = Files.joined(saves(operation), peer.name)
    let file = Files.joined(place, shape.entry)
    try Files.clear(place)
    var folder = place
    try Files.makeDirectory(folder)
    for name in shape.entry.split(separator: "/").dropLast() {
      folder = Files.joined(folder, String(name))
      try Files.makeDirectory(folder)
    }
    var changes = 0
    return Contestant(
      label: recipe.label,
      prepare: {
        changes += 1
        try Files.clear(file)
        try Files.create(file, Shape.change(changes))
      },
      work: .process(process(recipe, archive: path, insideOf: place)))
  }

  func copy() throws -> Contestant {
    let recipe = Peer.copy
    return Contestant(
      label: recipe.label, prepare: { [self] in try Files.clear(path("saves/copy")) },
      work: .process(process(recipe, archive: try archive(of: Peer.ours))))
  }

  /// Opens a package and reads one file, as an application does that shows a thumbnail.
  func readInProcess() throws -> Contestant {
    let path = try archive(of: Peer.ours)
    let name = shape.entry
    let expected = try Files.read(Files.joined(source, name))
    func contents() throws -> [UInt8]? {
      let reader = try ContainerReader(.file(path))
      return try reader.entry(name).map { try reader.contents(of: $0).bytes() }
    }
    return Contestant(
      label: "library", work: .shortCall { _ = try contents() },
      check: {
        guard try contents() == expected else {
          throw ChildProcess.Failure(text: "the file that was read is another one")
        }
      })
  }

  /// Reads the whole package into memory without parsing it.
  func readWholeFile() throws -> Contestant {
    let path = try archive(of: Peer.ours)
    let size = try Files.status(path)?.size ?? 0
    var buffer = [UInt8](repeating: 0, count: min(size, 256 << 10))
    return Contestant(
      label: "read(2)",
      work: .shortCall {
        let file = try OpenFile(reading: path)
        for offset in stride(from: 0, to: size, by: buffer.count) {
          try buffer.withUnsafeMutableBytes {
            let count = min($0.count, size - offset)
            try file.read(
              at: offset, into: UnsafeMutableRawBufferPointer(rebasing: $0.prefix(count)))
          }
        }
      })
  }

  private func copy(_ from: String, to: String) throws {
    try Files.clear(to)
    _ = try ChildProcess(words: ["cp", from, to]).run()
  }
}
