internal import ParticlesCore
internal import ParticlesModel

// Size, rotation and rendering.

extension FieldReader<CocosFamily> {
  /// Angles in files are clockwise, for either direction of the y axis.
  var rotation: Rotation {
    var rotation = Rotation()
    rotation.angle = track("rotationStart", "rotationEnd", times: -1)
    if flag("headToVelocity") == true {
      rotation.align = .velocity
    } else if flag("rotationIsDir") == true {
      rotation.align = .birth
      // The direction replaces the start angle. The difference from start to end stays.
      let turn = (number("rotationStart") ?? 0) - (number("rotationEnd") ?? 0)
      rotation.angle = turn == 0 ? 0 : Track(from: 0, to: .constant(turn.rounded))
      if ["rotationStartVariance", "rotationEndVariance"].contains(where: { number($0) ?? 0 != 0 })
      {
        note(
          .approximated, "rotationIsDir",
          "particles aligned with their direction all rotate equally")
      }
    }
    return rotation
  }

  var size: Size {
    var size = Size()
    size.width = track("startParticleSize", "finishParticleSize", isConstantAt: -1)
    size.aspect = format.aspect(in: law)
    return size
  }

  var blend: Blend {
    guard var source = integer("blendFuncSource"),
      var destination = integer("blendFuncDestination")
    else {
      let isAdditive = flag("blendAdditive") == true
      note(
        .assumed, "blendFuncSource",
        isAdditive ? "additive blending because of 'blendAdditive'" : "alpha blending is assumed")
      return Blend(isAdditive ? .add : .alpha)
    }
    check(&source, "blendFuncSource", standard: 770)
    check(&destination, "blendFuncDestination", standard: 771)
    return CocosBlend(source, destination).blend
  }

  private func check(_ factor: inout Int, _ key: String, standard: Int) {
    if let known = surroundings.factors.factor(of: factor) {
      factor = known
      return
    }
    note(
      .assumed, key, "not an OpenGL blend factor, so that \(standard) is used", found: "\(factor)")
    factor = standard
  }
}

extension CocosFamily {
  /// cocos2d stretches the image to a square. Starling and Cocos Creator keep its aspect ratio.
  fileprivate func aspect(in engine: Profile) -> Aspect {
    isStarling || engine == .cocosCreator ? .sprite : .ratio(1)
  }
}

extension EmitterWriter<CocosFamily> {
  /// Writes a track as start and end, each with a variance.
  mutating func encode(
    _ track: Track, _ start: String, _ end: String, scale: Double = 1,
    curved: Capability = .sizeCurve, apart: Capability = .randomEndSize, at property: String
  ) {
    let range = format.table.range(of: start).map { Interval($0.lower / scale, $0.upper / scale) }
    let ends = TrackEnds(track, lifetime: life, within: range)
    func scaled(_ ends: (center: Double, half: Double)) -> (center: Double, half: Double) {
      (ends.center * scale, ends.half * scale.magnitude)
    }
    let first = clamped(scaled(ends.start), start, curved, at: property)
    set(start, first.center)
    set(start + "Variance", first.half)
    if case .constantButRandom = ends.quality, !format.isStarling {
      set(end, -1)
      return set(end + "Variance", 0)
    }
    let last = clamped(scaled(ends.end), end, curved, at: property)
    set(end, last.center)
    set(end + "Variance", last.half)
    explain(ends.quality, curved: curved, apart: apart, at: property)
  }

  mutating func explain(
    _ quality: TrackEnds.Quality, curved: Capability, apart: Capability, at property: String
  ) {
    switch quality {
    case .exact: break
    case .constantButRandom:
      lose(
        .approximated, apart, at: property, "start and end are randomised independently",
        recipe: "both from one range")
    case .drawnOtherwise:
      lose(
        .approximated, apart, at: property, "only uniform ranges are supported",
        recipe: "the middle of minimum and maximum")
    case .curved(let deviation):
      lose(
        .approximated, curved, at: property, "only linear change over life is supported",
        recipe: "best-fit line",
        metric: Loss.Metric("greatest deviation", (deviation * 1000).rounded() / 1000, "unit"))
    }
  }

