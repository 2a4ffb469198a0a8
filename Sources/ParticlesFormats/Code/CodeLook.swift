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
      from: 0, to: 1,
      curve: Curve(through: zip(KeyFrames.evenTimes(sizes.count), sizes).map { ($0, $1) }))
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
      let pixels = frame.flatMap { $0.width > 0 ? $0.width : nil }
      let length = (pixels ?? 32) * texel
      width = width.scaled(by: format.hasLengths ? length : 1 / length)
      lose(
        pixels == nil ? .assumed : .restated, .absoluteSize, at: "size.mode", also: ["size.width"],
        "sizes are \(format.hasLengths ? "lengths" : "factors of the image"), and the image is "
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
      format.hasLengths ? "particles are always square" : "the image decides on the aspect ratio")
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
    var sizes = curve.keys.map { $0.value }
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
      at: place, "sizes are at equal distances and equal for all particles",
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
        "all particles have equal colours",
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
    return (color(lines.map { $0.start }), color(lines.map { $0.end }))
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

// Flip-books, stretching and trails of emitters that code makes.

extension CodeFamily {
  static func frames(_ target: Target) -> [Row<CodeFamily>] {
    guard target != .coreAnimation else {
      return [
        .idiom(
          ["columns", "rows", "frameCount", "frameOrder"], "sprites.grid", "the first frame",
          from: "ca", encode: { _ = $0.encodeGrid() })
      ] + Row.missingFrames
    }
    let notes: [Target: String] = [
      .realityKit: "a grid, a first frame and a frame rate, each with a range, and a mode",
      .unity: "a grid, all frames over the life or a frame rate, and a range of first frames",
      .love: "the frames in sequence over the life",
    ]
    return [
      .idiom(
        [
          "columns", "rows", "frameCount", "frameOrder", "frameStart", "frameStart ±", "frameRate",
          "frameRate ±", "frameMode",
        ], "flipbook", notes[target] ?? "", from: citation(of: target), approximated: [.flipbook],
        decode: { $1.flipbook = $0.flipbook }, encode: { $0.encodeFrames() })
    ] + Row.missingFrames.filter { $0.property != "flipbook" }
  }

  static func stretch(_ target: Target) -> Row<CodeFamily> {
    guard target == .realityKit || target == .unity else { return .missing("size.stretch") }
    return .idiom(
      ["stretch"], "size.stretch", "in proportion to the speed. The unit is assumed to be seconds",
      from: citation(of: target), approximated: [.stretch],
      decode: { reader, emitter in
        guard let factor = reader.number("stretch") else { return }
        var stretch = Stretch()
        stretch.factor = .constant(factor)
        emitter.size.stretch = stretch
      }, encode: { $0.encodeStretch() })
  }

  static func trail(_ target: Target) -> Row<CodeFamily> {
    guard target == .unity else { return .missing("render.trail") }
    return .idiom(
      ["trailLength", "trailWidths", "trailColors"], "render.trail",
      "a length in seconds, written as a part of the lifetime, with widths and colours",
      from: citation(of: target), approximated: [.trail],
      decode: { $1.render.trail = $0.trail }, encode: { $0.encodeTrail() })
  }

  static let frameModes: [FlipbookMode] = [.loop, .once, .pingpong]
  static let frameOrders: [GridOrder] = [.row, .column]

  /// A frame rate that shows all frames over the life.
  static let lifelong = -1.0
}

extension FieldReader<CodeFamily> {
  var grid: SpriteGrid? {
    guard let columns = number("columns"), let rows = number("rows") else { return nil }
    var grid = SpriteGrid(columns: SpriteGrid.whole(columns), rows: SpriteGrid.whole(rows))
    grid.count = number("frameCount").map(SpriteGrid.whole)
    grid.order = CodeFamily.frameOrders[number("frameOrder") == 1 ? 1 : 0]
    return grid
  }

  var flipbook: Flipbook? {
    guard let rate = number("frameRate") else { return nil }
    var flipbook = Flipbook()
    flipbook.start = value("frameStart")
    flipbook.fps = rate == CodeFamily.lifelong ? .life : .fixed(value("frameRate"))
    flipbook.mode = CodeFamily.frameModes[min(max(integer("frameMode") ?? 0, 0), 2)]
    return flipbook
  }

  var trail: Trail? {
    guard let length = number("trailLength") else { return nil }
    var trail = Trail()
    trail.length = max(length, 0)
    let widths = lists("trailWidths").filter { $0.count == 2 }.map { (time: $0[0], value: $0[1]) }
    if !widths.isEmpty { trail.width = Curve(through: widths) }
    let colors = lists("trailColors").filter { $0.count == 5 }
    if !colors.isEmpty {
      trail.color = Gradient(colors.map { GradientKey($0[0], Color(Array($0.dropFirst()))) })
    }
    return trail
  }
}

extension EmitterWriter<CodeFamily> {
  // MARK: - Flip-books

  /// Writes the grid of the sprite, if it is one of the whole image.
  mutating func encodeGrid() -> SpriteGrid? {
    guard sprite?.region == nil, let grid = sprite?.grid.flatMap(format.grid) else { return nil }
    set("columns", integer: grid.columns)
    set("rows", integer: grid.rows)
    if let count = grid.count { set("frameCount", integer: count) }
    if grid.order == .column { set("frameOrder", integer: 1) }
    return grid
  }

