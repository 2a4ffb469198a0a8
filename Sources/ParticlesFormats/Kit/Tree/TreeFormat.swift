internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

/// A family of text files with nested values, and one or more emitters.
///
/// Keys of rows are paths: keys with points between them. An element of an array that has a name is
/// addressed by it: `behaviors[alpha].config`.
protocol TreeFormat: EmitterFormat
where Reader == TreeReader<Self>, Field == JSONValue, Surroundings == TreeSurroundings {
  /// The name of the format, for the source bag.
  var name: String { get }

  /// Properties of the whole file. By default the properties of the table.
  var asset: Asset { get }

  /// The key of the name of an element, in arrays whose elements have one.
  var identityKey: String { get }

  /// The key that states how other members of its object act together (``TreeMerge/joint``). None by default.
  var jointKey: String? { get }

  /// Whether a number that is `null` is 0, as in the arithmetic of JavaScript. By default it counts
  /// as absent.
  func isZeroIfNull(_ path: String) -> Bool

  /// Finds the emitters, in the order of the document.
  /// - Throws: ``ParticlesCore/Rule/emitterRoot`` if there is none.
  func emitters(in root: JSONValue) throws(Failure) -> [TreeEmitter]

  /// The engine that a file was made for. Nil, by default, if only one engine reads the format.
  /// - Parameter named: the engine that the caller names, or nil to look at the file.
  func engine(of root: JSONValue, named: Profile?) -> EngineChoice?

  /// The path in a file for a path of rows, for formats with several spellings. By default both are equal.
  /// - Parameter emitter: the emitter in the file, or nil for a new file.
  /// - Returns: nil for a key that files do not have: it is neither read nor written.
  func spelling(of path: String, in emitter: JSONValue?) -> String?

  /// The contents of a file with these emitters.
  /// - Parameter origin: the contents of the source file, or nil for a new file.
  func root(of emitters: [JSONValue], _ system: ParticleSystem, origin: JSONValue?) -> JSONValue

  /// Whether a value that no row reads changes nothing in the effect, so that it is no loss. By default false.
  /// - Parameters:
  ///   - value: the value, or an object of values that change nothing together.
  ///   - path: its path in the emitter.
  func changesNothing(_ value: JSONValue, at path: String, in emitter: JSONValue) -> Bool

  /// The images that an emitter shows.
  func sprites(of reader: TreeReader<Self>) throws(Failure) -> [TreeSprite]

  /// Reads properties that concern more than one emitter.
  func complete(_ system: inout ParticleSystem, _ readers: [TreeReader<Self>]) throws(Failure)

  /// Whether a file holds all emitters. Otherwise there is one file for each emitter.
  var holdsAll: Bool { get }

  /// The report text for the images of an emitter, if files name none.
  var imagesDetail: String? { get }

  /// Whether the engine draws the picture of a sprite itself, so that it is no file beside.
  /// - Parameter place: the place among the sprites of the emitter.
  func draws(_ place: Int, _ surroundings: Surroundings) -> Bool

  /// The most images that an emitter has.
  var imageCount: Int { get }

  /// Whether rows write regions and grids of sprites.
  var writesRegions: Bool { get }
}

extension TreeFormat {
  var identityKey: String { "type" }
  var jointKey: String? { nil }
  func isZeroIfNull(_ path: String) -> Bool { false }
  func changesNothing(_ value: JSONValue, at path: String, in emitter: JSONValue) -> Bool { false }
  func engine(of root: JSONValue, named: Profile?) -> EngineChoice? { nil }
  func draws(_ place: Int, _ surroundings: Surroundings) -> Bool { false }
  var randomness: Randomness { .half }
  var holdsAll: Bool { false }
  var imagesDetail: String? { nil }
  var imageCount: Int { 1 }
  var writesRegions: Bool { false }

  func adapt(_ writer: inout EmitterWriter<Self>) {
    if table.capabilities[.total] != .exact { writer.endAtTotal() }
    writer.turnLaunch(toPlane: true)
  }

  func spelling(of path: String, in emitter: JSONValue?) -> String? { path }

