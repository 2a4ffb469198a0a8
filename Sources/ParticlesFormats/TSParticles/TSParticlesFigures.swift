internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

/// The images and figures of particles, of which each shows one.
struct TSParticlesFigures {
  /// The most names of figures that are read.
  private static let mostNames = 16

  /// The names: a circle, if the file has none.
  let names: [String]

  /// Half of the width of a particle, in radii: pictures of all figures have this size.
  let extent: Double

  /// Whether a stroke has another colour than the engine gives it: particles tint it.
  private(set) var tintsStroke = false

  /// Texts with characters that the font does not have. They are drawn as circles.
  private(set) var otherTexts: [String] = []

  /// The figures in the order of the names; nil for images.
  private var figures: [Figure?] = []

  private let emitter: JSONValue
  private let isParticlesJS: Bool

  init(of emitter: JSONValue, isParticlesJS: Bool) {
    (self.emitter, self.isParticlesJS) = (emitter, isParticlesJS)
    let type = emitter["particles.shape.type"] ?? .null
    let named = (type.array ?? [type]).prefix(Self.mostNames).compactMap(\.string)
    names = named.isEmpty ? ["circle"] : named
    let stroke = Stroke(of: emitter, isParticlesJS: isParticlesJS)
    for name in names {
      if !isParticlesJS, Self.isText(name) {
        for text in Self.texts(of: emitter) {
          let isDrawn = !text.isEmpty && text.count <= 8 && text.allSatisfy { PixelFont.has($0) }
          figures.append(isDrawn ? Figure(text: text) : Figure(.circle, stroke: 0, color: ""))
          if !isDrawn { otherTexts.append(text) }
        }
        continue
      }
      let isImage = name == "image" || name == "images"
      figures.append(
        isImage
          ? nil
          : Figure(
            Self.shape(name, of: emitter, isParticlesJS: isParticlesJS), stroke: stroke?.share ?? 0,
            color: stroke?.color ?? "#ffffff"))
    }
    tintsStroke = stroke?.isTinted ?? false && figures.contains { $0 != nil }
    extent = figures.map { $0?.extent ?? 1 }.max() ?? 1
  }

  private static func isText(_ name: String) -> Bool { name == "char" || name == "character" }

  /// The characters of the figure `char`, of which each particle shows one text.
  private static func texts(of emitter: JSONValue) -> [String] {
    for key in [
      "particles.shape.options.char", "particles.shape.options.character",
      "particles.shape.character",
    ] {
      guard let stated = emitter[key] else { continue }
      let value = (stated.array?.first ?? stated)["value"] ?? stated
      let found = (value.array ?? [value]).prefix(mostNames).compactMap(\.string)
      if !found.isEmpty { return found }
    }
    // The standard of the engine.
    return ["*"]
  }

  /// Whether characters are drawn.
  var hasTexts: Bool { figures.contains { if case .text? = $0?.shape { true } else { false } } }

  /// Whether all particles are plain squares, which need no picture.
  private var areSquares: Bool {
    figures.allSatisfy { if case .square? = $0?.shape { $0?.stroke == 0 } else { false } }
  }

  /// Names of figures that are drawn as circles, because they are not known.
  var unknown: [String] {
    let known = ["circle", "edge", "square", "triangle", "polygon", "star", "image", "images"]
    return names.filter { !known.contains($0) && (isParticlesJS || !Self.isText($0)) }
  }

  /// The images that the file names. It may have one that is left over from another figure.
  private var images: [TreeSprite] {
    let keys = [
      "particles.shape.image", "particles.shape.options.image", "particles.shape.options.images",
    ]
    return keys.flatMap { (key: String) -> [TreeSprite] in
      let value = emitter[key] ?? .null
      return (value.array ?? [value]).compactMap { image in
        guard let source = image["src"]?.string, !source.isEmpty else { return nil }
        return TreeSprite(path: key, references: [source])
      }
    }
  }

  /// The sprites. The pictures of figures are in them.
  /// - Throws: ``ParticlesCore/Rule/limit`` for a picture too many.
  func sprites() throws -> [TreeSprite] {
    guard !areSquares else { return [] }
    var found: [TreeSprite] = []
    for figure in figures {
      guard let figure else {
        found += images
        continue
      }
      let name = figure.shape.name
      found.append(
        TreeSprite(
          path: "particles.shape.type", references: [name],
          inside: FoundImage(name: name, bytes: try figure.picture(extent: extent))))
    }
    return Array(found.prefix(TSParticlesFamily.shared.imageCount))
  }

