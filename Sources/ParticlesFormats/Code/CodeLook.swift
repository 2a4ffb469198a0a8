internal import ParticlesCore
internal import ParticlesModel

// Size, colour and blending of emitters that code makes.

extension FieldReader<CodeFamily> {
  func decodeSize(of emitter: inout Emitter) {
    emitter.size.mode = format.hasLengths ? .units : .textureScale
    emitter.size.aspect = format.hasLengths ? .ratio(1) : .sprite
    let size = value("size", 1)
    switch format.target {
    case .coreAnimation:
      emitter.size.width = Track(from: size, rate: .constant(number("sizeSpeed") ?? 0))
    case .realityKit:
      let end = number("sizeAtEnd") ?? 1
      emitter.size.width = end == 1 ? Track(size) : CodeSize.track(size, atEnd: end)
    case .unity:
      let keys = lists("sizeOverLife").filter { $0.count == 2 }.map { (time: $0[0], value: $0[1]) }
      emitter.size.width =
        keys.isEmpty ? Track(size) : Track(from: 0, to: size, curve: Curve(through: keys))
    case .love: emitter.size.width = CodeSize.track(list("sizes") ?? [1])
    }
  }

  func decodeColor(of emitter: inout Emitter) {
    switch format.target {
    case .coreAnimation:
      let color = list("color").flatMap(Color.init(code:)) ?? .white
      let half = list("colorRange").flatMap(Color.init(code:)) ?? Color(0, 0, 0, 0)
      let speed = list("colorSpeed") ?? []
      emitter.color.base = ColorTrack(
        half == Color(0, 0, 0, 0) ? .constant(color) : CodeColor.range(color, half))
      if speed.count == 4 {
        emitter.color.base.rate = ColorRate(speed[0], speed[1], speed[2], speed[3])
      }
    case .realityKit:
      let color = list("color").flatMap(Color.init(code:)) ?? .white
      emitter.color.base = ColorTrack(.constant(color))
      if let end = list("colorAtEnd").flatMap(Color.init(code:)) {
        emitter.color.base = ColorTrack(from: .constant(color), to: .constant(end))
      }
    case .unity, .love:
      let keys = lists("colors").compactMap { list in
        Color(code: Array(list.dropFirst())).map { GradientKey(list[0], $0) }
      }
      emitter.color.base =
        keys.count == 1
        ? ColorTrack(.constant(keys[0].color))
        : keys.isEmpty ? ColorTrack() : ColorTrack(gradient: Gradient(keys))
    }
  }
}

/// The forms of sizes over life that code states.
enum CodeSize {
  /// A start size and its multiple at the end of life.
  static func track(_ size: Value, atEnd factor: Double) -> Track {
    Track(from: 0, to: size, curve: Curve(through: [(0, 1), (1, factor)]))
  }

  /// Sizes at equal distances over life.
  static func track(_ sizes: [Double]) -> Track {
    guard sizes.count > 1 else { return .constant(sizes.first ?? 1) }
    return Track(
      from: 0, to: 1, curve: Curve(through: Array(zip(KeyFrames.evenTimes(sizes.count), sizes))))
  }
}

enum CodeColor {
  static func range(_ color: Color, _ half: Color) -> ColorValue {
    .range(
      Color(zip(color.channels, half.channels).map { ($0 - $1).rounded }),
      Color(zip(color.channels, half.channels).map { ($0 + $1).rounded }))
  }
}

extension Color {
  fileprivate init?(code channels: [Double]) {
    guard channels.count == 4 else { return nil }
    self.init(channels)
  }
}

extension EmitterWriter<CodeFamily> {
  /// The most sizes and colours over life that LÖVE and Unity accept.
  static let most = 8

  // MARK: - Size