  mutating func encodeSize() {
    let size = emitter.size
    var scale = 1.0
    if size.mode == .textureScale {
      let pixels = shownSize.width.map { $0 / (sprite?.scale ?? 1) }
      scale = pixels ?? 32
      lose(
        pixels == nil ? .assumed : .restated, .absoluteSize, at: "size.mode", also: ["size.width"],
        "sizes are lengths, and the image is \(pixels == nil ? "assumed to be " : "")\(shortText(scale)) wide",
        level: pixels == nil ? .medium : nil)
    }
    encode(size.width, "startParticleSize", "finishParticleSize", scale: scale, at: "size.width")
    loseAspect(
      unless: format.aspect(in: system.asset.profile),
      format.isStarling ? "the image decides on the aspect ratio" : "particles are always square")
  }

  mutating func encodeRotation() {
    let rotation = emitter.rotation
    var ends = TrackEnds(rotation.angle, lifetime: life)
    let spin = TrackEnds(rotation.velocity, lifetime: life)
    let speed = (spin.start.center + spin.end.center) / 2
    ends.end.center += speed * life + rotation.acceleration.mean * life * life / 2
    ends.end.half += (spin.start.half + spin.end.half) / 2 * life
    explain(ends.quality, curved: .rotationCurve, apart: .randomEndRotation, at: "rotation.angle")
    if rotation.velocity != 0 {
      lose(
        .approximated, .rotationSpeed, at: "rotation.velocity", also: ["rotation.angle"],
        "only start and end angles are supported", recipe: "velocity × mean lifetime")
    }
    if rotation.acceleration != 0 {
      lose(
        .approximated, .angularAcceleration, at: "rotation.acceleration", also: ["rotation.angle"],
        "only start and end angles are supported", recipe: "acceleration × mean lifetime² / 2")
    }
    switch rotation.align {
    case .none: break
    case _ where format.isStarling:
      lose(.lost, .align, at: "rotation.align", "alignment with the direction is not supported")
    case .velocity:
      set("rotationIsDir", flag: true)
      lose(
        .approximated, .align, at: "rotation.align",
        "particles are aligned with their initial direction only")
    case .birth: set("rotationIsDir", flag: true)
    }
    if !format.isStarling, rotation.align != .none,
      ends.start != (0, 0) || rotation.alignOffset != 0
    {
      lose(
        .lost, .align, at: "rotation.angle", also: ["rotation.alignOffset"],
        "the direction replaces the start angle")
    } else {
      dropAlignOffset()
    }
    set("rotationStart", -ends.start.center)
    set("rotationStartVariance", ends.start.half)
    set("rotationEnd", -ends.end.center)
    set("rotationEndVariance", ends.end.half)
  }

  mutating func encodeBlend() {
    let blend = emitter.render.blend
    var factors = CocosBlend(blend, from: system.asset.profile, for: format) ?? CocosBlend(1, 771)
    switch blend.mode {
    case .subtract:
      factors = CocosBlend(0, 769)
      lose(
        .approximated, .blendSubtractive, at: "render.blend",
        "subtractive blending is not supported",
        recipe: "background × (1 − particle)")
    case .premultiplied:
      factors = CocosBlend(1, 771)
      lose(
        .approximated, .premultipliedAlpha, at: "render.blend", "colours are always premultiplied")
    case .custom where blend.equation != .add:
      lose(.lost, .blendSubtractive, at: "render.blend", "the blend equation is always addition")
    default:
      let read = factors.blend.named
      if read != blend.named {
        let isExact = read.mode == blend.mode || blend.mode == .custom && read.mode != .custom
        lose(
          isExact ? .restated : .approximated, .blendFactors, at: "render.blend",
          "the blend mode is written as two factors")
      }
      explainImageAlpha(of: factors.blend, in: format.table.capabilities.profile)
    }
    set("blendFuncSource", integer: surroundings.factors.number(of: factors.source))
    set("blendFuncDestination", integer: surroundings.factors.number(of: factors.destination))
  }
}

// Start and end colour, each channel with its variance.

extension FieldReader<CocosFamily> {
  var color: ColorTrack {
    let (from, to) = (color("startColor"), color("finishColor"))
    return from.isColor && from == to ? ColorTrack(from) : ColorTrack(from: from, to: to)
  }

  private func color(_ name: String) -> ColorValue {
    var (low, high) = ([Double](), [Double]())
    for channel in CocosChannel.allCases {
      let bounds = value(name + channel.rawValue, width: "\(name)Variance\(channel.rawValue)")
        .bounds
      low.append(bounds.lower)
      high.append(bounds.upper)
    }
    return low == high ? .constant(Color(low)) : .range(Color(low), Color(high))
  }
}