  func complete(_ system: inout ParticleSystem, _ readers: [TreeReader<Self>]) throws(Failure) {}
  func sprites(of reader: TreeReader<Self>) throws(Failure) -> [TreeSprite] { [] }

  func integer(_ number: Int) -> JSONValue { .int(number) }

  func flag(_ flag: Bool) -> JSONValue { .bool(flag) }

  func real(_ number: Double) -> JSONValue { .real(number) }
}

extension JSONValue {
  /// A number as formats write it. Beyond the limit of readers, it becomes the largest accepted number.
  static func real(_ number: Double) -> JSONValue {
    .double(number.inLimit)
  }
}

/// An emitter in a file.
struct TreeEmitter {
  /// Its path, for messages: `emitters[0]`. Empty for the whole file.
  var path: String
  var value: JSONValue
  /// Its name, or nil to use the name of the file.
  var name: String?
}

/// An image that an emitter shows.
struct TreeSprite {
  /// The key that names it.
  var path: String
  /// Possible names, beginning with the name in the file.
  var references: [String]
  /// Another file that lists images, such as an atlas, with a function that finds this image there, or nil.
  var list: (file: String, images: @Sendable ([UInt8]) throws(Failure) -> [ListedImage])?
  /// The image, if the file holds it.
  var inside: FoundImage?
  /// How it is shown. The decoder knows the index of the image.
  var sprite = Sprite()
}

/// The context of rows for an emitter that is written.
struct TreeSurroundings: Sendable {
  /// The emitter in the source file, or nil for a new emitter.
  var origin: JSONValue?
  /// The engine that the source file was made for. Nil for a new file, or if only one engine reads the format.
  var engine: Profile?
  /// The names of the images of the emitter's sprites.
  var images: [String] = []
  /// The bytes of these images, where they are in the package.
  var data: [[UInt8]?] = []
  /// How many sprites the emitters before this one show, and all emitters.
  var sprites = (before: 0, all: 0)
}

extension EmitterWriter where Format: TreeFormat {
  /// Writes the name of the first image, if there is one.
  mutating func setImage(_ key: String) {
    if let name = surroundings.images.first { set(key, .string(name)) }
  }

  /// The line for the image that is named because one is required.
  mutating func loseBlankImage(_ detail: String) {
    let (before, all) = surroundings.sprites
    // The images of later emitters are counted from one on.
    var line = Diagnostic(.restated, .texture, at: "\(path).sprites", detail)
    line.loss?.moved = MovedSprites(
      sprites: before...max(all, before), emitters: index + 1..<system.emitters.count)
    losses.append(line)
  }
}

extension ParticleFormat {
  /// A format of text files with nested values, made of a mapping table and a syntax.
  init<Format: TreeFormat, Syntax: TreeSyntax>(
    _ format: Format, in syntax: Syntax.Type, title: String, extensions: [String],
    lookAlikes: @autoclosure @escaping @Sendable () -> [ForeignKind] = [],
    recognise: @escaping @Sendable (_ bytes: [UInt8], _ fileName: String) -> Bool
  ) {
    self.init(
      name: format.name, title: title, extensions: extensions, recognise: recognise,
      decode: { bytes, context throws(Failure) in
        try TreeDecoder<Format, Syntax>(format: format, context: context).open(bytes).imported
      },
      encode: { system, context throws(Failure) in
        try TreeEncoder<Format, Syntax>(format: format, context: context).encode(system)
      })
    makeLookAlikes = lookAlikes
    decimalCommas = Syntax.decimalCommas
    makeCapabilities = { format.table.capabilities }
    table = { (format.table.keys, format.table.markdown) }
  }
}

/// A decoded file: the effect, and the source values of its emitters.
struct OpenedTree<Format: TreeFormat> {
  let imported: Imported
  /// One for each emitter of the effect, in its order.
  let readers: [TreeReader<Format>]
}

struct TreeDecoder<Format: TreeFormat, Syntax: TreeSyntax> {
  let format: Format
  let context: DecodingContext

  func open(_ bytes: [UInt8]) throws(Failure) -> OpenedTree<Format> {
    try open(Syntax(decoding: bytes, limits: context.limits), bytes)
  }

