internal import ParticlesCore
internal import ParticlesModel

// Reductions of the look, shared by formats with nested values.

extension EmitterWriter {
  /// The visible colour as points, without randomness. Reports properties that points cannot express.
  mutating func colorPoints(hasOpacity: Bool) -> [(time: Double, color: Color)] {
    let color = emitter.color
    let base = color.base
    if !base.from.isColor || !(base.to?.isColor ?? true) {
      lose(
        .approximated, .randomColor, at: "color.base", "all particles have equal colours",
        recipe: "the mean colour", level: base.levelOfRandomness)
    }
    let isPlain = color.intensity == 1 && color.mix == 1 && (hasOpacity || color.opacity == 1)
    let isConstant = base.to == nil && base.gradient == nil && base.rate == .zero
    if isPlain, isConstant { return [(0, base.from.mean)] }
    let (gradient, isExact) = base.gradient(lifetime: lifetime)
    if isPlain, gradient.interpolation != .cubic, gradient.space == .srgb, !gradient.hasChannels,
      !gradient.keys.isEmpty
    {
      if !hasLine(at: "color.base"), !isExact || base.to != nil || base.from != .white {
        lose(
          isExact ? .restated : .approximated, .gradient, at: "color.base",
          isExact
            ? "colours are written as points with lines between them"
            : "only lines between colours are supported", recipe: isExact ? nil : "points")
      }
      return gradient.keys.map { ($0.time.rounded, $0.color) }
    }
    if !isPlain || !hasLine(at: "color.base") {
      lose(
        .approximated, isPlain ? .gradient : color.opacity != 1 ? .opacityCurve : .mix, at: "color",
        "only lines between colours are supported", recipe: "17 points", level: .low)
    }
    var seen = color
    if hasOpacity { seen.opacity = 1 }
    return seen.seen(lifetime: lifetime).points.enumerated().map {
      (Double($0) / 16, Color($1.channels.map { $0.rounded }))
    }
  }

  /// The visible colour as points without alpha, and the opacity, multiplied by the alpha of the
  /// colours if they have any.
  /// - Parameter detail: the report text for alpha that becomes opacity.
  mutating func colorsAndOpacity(_ detail: String) -> (
    colors: [(time: Double, color: Color)], opacity: Track
  ) {
    let colors = colorPoints(hasOpacity: true)
    guard colors.contains(where: { $0.color.alpha != 1 }) else {
      return (colors, emitter.color.opacity)
    }
    lose(.restated, .opacityCurve, at: "color.base", also: ["color.opacity"], detail)
    let seen = emitter.color.seen(lifetime: lifetime).points
    return (colors, Track(points: seen.enumerated().map { (Double($0) / 16, $1.alpha.rounded) }))
  }

  /// The factor that makes sizes lengths, or factors of the image. An image of unknown width counts as 32 pixels wide.
  /// - Parameter wantsFactor: whether the format has factors of the image.
  mutating func sizeFactor(wantsFactor: Bool) -> Double {
    let size = emitter.size
    guard (size.mode == .textureScale) != wantsFactor else {
      return wantsFactor ? denseFactor() : 1
    }
    let pixels = shownSize.width
    // A file with factors draws pixels as they are.
    let width = (pixels ?? 32) * (wantsFactor ? 1 : texel)
    lose(
      pixels == nil ? .assumed : .restated, .absoluteSize, at: "size.mode",
      also: ["size.width", "size.height"],
      "sizes are \(wantsFactor ? "factors of the image" : "lengths"), and the image is "
        + "\(pixels == nil ? "assumed to be " : "")\(shortText(width)) wide",
      level: pixels == nil ? .medium : nil)
    return wantsFactor ? 1 / width : width
  }

  /// Returns the multiplier of factors of an image with several pixels for each unit, for formats that draw
  /// pixels as they are.
  mutating func denseFactor() -> Double {
    guard emitter.size.mode == .textureScale, let sprite, sprite.scale != 1, sprite.scale > 0 else {
      return 1
    }
    lose(
      .restated, .absoluteSize, at: "size.width", also: ["size.height"],
      "pixels of the image are drawn as they are")
    return 1 / sprite.scale
  }