  /// How many sprites there are.
  var count: Int { areSquares ? 0 : figures.reduce(0) { $0 + ($1 == nil ? images.count : 1) } }

  private static func shape(
    _ name: String, of emitter: JSONValue, isParticlesJS: Bool
  ) -> Figure.Shape {
    func option(_ figure: String, _ keys: [String]) -> Double? {
      let options = emitter["particles.shape.options.\(figure)"]
      for key in keys {
        for place in [options?.array?.first ?? options, emitter["particles.shape.\(figure)"]] {
          if let number = place?[key]?.double { return number }
        }
      }
      return nil
    }
    func sides(_ figure: String) -> Int {
      let number = option(figure, isParticlesJS ? ["nb_sides"] : ["sides", "nb_sides"])
      return min(max(Int(saturating: number ?? 5), 1), 60)
    }
    switch name {
    case "edge", "square": return .square(half: isParticlesJS ? 1 : 0.5.squareRoot())
    case "triangle": return .triangle
    case "polygon": return .polygon(sides: sides("polygon"))
    case "star" where isParticlesJS: return .turnedStar(points: sides("polygon"))
    case "star":
      return .star(points: sides("star"), inset: min(max(option("star", ["inset"]) ?? 2, 0), 10))
    default: return .circle
    }
  }
}

extension TSParticlesFigures {
  /// The stroke of all figures.
  private struct Stroke {
    /// The width as a share of the mean radius.
    let share: Double
    /// The colour that becomes the stroke's, when particles tint it.
    let color: String
    let isTinted: Bool

    /// nil without a stroke.
    init?(of emitter: JSONValue, isParticlesJS: Bool) {
      let stated = emitter["particles.stroke"] ?? emitter["particles.shape.stroke"]
      guard let stroke = stated?.array?.first ?? stated else { return nil }
      func mean(_ value: JSONValue?) -> Double? {
        guard let low = value?["min"]?.double, let high = value?["max"]?.double else {
          return value?.double
        }
        return (low + high) / 2
      }
      let size = mean(emitter["particles.size.value"]) ?? (isParticlesJS ? 20 : 3)
      let isRandom = emitter["particles.size.random"]?.isTruthy ?? false
      let radius = isParticlesJS && isRandom ? size / 2 : size
      guard let width = mean(stroke["width"]), width > 0, radius > 0 else { return nil }
      share = (min(width / radius, 4) * 100).rounded() / 100
      let wanted = Self.color(stroke["color"]) ?? (isParticlesJS ? Color(1, 0, 0) : .white)
      let stock = Self.color(emitter["particles.color"]) ?? .white
      let isConstant = Self.color(emitter["particles.color"]) != nil
      var channels: [Double] = []
      var isExact = true
      for (part, whole) in zip(
        [wanted.red, wanted.green, wanted.blue], [stock.red, stock.green, stock.blue])
      {
        channels.append(whole > 0 ? min(part / whole, 1) : 0)
        if part > whole || !isConstant && part > 0 { isExact = false }
      }
      color = Color(channels[0], channels[1], channels[2]).hexadecimal
      isTinted = !isExact
    }

    private static func color(_ value: JSONValue?) -> Color? {
      guard let text = (value?["value"] ?? value)?.string else { return nil }
      return Color(hexadecimal: text) ?? Color(hexadecimal: "#\(text)")
    }
  }
}

extension TreeReader<TSParticlesFamily> {
  /// The images and figures of particles.
  var figures: TSParticlesFigures { TSParticlesFigures(of: value, isParticlesJS: isParticlesJS) }
}

extension TSParticlesFamily {
  func sprites(of reader: TreeReader<TSParticlesFamily>) throws -> [TreeSprite] {
    let figures = reader.figures
    for name in Set(figures.unknown).sorted() {
      reader.note(
        .uninterpreted, "particles.shape.type", "circles are shown instead",
        found: "'\(name.excerpt)'")
    }
    for text in Set(figures.otherTexts).sorted() {
      reader.note(
        .uninterpreted, "particles.shape.type", "circles are shown instead of the characters",
        found: "'\(text.excerpt)'")
    }
    if figures.hasTexts {
      reader.note(
        .approximated, "particles.shape.type", "characters have a plain font of 5 × 7 pixels")
    }
    if figures.tintsStroke {
      reader.note(
        .approximated, "particles.shape.stroke", "strokes have the colour of particles",
        severity: .note)
    }
    return try figures.sprites()
  }