  mutating func encodeSize() {
    let size = emitter.size
    var width = size.width
    if (size.mode == .units) != format.hasLengths {
      let pixels = frame.map { $0.width / (sprite?.scale ?? 1) }
      let length = pixels.flatMap { $0 > 0 ? $0 : nil } ?? 32
      width = width.scaled(by: format.hasLengths ? length : 1 / length)
      lose(
        pixels == nil ? .assumed : .restated, .absoluteSize, at: "size.mode", also: ["size.width"],
        "sizes are \(format.hasLengths ? "lengths" : "factors of the image"), which is "
          + "\(pixels == nil ? "assumed to be " : "")\(shortText(length)) wide",
        level: pixels == nil ? .medium : nil)
    }
    switch format.target {
    case .coreAnimation: encodeStraight(width)
    case .realityKit: encodeEnds(width)
    case .unity: encodeCurve(width)
    case .love: encodeList(width)
    }
    let natural: Aspect = format.hasLengths ? .ratio(1) : .sprite
    loseAspect(
      unless: natural, ofImage: frame.map { $0.height > 0 ? $0.width / $0.height : 1 },
      format.hasLengths ? "particles are always square" : "the aspect ratio is that of the image")
  }

  /// Writes a start size and its change per second.
  private mutating func encodeStraight(_ width: Track) {
    let place = "size.width"
    if width.isStraight {
      set("size", width.from, .size, at: place)
      if width.rate.mean != 0 { set("sizeSpeed", width.rate.mean) }
      if !width.rate.isNumber {
        lose(.approximated, .sizeCurve, at: place, "all sizes change alike", recipe: "the mean")
      }
      return
    }
    let ends = TrackEnds(width, lifetime: lifetime)
    set("size", ends.start.center)
    set("size ±", ends.start.half)
    set("sizeSpeed", lifetime > 0 ? (ends.end.center - ends.start.center) / lifetime : 0)
    lose(
      .approximated, width.from.isNumber ? .sizeCurve : .randomEndSize, at: place,
      "sizes change at a constant speed", recipe: "the best-fit line")
  }

  /// Writes a start size and its multiple at the end of life.
  private mutating func encodeEnds(_ width: Track) {
    let place = "size.width"
    if width.isPlainValue { return set("size", width.from, .size, at: place) }
    var ends = TrackEnds(width, lifetime: lifetime)
    if ends.start.center == 0 { ends.start = (ends.end.center / 100, 0) }
    let factor = ends.start.center == 0 ? 1 : (ends.end.center / ends.start.center).rounded
    set("size", ends.start.center)
    set("size ±", ends.start.half)
    set("sizeAtEnd", factor)
    let written = CodeSize.track(
      Value(center: ends.start.center.rounded, halfWidth: ends.start.half), atEnd: factor)
    guard written != width || factor == 1 else { return }
    let isRandom = !width.from.isNumber || !(width.to ?? 0).isNumber
    lose(
      .approximated, isRandom ? .randomEndSize : .sizeCurve, at: place,
      "sizes change linearly to a multiple of the start", recipe: "the best-fit line")
  }

  /// Writes a size and a curve that it is multiplied by.
  private mutating func encodeCurve(_ width: Track) {
    let place = "size.width"
    if width.isPlainValue { return set("size", width.from, .size, at: place) }
    if let size = width.to, width == Track(from: 0, to: size, curve: width.curve),
      isPlain(width.curve)
    {
      set("size", size, .size, at: place)
      return set("sizeOverLife", lists: width.curve.keys.map { [$0.time, $0.value] })
    }
    var (curve, isExact) = width.curve(lifetime: lifetime)
    if !isPlain(curve) {
      (curve, isExact) = (.through(16) { [curve] in curve.value(at: $0) }, false)
    }
    let isRandom = !width.from.isNumber || !(width.to ?? 0).isNumber || !width.rate.isNumber
    set("size", 1)
    set("sizeOverLife", lists: curve.keys.map { [$0.time, $0.value] })
    lose(
      isExact && !isRandom ? .restated : .approximated, isRandom ? .randomEndSize : .sizeCurve,
      at: place,
      "the size is written as a curve", recipe: isExact && !isRandom ? nil : "the mean over life")
  }

  /// Whether a curve has linear keys in the order of time and nothing else.
  func isPlain(_ curve: Curve) -> Bool {
    curve == Curve(through: curve.keys.map { ($0.time, $0.value) }) && curve.keys.count > 1
      && zip(curve.keys, curve.keys.dropFirst()).allSatisfy { $0.time < $1.time }
      && curve.keys.allSatisfy { 0...1 ~= $0.time }
  }