  /// Restates sizes that are random at both ends by a random factor, for formats in which particles share
  /// the curve.
  mutating func shareSizeOverLife() {
    guard let coupled = emitter.size.width.coupled(lifetime: lifetime) else { return }
    emitter.size.width = coupled
    lose(
      .approximated, .randomEndSize, at: "size.width", "particles share the size over life",
      recipe: "a random factor of equal deviation", level: .low)
  }

  /// Reports colours that change when they are written with 8 bits a channel.
  mutating func explainColorDepth(of colors: [Color]) {
    let isExact = colors.allSatisfy { color in
      let written = Color(hexadecimal: color.hexadecimal)?.channels ?? []
      return zip(color.channels.prefix(3), written).allSatisfy { abs($0 - $1) <= 1e-7 }
    }
    if isExact || hasLine(at: "color.base") || hasLine(at: "color") { return }
    lose(.restated, .gradient, at: "color.base", "colours have 8 bits a channel")
  }

  /// The angle over life, which takes up spin, for formats without spin.
  /// - Parameter isRelative: whether the angle at the end can be relative to that at the start.
  mutating func angleOverLife(isRelative: Bool) -> Track {
    let rotation = emitter.rotation
    let angle = rotation.angle
    guard rotation.velocity != 0 || rotation.acceleration != 0 else { return angle }
    let isSteady = rotation.velocity.isPlainValue && rotation.acceleration == 0
    let isLinear = angle.isPlainValue && (isSteady || !isRelative)
    lose(
      isLinear && isRelative && emitter.lifetime.isConstant ? .restated : .approximated,
      .rotationSpeed,
      at: "rotation.velocity", also: ["rotation.angle", "rotation.acceleration"],
      "spin is written as an angle over life", recipe: "velocity × mean lifetime")
    if isLinear, isRelative {
      let turn = rotation.velocity.from.scaled(by: lifetime)
      return Track(from: angle.from, to: turn, relative: true)
    }
    let speed = rotation.velocity.mean(lifetime: lifetime) * lifetime
    let gain = rotation.acceleration.mean / 2 * lifetime * lifetime
    if isLinear {
      return Track(from: angle.from, to: .constant(angle.from.mean + (speed + gain)))
    }
    let curve = angle.curve(lifetime: lifetime).curve
    return Track(
      from: 0, to: 1, curve: .through(16) { curve.value(at: $0) + speed * $0 + gain * $0 * $0 })
  }

  /// The angular velocity over life, which takes up the angular acceleration.
  mutating func spinOverLife() -> Track {
    let rotation = emitter.rotation
    guard rotation.acceleration != 0 else { return rotation.velocity }
    let start = rotation.velocity.mean(lifetime: lifetime)
    lose(
      .approximated, .angularAcceleration, at: "rotation.acceleration", also: ["rotation.velocity"],
      "written as spin over life")
    return Track(
      from: .constant(start), to: .constant(start + rotation.acceleration.mean * lifetime))
  }

  /// The order of drawing to write: the order of the document, or the first of the format.
  mutating func sort(of modes: [SortMode]) -> SortMode {
    let sort = emitter.render.sort
    if modes.contains(sort) { return sort }
    lose(.approximated, .sort, at: "render.sort", "the newest particles are on top")
    return modes[0]
  }

  /// Equal steps from 0 to 1, for formats that state values at equal distances.
  /// - Parameters:
  ///   - times: the times of the points that the values have to hold.
  ///   - most: the greatest number of values that holds them exactly.
  ///   - number: the number of values if no such number does.
  /// - Returns: the times of the values, and whether all points are among these.
  func equalSteps(_ times: [Double], most: Int, otherwise number: Int) -> (
    times: [Double], isExact: Bool
  ) {
    let exact = (2...most).first { count in
      times.allSatisfy { time in
        let place = time * Double(count - 1)
        return (place - place.rounded()).magnitude < 1e-6
      }
    }
    let count = times == [0] ? 1 : exact
    let last = Double(max((count ?? number) - 1, 1))
    return ((0..<(count ?? number)).map { Double($0) / last }, count != nil)
  }
}