  mutating func encodeFrames() {
    guard let grid = encodeGrid() else {
      let isWhole = sprite?.region == nil
      return drop(
        "flipbook",
        isWhole ? "there is only one frame" : "frames of a part of an image are not supported",
        rule: isWhole ? .dead : .lost)
    }
    guard let flipbook = emitter.flipbook else { return }
    let frames = Double(grid.count ?? grid.columns * grid.rows)
    encodeStart(flipbook, frames)
    encodeRate(flipbook, frames)
    encodeMode(flipbook)
    if flipbook.crossfade {
      lose(
        .lost, .flipbook, at: "flipbook.crossfade", "cross-fading is not supported", level: .low)
    }
  }

  private mutating func encodeStart(_ flipbook: Flipbook, _ frames: Double) {
    var start = firstFrame(of: flipbook, frames: frames)
    if format.target == .love, !start.isNumber {
      lose(
        .lost, .flipbook, at: "flipbook.start", "the start frame cannot vary between particles",
        recipe: "the mean", level: .medium)
      start = .constant(start.mean)
    }
    if format.target != .unity, start.mean != start.mean.rounded() {
      lose(
        .approximated, .flipbook, at: "flipbook.start", "the first frame is a whole number",
        level: .low)
    }
    set("frameStart", start, .flipbook, at: "flipbook.start")
  }

  private mutating func encodeRate(_ flipbook: Flipbook, _ frames: Double) {
    switch (flipbook.fps, format.target) {
    case (.life, .realityKit):
      set("frameRate", lifetime > 0 ? frames / lifetime : 0)
      lose(
        .approximated, .flipbook, at: "flipbook.fps", "only a frame rate is supported",
        recipe: "frames / mean lifetime", level: emitter.lifetime.isNumber ? .low : .medium)
    case (.life, _): set("frameRate", CodeFamily.lifelong)
    case (.fixed(let rate), .realityKit): set("frameRate", rate, .flipbook, at: "flipbook.fps")
    case (.fixed(let rate), _):
      set("frameRate", max(rate.mean, 0))
      if !rate.isNumber {
        lose(
          .approximated, .flipbook, at: "flipbook.fps", "the frame rate cannot be random",
          recipe: "the mean")
      } else if format.target == .love, rate.mean != 0 {
        lose(
          emitter.lifetime.isNumber ? .restated : .approximated, .flipbook, at: "flipbook.fps",
          "frames are distributed over the life",
          recipe: emitter.lifetime.isNumber ? nil : "the frames of the mean lifetime",
          level: emitter.lifetime.isNumber ? nil : .low)
      }
    }
  }

  private mutating func encodeMode(_ flipbook: Flipbook) {
    var mode = flipbook.mode
    if format.target == .unity, mode != .loop {
      let isSame = mode == .once && flipbook.fps == .life && flipbook.start == 0
      lose(
        isSame ? .restated : .lost, .flipbook, at: "flipbook.mode",
        isSame ? "all frames are shown once in a life" : "frames repeat from the first",
        level: isSame ? nil : .medium)
      mode = .loop
    }
    set("frameMode", integer: CodeFamily.frameModes.firstIndex(of: mode) ?? 0)
  }

  // MARK: - Stretching and trails

  mutating func encodeStretch() {
    guard let stretch = emitter.size.stretch else { return }
    set("stretch", stretch.factor.mean)
    let place = "size.stretch"
    guard stretch.axis == .velocity else {
      return lose(.lost, .stretch, at: place, "stretching is always along the motion")
    }
    if !stretch.factor.isNumber {
      lose(
        .approximated, .stretch, at: "\(place).factor", "the factor cannot be random",
        recipe: "the mean")
    } else if stretch.factor == 0 {
      lose(.dead, .stretch, at: place, "a factor of 0 does not stretch")
    } else {
      lose(
        .assumed, .stretch, at: "\(place).factor",
        "\(format.engine) does not document the unit. Seconds are assumed")
    }
  }

  mutating func encodeTrail() {
    guard let trail = emitter.render.trail else { return }
    let place = "render.trail"
    set("trailLength", trail.length)
    let least = emitter.lifetime.bounds.lower
    if !emitter.lifetime.isNumber || trail.length > least {
      lose(
        .approximated, .trail, at: "\(place).length",
        "a trail covers a part of the lifetime, at most the whole",
        recipe: "length / mean lifetime", level: .low)
    }
    if trail.width != .constant(1) {
      var width = trail.width
      if !isPlain(width) {
        width = .through(16) { [width] in width.value(at: $0) }
        lose(
          .approximated, .trail, at: "\(place).width", "the curve has linear pieces",
          recipe: "17 points", level: .low)
      }
      set("trailWidths", lists: width.keys.map { [$0.time, $0.value] })
    }
    guard let color = trail.color else { return }
    var keys = color.keys.map { [$0.time] + $0.color.channels }
    let isPlain =
      (1...Self.most).contains(keys.count) && color == Gradient(color.keys)
      && keys.allSatisfy { $0.allSatisfy { 0...1 ~= $0 } }
    if !isPlain {
      keys = KeyFrames.evenTimes(Self.most).map { time in
        [time] + color.color(at: time).channels.map(Interval.unit.clamp)
      }
      lose(
        .approximated, .trail, at: "\(place).color", "a gradient has at most eight colours",
        recipe: "eight colours at equal distances", level: .low)
    }
    set("trailColors", lists: keys)
  }
}