  /// Writes sizes at equal distances over life.
  private mutating func encodeList(_ width: Track) {
    let place = "size.width"
    if width.isPlainValue, width.from.isNumber {
      return set("sizes", lists: [[width.from.mean]])
    }
    let (curve, isExact) = width.curve(lifetime: lifetime)
    let isRandom = !width.from.isNumber || !(width.to ?? 0).isNumber || !width.rate.isNumber
    var sizes = curve.keys.map(\.value)
    let isEven =
      sizes.count <= Self.most && CodeSize.track(sizes) == Track(from: 0, to: 1, curve: curve)
    if width.isPlainValue {
      sizes = [width.from.mean]
    } else if !isEven {
      sizes = (0..<Self.most).map { curve.value(at: Double($0) / Double(Self.most - 1)) }
    }
    set("sizes", lists: [sizes])
    guard CodeSize.track(sizes) != width else { return }
    lose(
      isExact && isEven && !isRandom ? .restated : .approximated,
      isRandom ? .randomEndSize : .sizeCurve,
      at: place, "sizes are at equal distances and the same for all particles",
      recipe: isEven && !isRandom ? nil : "the mean, at most eight times")
  }

  // MARK: - Colour

  mutating func encodeColor() {
    switch format.target {
    case .coreAnimation: encodeRange()
    case .realityKit:
      let (start, end) = line(through: colors())
      set("color", lists: [start.channels])
      if start != end { set("colorAtEnd", lists: [end.channels]) }
      explainLine(
        start == end
          ? ColorTrack(.constant(start)) : ColorTrack(from: .constant(start), to: .constant(end)))
    case .unity, .love: encodeGradient()
    }
  }

  /// Colour and opacity over life as one gradient.
  private mutating func colors() -> Gradient {
    let tint = emitter.color
    guard tint.opacity == 1, tint.intensity == 1, tint.mix == 1 else {
      let seen = tint.seen(lifetime: lifetime)
      let isRandom = !tint.base.from.isColor || !(tint.base.to ?? .white).isColor
      lose(
        .approximated, isRandom ? .randomEndColor : tint.opacity == 1 ? .mix : .opacityCurve,
        at: "color",
        "colour, opacity, intensity and mix are one colour over life", recipe: "sampled over life",
        level: isRandom ? nil : .low)
      return Gradient(
        seen.points.enumerated().map { GradientKey(Double($0.offset) / 16, $0.element) })
    }
    let base = tint.base
    if base == ColorTrack(base.from), case .constant(let color) = base.from {
      return Gradient([GradientKey(0, inside(color))])
    }
    let (gradient, isExact) = base.gradient(lifetime: lifetime)
    let isRandom = !base.from.isColor || !(base.to ?? .white).isColor
    if !isExact {
      lose(
        .approximated, isRandom ? .randomEndColor : .gradient, at: "color.base",
        "colours are the same for all particles",
        recipe: isRandom ? "the means" : "colours sampled over life")
    }
    return gradient.mapped { inside($0) }
  }

  private mutating func inside(_ color: Color) -> Color {
    clamped(color, to: .unit, "components are from 0 to 1")
  }

  private func line(through gradient: Gradient) -> (start: Color, end: Color) {
    let points = (0...16).map { gradient.color(at: Double($0) / 16).channels }
    let lines = (0..<4).map { channel in
      LineFit(through: points.map { $0[channel] }, within: .unit)
    }
    func color(_ ends: [Double]) -> Color { Color(ends.map { ($0 * 1e9).rounded() / 1e9 }) }
    return (color(lines.map(\.start)), color(lines.map(\.end)))
  }