extension EmitterWriter where Format: TreeFormat {
  /// The value in the source file. Nil if it is absent, or if the file is new.
  func origin(_ path: String) -> JSONValue? {
    guard let origin = surroundings.origin else { return nil }
    return format.spelling(of: path, in: origin).flatMap { origin[$0] }
  }

  /// A point or a direction as an object.
  func point(_ vector: Vector) -> JSONValue {
    ["x": format.real(vector.x), "y": format.real(vector.y), "z": format.real(vector.z)]
  }
}

extension ColorTrack {
  /// The level of the loss where all particles get the mean colour, estimated as by `--measure`: the standard
  /// deviation over the life of red, green and blue, as a vector, and of alpha as a share of its mean.
  fileprivate var levelOfRandomness: Loss.Level {
    let (start, end) = (from.uniformLikeness, (to ?? from).uniformLikeness)
    let ages = 8
    var (colors, alphas, alpha) = (0.0, 0.0, 0.0)
    for number in 0..<ages {
      let late = to == nil ? 0 : (Double(number) + 0.5) / Double(ages)
      let squares = zip(start.half.channels, end.half.channels).map {
        // A third of the square of the half width is the variance of a uniform range.
        let (first, last) = ($0 * (1 - late), $1 * late)
        return (first * first + last * last) / 3
      }
      colors += squares[0] + squares[1] + squares[2]
      alphas += squares[3]
      let mean = start.mean.alpha * (1 - late) + end.mean.alpha * late
      alpha += mean * mean
    }
    return Loss.Level(
      difference: max(
        (colors / Double(ages)).squareRoot(), alpha > 0 ? (alphas / alpha).squareRoot() : 0))
  }
}

// Colours as a range for new particles and a factor over life, equal for all particles.

extension EmitterWriter {
  /// The bounds between which the channels of the start colour are random. Reports any other distribution.
  mutating func startColors() -> (low: Color, high: Color) {
    let start = emitter.color.base.from
    if let channels = start.channels { return channels }
    lose(
      .approximated, .randomHueSaturationBrightness, at: "color.base.from",
      also: ["color.base.clamp"],
      "colours are between two", recipe: "a range of equal mean")
    return start.displayedRange
  }

  /// A colour that changes otherwise than by a gradient: two bounds for each particle, and 17 shares of
  /// these over the life, equal for all particles. Nil for other colours. ``loseColorParts()`` reports it.
  func colorParts() -> (low: Color, high: Color, shares: [Color])? {
    let (color, base) = (emitter.color, emitter.color.base)
    let isGradient =
      base.to == nil && base.rate == .zero && color.opacity == 1 && color.intensity == 1
      && color.mix == 1
    guard !isGradient else { return nil }
    let points = color.seen(lifetime: lifetime).points.map { $0.channels }
    let (mean, start) = base.from.uniformLikeness
    let end = base.to?.uniformLikeness.half.channels
    let (middle, half, _) = color.opacity.from.spread
    func length(_ a: Double, _ b: Double) -> Double { (a * a + b * b).squareRoot() }
    var (bounds, shares) = ([Interval](), [[Double]]())
    for channel in 0..<4 {
      let values = points.map { $0[channel] }
      let top = values.max() ?? 0
      shares.append(values.map { top > 0 ? $0 / top : 0 })
      let first = start.channels[channel]
      var part = mean.channels[channel] > 0 ? first / mean.channels[channel] : 0
      if let end {
        // The factor whose deviation is nearest to the deviation of both independent ends.
        let sums = values.enumerated().reduce((0.0, 0.0)) { sums, point in
          let time = base.curve.value(at: Double(point.offset) / Double(max(values.count - 1, 1)))
          let both = length((1 - time) * first, time * end[channel])
          return (sums.0 + point.element * both, sums.1 + point.element * point.element)
        }
        part = sums.1 > 0 ? sums.0 / sums.1 : 0
      }
      if channel == 3, middle > 0 { part = length(part, half / middle) }
      part = min(part, 1)
      bounds.append(Interval((top * (1 - part)).rounded, (top * (1 + part)).rounded))
    }
    return (
      Color(bounds.map { $0.lower }), Color(bounds.map { $0.upper }),
      points.indices.map { index in Color(shares.map { $0[index] }) }
    )
  }

