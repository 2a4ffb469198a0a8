internal import ParticlesCore
internal import ParticlesModel

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
      ["stretch"], "size.stretch", "in proportion to the speed; the unit is assumed to be seconds",
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
        .lost, .flipbook, at: "flipbook.start", "all particles start with the same frame",
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
        "\(format.engine) does not document the unit; it is assumed to be seconds")
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
        "a trail covers a part of the lifetime, at most all of it",
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