  func open(_ file: Syntax, _ bytes: [UInt8]) throws(Failure) -> OpenedTree<Format> {
    let root = file.value
    let emitters: [TreeEmitter]
    do {
      emitters = try format.emitters(in: root)
    } catch var fault as Diagnostic where fault.rule == .emitterRoot && fault.found == nil {
      let kind = context.formats.foreign(bytes, fileName: context.fileName)
      (fault.found, fault.hint) = (kind?.found ?? root.kind, kind?.hint ?? fault.hint)
      throw fault
    }
    try context.limits.checkEmitters(emitters.count)
    var system = ParticleSystem()
    system.asset = format.asset
    let engine = format.engine(of: root, named: context.engine)
    if let engine { system.asset.profile = engine.profile }
    system.asset.name = Files.stem(of: context.fileName)
    var findings = file.findings
    var images = ImportedImages(context: context) { _ in }
    let readers = emitters.map { TreeReader(format, $0, root: root, engine: engine) }
    for (index, reader) in readers.enumerated() {
      let stem = Files.stem(of: context.fileName)
      let standard = emitters.count > 1 ? "\(stem) \(index + 1)" : stem
      var emitter = try format.table.emitter(
        named: emitters[index].name ?? standard, from: reader)
      for sprite in try format.sprites(of: reader) {
        if let index = try add(sprite, reader, &images, &system, &emitter) {
          emitter.sprites.append(index)
        }
      }
      system.emitters.append(emitter)
    }
    try format.complete(&system, readers)
    leaveCycles(&system, readers)
    var count = ReadCount()
    for reader in readers {
      if context.keepsSource { reader.reportRest() }
      count += reader.count
      findings += reader.diagnostics
    }
    findings += images.unread
    if let finding = count.finding { findings.append(finding) }
    findings += InfiniteNumbers(in: root, mayBeText: Syntax.encoding != JSONTree.encoding)
      .findings(besides: findings)
    if context.keepsSource {
      system.keepSource(
        bytes, of: format.name, context, ["encoding": ["container": .string(Syntax.encoding)]],
        bag: bag(of: root))
    }
    var imported = Imported(
      system: system, images: images.files, sourceName: context.fileName, source: bytes,
      diagnostics: findings)
    imported.engine = engine
    imported.related = images.related
    return OpenedTree(imported: imported, readers: readers)
  }

  /// Leaves out triggers that documents cannot have.
  private func leaveCycles(_ system: inout ParticleSystem, _ readers: [TreeReader<Format>]) {
    // From the last emitter to the first, so that earlier places stay valid.
    for (emitter, trigger) in system.closingTriggers.sorted(by: { $0 > $1 }) {
      let target = system.emitters[emitter].triggers.remove(at: trigger).emitter
      readers[emitter].note(
        .uninterpreted, "", "emitters that start each other in a cycle are not supported",
        found: "a start of '\(system.emitters[target].name.excerpt)'")
    }
  }

  /// The index of a sprite. Nil if it names no image. A missing image is reported.
  private func add(
    _ named: TreeSprite, _ reader: TreeReader<Format>, _ images: inout ImportedImages,
    _ system: inout ParticleSystem, _ emitter: inout Emitter
  ) throws(Failure) -> Int? {
    var image = named
    image.takeData()
    var sprite = image.sprite
    if let inside = image.inside {
      sprite.image = try images.add(
        inside.bytes, named: inside.name, at: reader.place(image.path), to: &system)
    } else {
      switch try images.search(image.references, or: image.list) {
      case .success(let found):
        sprite.image = try images.add(
          found.image.bytes, named: found.image.name, at: reader.place(image.path), to: &system)
        if let listed = found.listed {
          show(listed, system.images[sprite.image], image.path, reader, &sprite, &emitter)
        }
      case .failure(let finding):
        guard let name = image.references.first,
          let index = images.addUnresolved(name, to: &system)
        else { return nil }
        reader.note(finding.rule, image.path, finding.detail ?? "", found: finding.found)
        sprite.image = index
      }
    }
    return images.index(of: sprite, in: &system)
  }