  mutating func loseColorParts() {
    lose(
      .approximated, emitter.color.opacity != 1 ? .opacityCurve : .gradient, at: "color",
      "colour and opacity are one gradient", recipe: "17 points", level: .low)
  }

  /// The gradient of the colour as points with lines between them, and its alpha as separate
  /// points. Nil if there is none. Reports properties that lines cannot express.
  mutating func gradientLines() -> (
    colors: [GradientKey], alpha: [(time: Double, value: Double)]
  )? {
    guard let gradient = emitter.color.base.gradient else { return nil }
    var keys = gradient.keys
    if gradient.interpolation != .linear || gradient.space != .srgb || keys.isEmpty
      || [gradient.red, gradient.green, gradient.blue].contains(where: { $0 != nil })
    {
      keys = (0...16).map { GradientKey(Double($0) / 16, gradient.color(at: Double($0) / 16)) }
      lose(
        .approximated, .gradient, at: "color.base.gradient", "colours are on lines",
        recipe: "17 points", level: .low)
    }
    let lines = gradient.alpha?.linearPoints
    if lines == nil, !hasLine(at: "color.base.gradient") {
      lose(
        .restated, .opacityCurve, at: "color.base.gradient", "alpha is written as points of its own"
      )
    }
    let sampled = gradient.alpha.map { alpha in
      (0...16).map { (time: Double($0) / 16, value: alpha.value(at: Double($0) / 16)) }
    }
    return (keys, lines ?? sampled ?? keys.map { ($0.time, $0.color.alpha) })
  }
}

extension ColorValue {
  /// The uniform range with the mean of this value and, within 0 and 1, with its deviation. Colours
  /// are clamped when they are drawn, which would change the mean of a wider range.
  fileprivate var displayedRange: (low: Color, high: Color) {
    let (mean, half) = uniformLikeness
    let halves = zip(mean.channels, half.channels).map { max(min($1, $0, 1 - $0), 0) }
    func end(_ sign: Double) -> Color {
      Color(zip(mean.channels, halves).map { ($0 + sign * $1).rounded })
    }
    return (end(-1), end(1))
  }
}

// Blend modes. Each format has some.

extension BlendMode {
  /// The feature of formats that have the mode.
  var capability: Capability {
    switch self {
    case .alpha: .blendAlpha
    case .add: .blendAdditive
    case .subtract: .blendSubtractive
    case .multiply: .blendMultiply
    case .screen: .blendScreen
    case .premultiplied: .premultipliedAlpha
    case .multiplyAlpha, .multiplyX2, .replace, .custom: .blendFactors
    }
  }
}

extension Blend {
  /// The supported mode nearest to this blending: an equal mode, a mode that darkens or brightens
  /// likewise, or the first.
  fileprivate func nearest(of modes: [BlendMode]) -> BlendMode {
    let mode = nearestMode
    let like: [BlendMode] =
      switch mode {
      case .multiply, .multiplyAlpha, .multiplyX2, .subtract:
        [.multiply, .multiplyAlpha, .multiplyX2]
      case .screen: [.add]
      default: [.alpha]
      }
    return ([mode] + like).first(where: modes.contains) ?? modes[0]
  }
}

extension EmitterWriter {
  /// The blend mode to write: the mode of the document, or the nearest mode of the format. Reports
  /// changes.
  /// - Parameters:
  ///   - modes: the modes of the format, beginning with the usual one.
  ///   - detail: the modes of the format, for the report: "Godot has five modes".
  ///   - target: the key and its value, for the report.
  mutating func blendMode(
    of modes: [BlendMode], _ detail: String, target: ((BlendMode) -> Loss.Side)? = nil
  ) -> BlendMode {
    let blend = emitter.render.blend.named
    let mode = blend.nearest(of: modes)
    if mode != blend.mode {
      lose(
        .approximated, blend.mode.capability, at: "render.blend", detail,
        recipe: "nearest mode: \(mode.rawValue)", target: target?(mode))
    } else if blend != Blend(mode) {
      lose(.dead, .premultipliedAlpha, at: "render.blend", "only the mode is used")
    }
    return mode
  }

