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

  /// Properties of the whole file; by default those of the table.
  var asset: Asset { get }

  /// The key of the name of an element, in arrays whose elements have one.
  var identityKey: String { get }

  /// The key that states how the others of its object act together (``TreeMerge/joint``); by default none.
  var jointKey: String? { get }

  /// Whether a number that is `null` is 0, as in the arithmetic of JavaScript; otherwise, by default, it counts
  /// as absent.
  func isZeroIfNull(_ path: String) -> Bool

  /// Finds the emitters, in the order of the document.
  /// - Throws: ``ParticlesCore/Rule/emitterRoot`` if there is none.
  func emitters(in root: JSONValue) throws -> [TreeEmitter]

  /// The engine that a file was made for; nil, by default, if only one reads the format.
  /// - Parameter named: the engine that the caller names; nil to look at the file.
  func engine(of root: JSONValue, named: Profile?) -> EngineChoice?

  /// The path in a file for a path of rows, for formats with several spellings; by default the same.
  /// - Parameter emitter: the emitter in the file; nil for a new file.
  /// - Returns: nil for a key that files do not have: it is neither read nor written.
  func spelling(of path: String, in emitter: JSONValue?) -> String?

  /// The contents of a file with these emitters.
  /// - Parameter origin: the contents of the source file; nil for a new file.
  func root(of emitters: [JSONValue], _ system: ParticleSystem, origin: JSONValue?) -> JSONValue

  /// Whether a value that no row reads is set to what changes nothing, so that it is no loss; by default none is.
  /// - Parameters:
  ///   - value: the value, or an object of values that change nothing together.
  ///   - path: its path in the emitter.
  func changesNothing(_ value: JSONValue, at path: String, in emitter: JSONValue) -> Bool

  /// The images that an emitter shows.
  func sprites(of reader: TreeReader<Self>) throws -> [TreeSprite]

  /// Reads what concerns more than one emitter.
  func complete(_ system: inout ParticleSystem, _ readers: [TreeReader<Self>]) throws

  /// Whether a file holds all emitters; otherwise there is one file for each.
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

  func complete(_ system: inout ParticleSystem, _ readers: [TreeReader<Self>]) throws {}
  func sprites(of reader: TreeReader<Self>) throws -> [TreeSprite] { [] }

  func integer(_ number: Int) -> JSONValue { .int(number) }

  func flag(_ flag: Bool) -> JSONValue { .bool(flag) }

  func real(_ number: Double) -> JSONValue { .real(number) }
}

extension JSONValue {
  /// A number as formats write it; one beyond the limit of readers becomes the largest that is accepted.
  static func real(_ number: Double) -> JSONValue {
    .double(number.inLimit)
  }
}

/// An emitter in a file.
struct TreeEmitter {
  /// Its path, for messages: `emitters[0]`; empty for the whole file.
  var path: String
  var value: JSONValue
  /// Its name; that of the file if nil.
  var name: String?
}

/// An image that an emitter shows.
struct TreeSprite {
  /// The key that names it.
  var path: String
  /// Possible names; the first is the one in the file.
  var references: [String]
  /// Another file that lists images, such as an atlas, and the names in it of this one; nil if there is none.
  var list: (file: String, images: @Sendable ([UInt8]) throws -> [ListedImage])?
  /// The image, if the file holds it.
  var inside: FoundImage?
  /// How it is shown; the decoder knows the index of the image.
  var sprite = Sprite()
}

/// The context of rows for an emitter that is written.
struct TreeSurroundings: Sendable {
  /// The emitter in the source file; nil for a new one.
  var origin: JSONValue?
  /// The engine that the source file was made for; nil for a new file, or if only one reads the format.
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
    // Those of later emitters are counted from one on.
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
    lookAlikes: @autoclosure @escaping @Sendable () -> [LookAlike] = [],
    recognise: @escaping @Sendable (_ bytes: [UInt8], _ fileName: String) -> Bool
  ) {
    self.init(
      name: format.name, title: title, extensions: extensions, recognise: recognise,
      decode: { try TreeDecoder<Format, Syntax>(format: format, context: $1).open($0).imported },
      encode: { try TreeEncoder<Format, Syntax>(format: format, context: $1).encode($0) })
    makeLookAlikes = lookAlikes
    decimalCommas = Syntax.decimalCommas
    makeCapabilities = { format.table.capabilities }
    table = { (format.table.keys, format.table.markdown) }
  }
}
