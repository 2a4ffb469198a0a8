internal import ParticlesCore
internal import ParticlesModel

// Reductions of what is seen that formats with nested values share.

extension EmitterWriter {
  /// The visible colour as points, without randomness; reports what that cannot express.
  mutating func colorPoints(hasOpacity: Bool) -> [(time: Double, color: Color)] {
    let color = emitter.color
    let base = color.base
    if !base.from.isColor || !(base.to?.isColor ?? true) {
      lose(
        .approximated, .randomColor, at: "color.base", "colours are the same for all particles",
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
      (Double($0) / 16, Color($1.channels.map(\.rounded)))
    }
  }

  /// The visible colour as points without alpha, and the opacity: that of the colours too, if they have
  /// any.
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

  /// The width of a particle in units of length; a factor of the image if its size is unknown.
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
      "sizes are \(wantsFactor ? "factors of the image" : "lengths"); the image is "
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
      recipe: "a random factor of the same deviation", level: .low)
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

  /// The order of drawing to write: that of the document, or the first of the format.
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
  /// The value in the source file; nil if it is absent, or if the file is new.
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
  /// The level of the loss where all particles get the mean colour, estimated from what `--measure` compares: the
  /// standard deviation of red, green and blue, as a vector, and of alpha as a share of its mean, over the life.
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
