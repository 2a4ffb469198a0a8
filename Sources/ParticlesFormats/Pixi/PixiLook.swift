internal import ParticlesCore
internal import ParticlesModel

// Values over life, size, colour and images.

extension TreeReader<PixiFamily> {
  var scale: Track {
    if has("scaleStatic/") { return Track(range("scaleStatic/min", "scaleStatic/max", 1)) }
    // The older generation multiplies only sizes that change (`Particle.ts`, `init` and `update`).
    if format.isFlat, let plain = track("scale/scale"), plain.isPlainValue { return plain }
    return track("scale/scale", times: factor("scale")) ?? 1
  }

  /// The key with the images of particles.
  private var imageKey: (path: String, selection: SpriteSelection)? {
    PixiFamily.imageKeys.first { $0.selection == .first ? text($0.path) != nil : has($0.path) }
  }

  func decodeSelection(of emitter: inout Emitter) {
    guard let (path, selection) = imageKey else { return }
    emitter.spriteSelection = selection
    if selection == .life, let rate = number("animatedSingle/anim.framerate"), rate > 0 {
      note(
        .approximated, "animatedSingle/anim.framerate",
        "images of their own are shown over the life", found: shortText(rate))
    }
    if path == "animatedRandom/anims" {
      note(.approximated, path, "each particle shows the first image of one of the animations")
    }
  }

  var sprites: [TreeSprite] {
    guard let path = imageKey?.path else { return [] }
    return PixiImages.names(self[path]).prefix(PixiImages.most).map {
      TreeSprite(path: path, references: [$0])
    }
  }
}

extension PixiFamily {
  /// The keys of images, and how particles choose one of these. The first key in a file is read.
  /// The first key with the selection is written.
  static let imageKeys: [(path: String, selection: SpriteSelection)] = [
    ("textureSingle/texture", .first), ("textureRandom/textures", .random),
    ("textureOrdered/textures", .sequence), ("animatedSingle/anim.textures", .life),
    ("animatedRandom/anims", .random),
  ]

  func sprites(of reader: TreeReader<PixiFamily>) throws(Failure) -> [TreeSprite] {
    isFlat ? [] : reader.sprites
  }
}

extension EmitterWriter<PixiFamily> {
  /// Whether a value that does not change is written as a behaviour of its own: the older generation
  /// has none, and a file with a list keeps it.
  func isStatic(_ track: Track, _ behavior: String) -> Bool {
    !format.isFlat && track.isPlainValue
      && surroundings.origin?["behaviors[\(behavior)]"] == nil
  }

  mutating func setStatic(
    _ behavior: String, _ value: Value, _ capability: Capability, at property: String,
    times factor: Double = 1
  ) {
    let bounds = bounds(of: value, capability, at: property)
    set("\(behavior)/min", bounds.least * factor)
    set("\(behavior)/max", bounds.most * factor)
  }

  private mutating func setList(_ path: String, _ list: PixiList) {
    for (key, value) in list.members(like: origin(path), prefersEnds: format.isFlat) {
      set("\(path).\(key)", value)
    }
  }

  /// Writes a track as a list.
  /// - Parameter factor: the key of the factor for each particle. Nil if there is none.
  mutating func encodeList(
    _ path: String, _ track: Track, _ capability: Capability, at property: String,
    times scale: Double = 1, factor: String? = nil
  ) {
    var plain = track
    let isStepped =
      plain.to != nil && plain.curve.interpolation == .step && plain.curve.extend == .clamp
    if isStepped { plain.curve.interpolation = .linear }
    var (points, range) = points(of: plain, capability, at: property, isRandom: factor != nil)
    // The older generation multiplies only sizes that change (`Particle.ts`, `init` and `update`).
    if format.isFlat, factor == "scale/minMult", range.least != 1, let first = points.first,
      points.allSatisfy({ $0.value == first.value })
    {
      points = [(0, first.value), (1, first.value * 1.0001)]
      lose(
        .restated, capability, at: property, "only sizes that change are random",
        recipe: "an end that is larger by a hundredth of a percent")
    }
    let values = points.map { (time: $0.time, value: format.real($0.value * scale)) }
    setList(path, PixiList(values, isStepped: isStepped))
    if track.isPlainValue, range == (1, 1), !track.from.isNumber, !hasLine(at: property) {
      lose(
        .approximated, capability, at: property, "values are a part of the greatest",
        recipe: "the mean")
    }
    var again = Track(points: points, times: .between(range.least, 1))
    if isStepped, again.to != nil { again.curve.interpolation = .step }
    if again != track, !hasLine(at: property) {
      lose(.restated, capability, at: property, "written as a list of points")
    }
    if let factor { set(factor, range.least) }
  }

  mutating func encodeSize() {
    let factor = sizeFactor(wantsFactor: true)
    shareSizeOverLife()
    let width = emitter.size.width
    if isStatic(width, "scale") {
      setStatic("scaleStatic", width.from, .size, at: "size.width", times: factor)
    } else {
      encodeList(
        "scale/scale", width, .sizeCurve, at: "size.width", times: factor, factor: "scale/minMult")
    }
  }

  mutating func encodeColor() {
    let (points, opacity) = colorsAndOpacity("alpha is written as a list")
    if isStatic(opacity, "alpha") {
      set(
        "alphaStatic/alpha",
        single(opacity.from, .opacityCurve, at: "color.opacity", "all particles have equal opacity")
      )
    } else {
      encodeList("alpha/alpha", opacity, .opacityCurve, at: "color.opacity")
    }
    explainColorDepth(of: points.map { $0.color })
    let values = points.map { (time: $0.time, value: JSONValue.string($0.color.hexadecimal)) }
    if values.count == 1, isStatic(0, "color") {
      return set("colorStatic/color", values[0].value)
    }
    let isStepped = emitter.color.base.gradient?.interpolation == .step && points.count > 1
    setList("color/color", PixiList(values, isStepped: isStepped))
  }

  mutating func encodeSprites() {
    let names = surroundings.images.map(JSONValue.string)
    guard let first = names.first else {
      drop("spriteSelection", "there are no images")
      return
    }
    let selection = emitter.spriteSelection
    let keys = PixiFamily.imageKeys.filter { $0.selection == selection }.map { $0.path }
    switch selection {
    case .first:
      set(keys[0], first)
      loseFurtherSprites(.dead, "only the first image is shown")
    case .random where surroundings.origin?["behaviors[animatedRandom]"] != nil:
      set(keys[1], .array(names.map { ["textures": .array([$0])] }))
    case .random, .sequence: set(keys[0], .array(names))
    case .life:
      set("animatedSingle/anim.framerate", integer: -1)
      set("animatedSingle/anim.loop", flag: false)
      set(keys[0], .array(names))
    }
  }
}