  /// Writes the blend mode as its place in a list.
  mutating func setBlend(_ key: String, of modes: [BlendMode], count: String) {
    let place = { (mode: BlendMode) in modes.firstIndex(of: mode) ?? 0 }
    let mode = blendMode(
      of: modes, "\(format.engine) has \(count) modes", target: { .init(key, .int(place($0))) })
    set(key, integer: place(mode))
    explainImageAlpha(of: Blend(mode), in: format.table.capabilities.profile)
  }
}

/// The blend modes of a format of texts: their names, or numbers from 0.
struct BlendNames: Sendable {
  let modes: [BlendMode]
  /// The names as they are written, after a prefix. None if modes are numbered only.
  private let names: [String]
  private let prefix: String
  /// Whether numbers may take the place of names.
  private let areNumbered: Bool

  /// - Parameter names: the modes by their names. If a mode has several names, the first is written.
  init(
    _ names: KeyValuePairs<String, BlendMode>, prefix: String = "", areNumbered: Bool = false
  ) {
    (self.names, modes) = (names.map { $0.key }, names.map { $0.value })
    (self.prefix, self.areNumbered) = (prefix, areNumbered)
  }

  init(numbered modes: [BlendMode]) {
    (self.modes, names, prefix, areNumbered) = (modes, [], "", true)
  }

  /// The modes, for reports.
  var list: String {
    listed.map { names.isEmpty ? $0.mode.rawValue : $0.name }.joined(separator: ", ")
  }

  /// The names and their meanings, for tables.
  fileprivate var note: String {
    let all = listed.map {
      $0.name.lowercased() == $0.mode.rawValue ? $0.name : "\($0.name) (\($0.mode.rawValue))"
    }
    return all.joined(separator: ", ") + (areNumbered && !names.isEmpty ? ", or their numbers" : "")
      + ". Others are read as alpha"
  }

  /// The name that is written for each mode.
  private var listed: [(name: String, mode: BlendMode)] {
    var known: Set<BlendMode> = []
    return modes.indices.filter { known.insert(modes[$0]).inserted }.map {
      (names.isEmpty ? "\($0)" : names[$0], modes[$0])
    }
  }

  fileprivate func mode(_ value: JSONValue) -> BlendMode? {
    if areNumbered, let number = value.int {
      return modes.indices.contains(number) ? modes[number] : nil
    }
    guard let text = value.string?.lowercased() else { return nil }
    return names.firstIndex { (prefix + $0).lowercased() == text }.map { modes[$0] }
  }

  /// - Parameter old: the value in the source file.
  fileprivate func value(_ mode: BlendMode, like old: JSONValue?) -> JSONValue {
    let place = modes.firstIndex(of: mode) ?? 0
    let isNumber = names.isEmpty || areNumbered && old?.int != nil
    return isNumber ? .int(place) : .string(prefix + names[place])
  }
}

extension Row where Format: TreeFormat {
  /// The blend mode. Alpha if the value is absent or not known.
  static func blend(_ key: String, _ names: BlendNames, from source: String) -> Row {
    let all: Set<Capability> = [
      .blendAlpha, .blendAdditive, .blendMultiply, .blendScreen, .blendSubtractive, .blendFactors,
      .premultipliedAlpha,
    ]
    let exact = Set(names.modes.map { $0.capability }).subtracting([
      .blendFactors, .premultipliedAlpha,
    ])
    return .idiom(
      [key], "render.blend", names.note, from: source, exact: exact,
      approximated: all.subtracting(exact),
      decode: { reader, emitter in
        let value = reader[key]
        emitter.render.blend = Blend(value.flatMap(names.mode) ?? .alpha)
        if let value, names.mode(value) == nil {
          reader.note(.emitterValue, key, "blended as alpha", found: value.shortExcerpt)
        }
      },
      encode: { writer in
        let mode = writer.blendMode(of: names.modes, "only \(names.list) are supported")
        writer.set(key, names.value(mode, like: writer.origin(key)))
      })
  }
}

// Images and frames, for formats that show the frames of one image.