  private mutating func explainLine(_ written: ColorTrack) {
    let base = emitter.color.base
    guard base != written, !hasLine(at: "color"), !hasLine(at: "color.base") else { return }
    let read = written.gradient(lifetime: lifetime).gradient
    let stated = base.gradient(lifetime: lifetime).gradient
    let isSame = (0...64).allSatisfy { step in
      let time = Double(step) / 64
      return zip(read.color(at: time).channels, stated.color(at: time).channels).allSatisfy {
        ($0 - $1).magnitude < 1e-6
      }
    }
    lose(
      isSame ? .restated : .approximated, .gradient, at: "color.base",
      "colours change linearly over life", recipe: isSame ? nil : "the best-fit line")
  }

  /// Writes a colour with a range and a speed for each channel.
  private mutating func encodeRange() {
    let (tint, base) = (emitter.color, emitter.color.base)
    if tint.opacity == 1, tint.intensity == 1, tint.mix == 1, base.to == nil, base.gradient == nil,
      base.clamp == .unit
    {
      let (least, most) = base.from.channelBounds
      let center = Color(zip(least.channels, most.channels).map { ($0 + $1) / 2 })
      let half = Color(zip(least.channels, most.channels).map { ($1 - $0).magnitude / 2 })
      set("color", lists: [center.channels])
      let isConstant = half == Color(0, 0, 0, 0)
      if !isConstant { set("colorRange", lists: [half.channels]) }
      let rate = base.rate
      if rate != .zero {
        set("colorSpeed", lists: [[rate.red, rate.green, rate.blue, rate.alpha]])
      }
      var written = ColorTrack(isConstant ? .constant(center) : CodeColor.range(center, half))
      written.rate = rate
      guard written != base else { return }
      let isColor = base.from.isColor
      return lose(
        isColor ? .dead : .approximated, isColor ? .gradient : .randomColor, at: "color.base",
        isColor
          ? "without an end colour the curve has no effect"
          : "channels are randomised independently",
        recipe: isColor ? nil : "the range of each channel")
    }
    let (start, end) = line(through: colors())
    set("color", lists: [start.channels])
    let life = lifetime
    var written = ColorTrack(.constant(start))
    if start != end, life > 0 {
      let speed = zip(start.channels, end.channels).map { ($1 - $0) / life }
      set("colorSpeed", lists: [speed])
      written.rate = ColorRate(speed[0], speed[1], speed[2], speed[3])
    }
    guard !hasLine(at: "color"), !hasLine(at: "color.base") else { return }
    lose(
      .approximated, .gradient, at: "color.base", "colours change at a constant speed",
      recipe: "the best-fit line")
  }

  /// Writes at most eight colours over life, for LÖVE at equal distances.
  private mutating func encodeGradient() {
    let gradient = colors()
    let isFolded = hasLine(at: "color")
    var keys = gradient.keys.map { [$0.time] + $0.color.channels }
    let even = KeyFrames.evenTimes(keys.count)
    let isPlain =
      gradient == Gradient(gradient.keys) && keys.count <= Self.most && !keys.isEmpty
      && (format.target == .unity || keys.map { $0[0] } == even)
      && zip(keys, keys.dropFirst()).allSatisfy { $0[0] < $1[0] }
      && keys.allSatisfy { 0...1 ~= $0[0] }
    if !isPlain {
      keys = KeyFrames.evenTimes(Self.most).map { [$0] + gradient.color(at: $0).channels }
    }
    set("colors", lists: keys)
    guard !isFolded, !hasLine(at: "color.base") else { return }
    let colors = keys.map { GradientKey($0[0], Color(Array($0.dropFirst()))) }
    let written =
      colors.count == 1
      ? ColorTrack(.constant(colors[0].color)) : ColorTrack(gradient: Gradient(colors))
    guard written != emitter.color.base else { return }
    lose(
      isPlain ? .restated : .approximated, .gradient, at: "color.base",
      "colours are written as \(keys.count) colours over life",
      recipe: isPlain ? nil : "eight colours at equal distances", level: isPlain ? nil : .low)
  }

  // MARK: - Blending

  mutating func encodeBlend() {
    let modes = format.blendModes
    let mode = blendMode(of: modes, "\(format.engine) has \(modes.count) modes here")
    set("blend", integer: modes.firstIndex(of: mode) ?? 0)
    explainImageAlpha(of: Blend(mode), in: format.table.capabilities.profile)
  }
}