  /// Shows the entry of a list file: a part of the image, or frames in a grid. Other frames are reported.
  private func show(
    _ listed: ListedImage, _ image: ImageReference, _ path: String, _ reader: TreeReader<Format>,
    _ sprite: inout Sprite, _ emitter: inout Emitter
  ) {
    sprite.region = listed.tile?.region(of: image)
    guard let play = listed.play, listed.frames > 1 else { return }
    if let grid = listed.grid {
      (sprite.grid, emitter.flipbook) = (grid, play)
    } else if let frames = listed.tile?.regions(of: image, count: listed.frames) {
      (sprite.region, sprite.grid) = (frames.region, frames.grid)
      emitter.flipbook = play
      if listed.isReversed { reader.note(.approximated, path, "the frames run forwards") }
    } else {
      reader.note(
        .approximated, path, "the first of \(listed.frames) frames is shown all the time")
    }
  }

  /// The contents with their types, for the source bag: scalars only, as the file is kept too.
  private func bag(of root: JSONValue) -> JSONValue {
    guard let object = root.object else { return JSONTree.typed(root) }
    return .object(
      JSONObject(
        members: object.members.prefix(SourceBag.values).map {
          .init(key: $0.key, value: JSONTree.typed($0.value))
        }))
  }
}

extension JSONTree {
  /// A value with its type, for the source bag.
  static func typed(_ value: JSONValue) -> JSONValue { JSONSyntax.typed(value) }
}

/// Writes an effect as text files with nested values. The first is written into the file that the
/// effect came from, if that is known.
struct TreeEncoder<Format: TreeFormat, Syntax: TreeSyntax> {
  let format: Format
  let context: EncodingContext

  private typealias Writer = EmitterWriter<Format>

  func encode(_ system: ParticleSystem) throws(Failure) -> Exported {
    var exported = Exported(parts: [])
    var images = ExportedImages(system)
    let all = Array(system.emitters.indices)
    let groups = format.holdsAll || all.isEmpty ? [all] : all.map { [$0] }
    for (number, group) in groups.enumerated() {
      try encode(group, of: system, number: number, &images, &exported)
    }
    exported.loseRoots(of: system, holdsAll: format.holdsAll)
    exported.loseSeed(of: system)
    return exported
  }

  private func encode(
    _ group: [Int], of system: ParticleSystem, number: Int, _ images: inout ExportedImages,
    _ exported: inout Exported
  ) throws(Failure) {
    let name = number == 0 ? context.fileName : context.fileName(part: number + 1)
    var file: Syntax?
    var original: OpenedTree<Format>?
    if number == 0, let source = context.source {
      let opened = try Syntax(decoding: source.bytes, limits: context.limits)
      let decoder = TreeDecoder<Format, Syntax>(
        format: format, context: context.rereading(source, of: system))
      original = try decoder.open(opened, source.bytes)
      file = opened
    }
    let origins = original?.readers ?? []
    let writers = try group.map { index throws(Failure) in
      try writer(
        for: index, of: system, origin: origins.count > index ? origins[index] : nil, &images)
    }
    for (writer, index) in zip(writers, group) {
      for (place, sprite) in system.emitters[index].sprites.enumerated()
      where writer.surroundings.data.indices.contains(place)
        && !format.draws(place, writer.surroundings)
      {
        let names = writer.surroundings.images
        if let bytes = writer.surroundings.data[place] {
          exported.beside[names[place]] = try context.readImage("Source/\(names[place])") ?? bytes
        } else if system.sprites.indices.contains(sprite) {
          exported.losses.append(
            images.missing(system.sprites[sprite].image, named: names[place], key: "images"))
        }
      }
    }
    let now = format.root(
      of: writers.map(tree), system, origin: file?.value)
    let losses = writers.flatMap { $0.losses + imageLosses(of: $0, images) }
    guard let file, let original else {
      exported.losses += losses
      exported.parts.append(.init(name: name, bytes: Syntax.bytes(of: now), emitters: group))
      return
    }
    var before = ExportedImages(original.imported.system)
    let old = try original.imported.system.emitters.indices.map { index throws(Failure) in
      try writer(for: index, of: original.imported.system, origin: origins[index], &before)
    }
    let then = format.root(of: old.map(tree), original.imported.system, origin: file.value)
    // Values that the file did not state either are not lost now.
    let known = Set(old.flatMap { $0.losses + imageLosses(of: $0, before) })
    exported.losses += losses.filter { !known.contains($0) }
    let merged = TreeMerge(joint: format.jointKey).merge(file.value, then: then, now: now)
    let bytes =
      merged == file.value ? context.source?.bytes ?? [] : file.replacing(with: merged)
    exported.parts.append(.init(name: name, bytes: bytes, emitters: group))
  }