extension EmitterWriter<CocosFamily> {
  mutating func encodeColor() {
    let color = emitter.color
    let base = color.base
    let isPlain =
      base.gradient == nil && base.rate == .zero && base.clamp == .unit
      && (base.to == nil || base.curve == .linear)
      && color.opacity == 1 && color.intensity == 1 && color.mix == 1
    if isPlain, let from = base.from.channels, let to = (base.to ?? base.from).channels,
      isWithinRange(from), isWithinRange(to)
    {
      write(from, "startColor")
      write(to, "finishColor")
      if base.to == nil, !base.from.isColor {
        lose(
          .approximated, .randomEndColor, at: "color.base",
          "start and end are randomised independently",
          recipe: "both from one range")
      }
      return
    }
    encodeFitted()
  }

  /// Whether the engine does not change a colour by clamping it, other than its samples.
  private func isWithinRange(_ ends: (low: Color, high: Color)) -> Bool {
    guard let range = format.table.range(of: "startColorRed") else { return true }
    return zip(ends.low.channels, ends.high.channels).allSatisfy { low, high in
      low == high ? range.clamp(low) == low : high > range.lower && low < range.upper
    }
  }

  private mutating func write(_ ends: (low: Color, high: Color), _ name: String) {
    for (channel, (low, high)) in zip(
      CocosChannel.allCases, zip(ends.low.channels, ends.high.channels))
    {
      set(name + channel.rawValue, (low + high) / 2)
      set("\(name)Variance\(channel.rawValue)", ((high - low) / 2).magnitude)
    }
  }

  /// The line of least squares through the visible colour, weighted by alpha.
  private mutating func encodeFitted() {
    let color = emitter.color
    let (points, isExact) = color.seen(lifetime: life)
    let weights = points.map { $0.alpha }
    let lines = (0..<4).map { channel in
      LineFit(
        through: points.map { $0.channels[channel] }, weights: channel < 3 ? weights : nil,
        within: .unit)
    }
    var start = Color(lines.map { $0.start.rounded })
    var finish = Color(lines.map { $0.end.rounded })
    let base = color.base
    let likeness = base.from.uniformLikeness
    let halves = [likeness.half, base.to?.uniformLikeness.half ?? likeness.half]
    // The uniform range has another mean than the distribution, so both ends move by the difference.
    if base.to == nil, base.gradient == nil, base.rate == .zero, base.from.channels == nil {
      let shift = likeness.mean.adding(base.from.mean, -1).withoutAlpha
      (start, finish) = (start.adding(shift, 1).inUnit, finish.adding(shift, 1).inUnit)
    }
    let opacity = [color.opacity.from, color.opacity.to ?? color.opacity.from].map {
      $0.spread.half
    }
    let isDim = color.opacity != 1
    func written(_ end: Color, _ half: Color, _ opacity: Double) -> (Color, Color) {
      var half = half
      // Alpha is the product of both.
      if isDim { half.alpha = (half.alpha * end.alpha + opacity).rounded }
      return (end.adding(half, -1), end.adding(half, 1))
    }
    write(written(start, halves[0], opacity[0]), "startColor")
    write(written(finish, halves[1], base.gradient == nil ? opacity[1] : opacity[0]), "finishColor")
    let isRandom =
      opacity.contains { $0 != 0 } || halves.contains { $0.channels.contains { $0 != 0 } }
    let deviation = lines.map { $0.deviation }.max() ?? 0
    let isSame = isExact && !isRandom && deviation < 0.004
    lose(
      isSame ? .restated : .approximated, capability, at: "color",
      "only start and end colours are supported",
      recipe: isRandom ? "best-fit line, start and end randomised independently" : "best-fit line",
      metric: isRandom && deviation < 0.05
        ? nil : Loss.Metric("greatest deviation", (deviation * 1000).rounded() / 1000, "of 1"),
      level: isSame ? nil : deviation > 0.25 ? .high : deviation > 0.05 ? .medium : .low)
  }

  /// The property that two colours cannot express.
  private var capability: Capability {
    let color = emitter.color
    switch color.base.from {
    case .varied: return .randomHueSaturationBrightness
    case .gradient, .choice: return .startGradient
    case .constant, .range: break
    }
    if color.opacity != 1 { return .opacityCurve }
    if color.base.from.channels.map({ $0.low != $0.high }) ?? false { return .randomEndColor }
    return color.base.gradient == nil && color.mix != 1 ? .mix : .gradient
  }
}

extension Color {
  /// The colour with an alpha of 0.
  fileprivate var withoutAlpha: Color { Color(red, green, blue, 0) }