extension EmitterWriter {
  /// Reports properties of the sprite that the engine ignores, in one line about the most visible loss.
  /// - Parameters:
  ///   - hasRegions: whether it shows regions of images.
  ///   - filter: how it filters images, and where frames are.
  ///   - scale: the report text for pixels per point.
  mutating func loseDetails(
    of sprite: Sprite, hasRegions: Bool, filter: (rule: Rule, detail: String), scale: String
  ) {
    let grid = sprite.grid ?? SpriteGrid()
    if !hasRegions, sprite.region != nil || sprite.rotated {
      lose(
        .lost, .texture, atRoot: "sprites",
        "image regions are not supported. The whole image is shown")
    } else if sprite.pivot != Sprite().pivot || sprite.rotated {
      lose(
        .lost, .texture, atRoot: "sprites",
        "a pivot or a rotated image is not supported. Images are centred and upright")
    } else if sprite.filter != .linear || grid.order != .row {
      lose(filter.rule, .texture, atRoot: "sprites", filter.detail)
    } else if let count = grid.count, count != grid.columns * grid.rows {
      lose(.approximated, .flipbook, atRoot: "sprites", "all frames of the grid are shown")
    } else if sprite.scale != 1 {
      lose(.restated, .absoluteSize, atRoot: "sprites", scale)
    }
  }

  /// Reports the images after the first, because they are not written.
  mutating func loseFurtherSprites(
    _ rule: Rule = .lost, _ detail: String = "only one image is supported"
  ) {
    guard emitter.sprites.count > 1 else { return }
    let places = system.spritePlaces
    let others = emitter.sprites.dropFirst().filter { $0 != emitter.sprites[0] }
    losses.append(
      Diagnostic(
        rule, .randomSprites, at: "\(path).sprites",
        also: ["\(path).spriteSelection"]
          + others.compactMap { places[$0] }.flatMap { ["sprites[\($0)]", "images[\($0)]"] },
        detail))
  }

  /// The first frame of a flip-book, or a range if it may be any frame.
  mutating func firstFrame(of flipbook: Flipbook, frames: Double) -> Value {
    guard flipbook.startRandom else { return flipbook.start }
    lose(
      .restated, .flipbook, at: "flipbook.startRandom", also: ["flipbook.start"],
      "written as a random first frame")
    return .range(0, frames)
  }

  /// Reports a flip-book without effect, or frames without a flip-book.
  /// - Parameter isStill: whether the flip-book never changes its frame.
  /// - Returns: whether there is a line.
  @discardableResult
  mutating func explainStill(frames: Int, isStill: Bool) -> Bool {
    if emitter.flipbook != nil, isStill {
      lose(.dead, .flipbook, at: "flipbook", "there is only one frame")
    } else if emitter.flipbook == nil, frames > 1 {
      lose(.restated, .flipbook, at: "flipbook", "written as a still first frame")
    } else {
      return false
    }
    return true
  }

  /// Reports an aspect ratio that particles in the engine do not have.
  ///
  /// Nothing changes where the ratio of the picture is equal, as with most pictures, because they
  /// are square. The size of a missing picture is unknown. It is taken for square.
  /// - Parameters:
  ///   - own: the ratio of particles in the engine.
  ///   - image: the ratio of the image. By default the ratio of its region.
  mutating func loseAspect(unless own: Aspect, ofImage image: Double? = nil, _ detail: String) {
    let aspect = emitter.size.aspect
    guard aspect != own else { return }
    guard let ofImage = image ?? ratioOfImage else {
      return lose(
        .assumed, .widthAndHeight, at: "size.aspect",
        "\(detail), and the missing picture is taken for square", level: .low)
    }
    lose(
      aspect.ratio(of: ofImage) == own.ratio(of: ofImage) ? .restated : .lost, .widthAndHeight,
      at: "size.aspect", detail)
  }

  /// The ratio of width and height of the picture that particles show. 1 for the soft dot of a
  /// sprite without a picture. Nil if the picture is missing.
  private var ratioOfImage: Double? {
    let (width, height) = shownSize
    guard let width, let height else { return image == nil ? 1 : nil }
    return height > 0 ? width / height : 1
  }
}