  private func writer(
    for index: Int, of system: ParticleSystem, origin: TreeReader<Format>?,
    _ images: inout ExportedImages
  ) throws(Failure) -> Writer {
    var surroundings = TreeSurroundings(origin: origin?.value, engine: origin?.engine?.profile)
    surroundings.sprites = (images.spriteCounts[index], images.spriteCounts[system.emitters.count])
    for sprite in system.emitters[index].sprites.prefix(max(format.imageCount, 1))
    where system.sprites.indices.contains(sprite) {
      let image = system.sprites[sprite].image
      guard system.images.indices.contains(image) else { continue }
      // Addresses stay as they are.
      let name = system.images[image].name
      surroundings.images.append(name.contains("://") ? name : images.name(of: image))
      surroundings.data.append(try context.readImage(system.images[image].uri))
    }
    return EmitterWriter(format, system, emitter: index, surroundings)
  }

  /// The keys of an emitter as a tree, in the order of the table.
  private func tree(_ writer: Writer) -> JSONValue {
    var tree = JSONValue.object(JSONObject())
    let origin = writer.surroundings.origin
    let fields = writer.fields.compactMap { field in
      format.spelling(of: field.key, in: origin).map { (key: $0, value: field.value) }
    }.enumerated().sorted {
      (place(of: $0.element.key), $0.offset) < (place(of: $1.element.key), $1.offset)
    }
    for (_, (key, value)) in fields {
      tree.set(value, at: TreePath.steps(key)[...], identity: format.identityKey)
    }
    return tree
  }

  /// The place of a path in the table, or of the nearest one above it.
  private func place(of key: String) -> Int {
    var path = Substring(key)
    while !format.table.contains(String(path)),
      let end = path.lastIndex(where: { $0 == "." || $0 == "[" })
    {
      path = path[..<end]
    }
    return format.table.place(of: String(path))
  }

  private func imageLosses(of writer: Writer, _ images: ExportedImages) -> [Diagnostic] {
    var losses: [Diagnostic] = []
    let sprites = writer.emitter.sprites
    guard !sprites.isEmpty else { return [] }
    func lines(_ dropped: ArraySlice<Int>) -> [String] {
      dropped.compactMap { images.spritePlaces[$0] }.flatMap {
        ["sprites[\($0)]", "images[\($0)]"]
      }
    }
    if let detail = format.imagesDetail {
      return [
        Diagnostic(
          .lost, .texture, at: "\(writer.path).sprites",
          also: ["\(writer.path).spriteSelection"] + lines(sprites[...]), detail)
      ]
    }
    if sprites.count > format.imageCount {
      losses.append(
        Diagnostic(
          .lost, .randomSprites, at: "\(writer.path).sprites",
          also: ["\(writer.path).spriteSelection"] + lines(sprites.dropFirst(format.imageCount)),
          "only \(format.imageCount == 1 ? "one image is" : "\(format.imageCount) images are") supported"
        ))
    }
    for sprite in sprites.prefix(format.imageCount) {
      guard writer.system.sprites.indices.contains(sprite),
        let place = images.spritePlaces[sprite]
      else { continue }
      let shown = writer.system.sprites[sprite]
      var plain = Sprite(image: shown.image)
      (plain.additions, plain.scale) = (shown.additions, shown.scale)
      if format.writesRegions { plain.grid = shown.grid }
      if shown != plain {
        losses.append(
          Diagnostic(
            .lost, shown.grid == plain.grid ? .texture : .flipbook, at: "sprites[\(place)]",
            "image regions are not supported. The whole image is shown"))
      } else if shown.scale != 1 {
        losses.append(
          Diagnostic(.dead, .texture, at: "sprites[\(place)].scale", "sizes do not depend on it"))
      }
    }
    return losses
  }
}