  fileprivate var inUnit: Color { Color(channels.map(Interval.unit.clamp)) }

  fileprivate func adding(_ other: Color, _ factor: Double) -> Color {
    Color(
      red + other.red * factor, green + other.green * factor, blue + other.blue * factor,
      alpha + other.alpha * factor)
  }
}

struct CocosBlend: Equatable {
  var source, destination: Int

  init(_ source: Int, _ destination: Int) {
    (self.source, self.destination) = (source, destination)
  }

  static func isFactor(_ number: Int) -> Bool { [0, 1].contains(number) || 768...776 ~= number }

  /// Blend modes for pairs of factors.
  private static let modes: [(mode: BlendMode, factors: [CocosBlend])] = [
    (.alpha, [.init(770, 771)]), (.add, [.init(770, 1)]), (.multiplyAlpha, [.init(774, 771)]),
    (.multiply, [.init(774, 0), .init(0, 768)]), (.multiplyX2, [.init(774, 768)]),
    (.screen, [.init(1, 769)]), (.replace, [.init(1, 0)]),
  ]

  /// The factors as a blend mode of a document. Engines differ in how they treat factors that leave out
  /// the alpha of the source. The document keeps such factors, and the law of the profile applies.
  var blend: Blend {
    if let known = Self.modes.first(where: { $0.factors.contains(self) }) {
      return Blend(known.mode)
    }
    var blend = Blend(source: source, destination: destination)
    if source == 1 || source == 775 { blend.premultiply = .always }
    return blend
  }

  /// - Parameters:
  ///   - profile: the engine that the effect was made for. Engines of the family use the alpha of an image
  ///     twice for (770, 771), their blending by alpha.
  ///   - format: for an effect of another engine, Starling has (1, 771), which uses it once. So has
  ///     cocos2d-x, but cocos2d-html5 and Cocos Creator show particles with these factors too faint, or
  ///     with bright edges.
  init?(_ blend: Blend, from profile: Profile, for format: CocosFamily) {
    let family: [Profile] = [.cocos2d, .cocos2dX, .cocosCreator, .starling]
    if blend.mode == .custom, let source = blend.source, let destination = blend.destination {
      self.init(source, destination)
    } else if blend.mode == .alpha, format.isStarling, !family.contains(profile) {
      self.init(1, 771)
    } else if let known = Self.modes.first(where: { $0.mode == blend.mode }) {
      self = known.factors[0]
    } else {
      return nil
    }
  }
}

extension CocosBlend {
  /// The numbers of blend factors in files, from OpenGL or from Cocos Creator 3.
  enum Numbers: Sendable {
    case openGL, creator

    /// The numbers of a file. 0 and 1 are equal in both.
    init(of reader: FieldReader<CocosFamily>) {
      let stated = [reader.integer("blendFuncSource"), reader.integer("blendFuncDestination")]
      let isCreators =
        reader.format.dialect == .cocos2d
        && stated.allSatisfy { $0.map(CocosBlend.creatorFactors.indices.contains) ?? false }
        && stated.contains { $0 ?? 0 > 1 }
      self = isCreators ? .creator : .openGL
    }

    /// The OpenGL number of a factor in a file. Nil if there is none.
    func factor(of number: Int) -> Int? {
      switch self {
      case .openGL: CocosBlend.isFactor(number) ? number : nil
      case .creator:
        CocosBlend.creatorFactors.indices.contains(number)
          ? CocosBlend.creatorFactors[number] : nil
      }
    }

    /// The number in a file for an OpenGL factor.
    func number(of factor: Int) -> Int {
      switch self {
      case .openGL: factor
      case .creator: CocosBlend.creatorFactors.firstIndex(of: factor) ?? factor
      }
    }
  }

  /// The factors of Cocos Creator 3 by their numbers, `BlendFactor` in its `gfx/base/define.ts`.
  private static let creatorFactors = [0, 1, 770, 772, 771, 773, 768, 774, 769, 775, 776]

  /// The factors of a file. Missing or invalid factors become 770 and 771, or 1 for additive blending.
  init(of reader: FieldReader<CocosFamily>) {
    let numbers = Numbers(of: reader)
    let source = reader.integer("blendFuncSource").flatMap(numbers.factor) ?? 770
    let isAdditive = reader.flag("blendAdditive") == true
    let destination =
      reader.integer("blendFuncDestination").map { numbers.factor(of: $0) ?? 771 }
      ?? (isAdditive ? 1 : 771)
    self.init(source, destination)
  }
}