  /// Whether all sprites are those that the engine draws or finds by the file, as it is.
  static func areDrawn(_ surroundings: TreeSurroundings) -> Bool {
    guard let origin = surroundings.origin else { return false }
    let figures = TSParticlesFigures(
      of: origin, isParticlesJS: surroundings.engine == .particlesJS)
    guard let sprites = try? figures.sprites(), sprites.count == surroundings.images.count else {
      return false
    }
    return sprites.indices.allSatisfy { place in
      guard let inside = sprites[place].inside else { return true }
      let bytes = surroundings.data[place]
      return bytes.map { $0 == inside.bytes } ?? (surroundings.images[place] == inside.name)
    }
  }

  func draws(_ place: Int, _ surroundings: TreeSurroundings) -> Bool {
    guard Self.areDrawn(surroundings), let origin = surroundings.origin else { return false }
    let isParticlesJS = surroundings.engine == .particlesJS
    let sprites = try? TSParticlesFigures(of: origin, isParticlesJS: isParticlesJS).sprites()
    return sprites?[place].inside != nil
  }

  /// Objects that are not enabled, and options of figures that no particle has.
  func changesNothing(_ value: JSONValue, at path: String, in emitter: JSONValue) -> Bool {
    if let isEnabled = value["enable"], !isEnabled.isTruthy { return true }
    switch path {
    case "particles.move.bounce", "particles.move.vibrate", "particles.move.warp",
      "particles.reduceDuplicates":
      return !value.isTruthy
    case "particles.move.outMode", "particles.move.outModes":
      // Particles live so long that they leave the canvas in any case.
      let modes = value.object.map { $0.members.map(\.value) } ?? [value]
      return modes.allSatisfy { $0.string == "out" }
    default: break
    }
    let type = emitter["particles.shape.type"]
    let names = type?.array?.compactMap(\.string) ?? [type?.string ?? ""]
    for folder in ["particles.shape.options.", "particles.shape."] where path.hasPrefix(folder) {
      let option = path.dropFirst(folder.count)
      return ["character", "char", "text", "emoji"].contains(String(option))
        && !names.contains { $0 == option || option.hasPrefix("char") && $0.hasPrefix("char") }
    }
    return false
  }
}

extension EmitterWriter<TSParticlesFamily> {
  /// Half of the width of a particle in the document, in radii of the file.
  var figureExtent: Double {
    if let origin = surroundings.origin, TSParticlesFamily.areDrawn(surroundings) {
      return TSParticlesFigures(of: origin, isParticlesJS: isParticlesJS).extent
    }
    return surroundings.images.isEmpty && !isParticlesJS ? 0.5.squareRoot() : 1
  }

  mutating func encodeImages() {
    let names = surroundings.images
    let isDrawn = TSParticlesFamily.areDrawn(surroundings)
    if !isDrawn {
      let square = isParticlesJS ? "edge" : "square"
      set("particles.shape.type", .string(names.isEmpty ? square : "image"))
    }
    guard !names.isEmpty else { return drop("spriteSelection", "there are no images") }
    let images = names.indices.filter { !format.draws($0, surroundings) }.map {
      place -> JSONValue in ["src": .string(names[place])]
    }
    if !images.isEmpty {
      let usual = isParticlesJS ? "particles.shape.image" : "particles.shape.options.image"
      let key =
        ["particles.shape.image", "particles.shape.options.images"].first {
          surroundings.origin?[$0] != nil
        } ?? usual
      let isList = surroundings.origin?[key]?.array != nil || images.count > 1
      set(key, isList && !isParticlesJS ? .array(images) : images[0])
      if isParticlesJS, images.count > 1 {
        lose(.lost, .randomSprites, at: "sprites", "only one image is supported")
      }
    }
    let isChosen = names.count > 1
    if emitter.spriteSelection != (isChosen ? .random : .first) {
      lose(
        isChosen ? .approximated : .restated, .randomSprites, at: "spriteSelection",
        "one of several images is picked at random")
    }
  }
}
