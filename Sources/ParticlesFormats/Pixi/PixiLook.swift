internal import ParticlesCore
internal import ParticlesModel

// Rotation, shape, size, colour and images.

extension TreeReader<PixiFamily> {
  var scale: Track {
    if has("behaviors[scaleStatic].config") {
      return Track(
        range("behaviors[scaleStatic].config.min", "behaviors[scaleStatic].config.max", 1))
    }
    let place = keys.isFlat ? "scale" : "behaviors[scale].config"
    let least =
      keys.isFlat
      ? number("scale.minimumScaleMultiplier") ?? number("minimumScaleMultiplier", 1)
      : number("\(place).minMult", 1)
    let factor: Value = least == 1 ? 1 : .between(least, 1)
    return track(keys.isFlat ? place : "\(place).scale", times: factor) ?? 1
  }

  func decodeSelection(of emitter: inout Emitter) {
    if has("behaviors[textureRandom]") || has("behaviors[animatedRandom]") {
      emitter.spriteSelection = .random
    } else if has("behaviors[textureOrdered]") {
      emitter.spriteSelection = .sequence
    } else if has("behaviors[animatedSingle]") {
      emitter.spriteSelection = .life
      if let rate = number("behaviors[animatedSingle].config.anim.framerate"), rate > 0 {
        note(
          .approximated, "behaviors[animatedSingle].config.anim.framerate",
          "images of their own are shown over the life", found: shortText(rate))
      }
    }
    if has("behaviors[animatedRandom]") {
      note(
        .approximated, "behaviors[animatedRandom].config.anims",
        "each particle shows the first image of one of the animations")
    }
  }

  /// The images of a list: names, or names with a count.
  private func names(_ list: JSONValue?) -> [String] {
    (list?.array ?? []).prefix(256).flatMap { element -> [String] in
      if let name = element.string { return [name] }
      guard let name = element["texture"]?.string else { return [] }
      return Array(repeating: name, count: min(max(element["count"]?.int ?? 1, 1), 256))
    }
  }

  var textures: [(path: String, name: String)] {
    func path(_ behavior: String) -> String { "behaviors[\(behavior)].config" }
    if let name = text("\(path("textureSingle")).texture") {
      return [("\(path("textureSingle")).texture", name)]
    }
    for behavior in ["textureRandom", "textureOrdered"] {
      let list = "\(path(behavior)).textures"
      if has(list) { return names(self[list]).map { (list, $0) } }
    }
    let single = "\(path("animatedSingle")).anim.textures"
    if has(single) { return names(self[single]).map { (single, $0) } }
    let anims = "\(path("animatedRandom")).anims"
    return (array(anims) ?? []).prefix(256).compactMap { anim in
      names(anim["textures"]).first.map { (anims, $0) }
    }
  }
}

extension PixiFamily {
  func sprites(of reader: TreeReader<PixiFamily>) throws -> [TreeSprite] {
    guard !isFlat else { return [] }
    return reader.textures.prefix(256).map { TreeSprite(path: $0.path, references: [$0.name]) }
  }
}

extension EmitterWriter<PixiFamily> {
  mutating func encodeRotation() {
    let rotation = emitter.rotation
    let isNormal = hasNormal
    let angles: (least: Double, most: Double) = isNormal ? (0, 0) : launchAngles()
    let spin = bounds(of: rotation.velocity.from, .rotVel, at: "rotation.velocity")
    if !rotation.velocity.isPlainValue {
      lose(
        .approximated, .rotCurve, at: "rotation.velocity", "spin is constant",
        recipe: "the first value")
    }
    let gain = single(
      rotation.acceleration, .rotAcc, at: "rotation.acceleration",
      "the angular acceleration is the same for all particles")
    let isStill = rotation.align == .none && spin == (0, 0) && gain == 0
    if keys.isFlat || spin != (0, 0) || gain != 0 || hadSpin {
      set(keys.startLow, -angles.most)
      set(keys.startHigh, -angles.least)
      set(keys.spinLow, -spin.most)
      set(keys.spinHigh, -spin.least)
      set(keys.spinGain, -gain)
    } else {
      set("behaviors[rotationStatic].config.min", -angles.most)
      set("behaviors[rotationStatic].config.max", -angles.least)
    }
    if isStill {
      set(keys.noRotation, keys.isFlat ? .bool(true) : .object(JSONObject()))
    } else if keys.isFlat {
      set(keys.noRotation, flag: false)
    }
    explainRotation(isStill: isStill)
  }

  /// Whether the source file has a list, even if its values are equal.
  func hadList(_ behavior: String) -> Bool {
    surroundings.origin?["behaviors[\(behavior)]"] != nil
  }

  /// The source file has the behaviour with spin, even if that is 0.
  private var hadSpin: Bool { surroundings.origin?["behaviors[rotation]"] != nil }

  private mutating func explainRotation(isStill: Bool) {
    let rotation = emitter.rotation
    let isTurned = emitter.forces.contains { $0.kind == .gravity }
    switch rotation.align {
    case .birth where isTurned && keys.isFlat && rotation.velocity == 0:
      lose(.approximated, .align, at: "rotation.align", "particles follow their acceleration")
    case .velocity where !isTurned:
      lose(.restated, .align, at: "rotation.align", "without acceleration directions do not change")
    case .velocity where keys.isFlat && rotation.velocity != 0:
      lose(
        .approximated, .align, at: "rotation.align",
        "with spin, particles keep their first direction")
    case .none where !isStill:
      lose(
        .approximated, .rot, at: "rotation.align",
        "the rotation of the image begins with the launch direction")
    default: break
    }
    if rotation.angle != 0 || rotation.alignOffset != 0 {
      lose(
        .approximated, .rot, at: "rotation.angle", also: ["rotation.alignOffset"],
        "the rotation of the image begins with the launch direction", recipe: "dropped")
    }
  }

  /// Whether the shape states directions.
  private var hasNormal: Bool {
    emitter.launch.direction.mode == .normal && emitter.shape.kind == .ellipse
      && emitter.launch.spread == 0 && emitter.shape.radii.x == emitter.shape.radii.y
  }

  mutating func encodeShape() {
    let shape = emitter.shape
    let center = shape.transform.translation
    var isExact = shape.transform == Emitter.Transform(translation: Vector(center.x, center.y))
    switch shape.kind {
    case .rect where shape.placement == .volume && shape.distribution == .uniform:
      writeRect(shape.size.x, shape.size.y, center)
    case .point where center == .zero:
      keys.isFlat
        ? set("spawnType", .string("point"))
        : set("behaviors[spawnPoint].config", .object(JSONObject()))
    case .point: writeRect(0, 0, center)
    case .ellipse where isBurst: writeBurst()
    case .ellipse: isExact = writeCircle() && isExact
    case .polyline:
      writeChain(shape.points.map { shape.closed ? $0 + $0.prefix(1) : $0 })
      isExact = isExact && center == .zero && !shape.closed && shape.sweep == .random
    case .line:
      let end = Angle.turned(shape.length / 2, 0, by: shape.angle)
      writeChain([
        [
          Vector((center.x - end.x).rounded, (center.y - end.y).rounded),
          Vector((center.x + end.x).rounded, (center.y + end.y).rounded),
        ]
      ])
      lose(.restated, .shLine, at: "shape", "a line is written as a chain of two points")
    default:
      writeRect(2 * shape.halfSize.x, 2 * shape.halfSize.y, center)
      isExact = false
    }
    if !isExact, !hasLine(at: "shape") {
      lose(
        .approximated, shape.kind == .rect ? .shRect : .sh3D, at: "shape",
        "only rectangles, circles, rings and chains of lines are supported",
        recipe: "the nearest of them")
    }
  }

  private mutating func writeRect(_ width: Double, _ height: Double, _ center: Vector) {
    let place = keys.isFlat ? "spawnRect" : "behaviors[spawnShape].config.data"
    set(
      keys.isFlat ? "spawnType" : "behaviors[spawnShape].config.type", .string("rect"))
    set("\(place).x", center.x - width / 2)
    set("\(place).y", -center.y - height / 2)
    set("\(place).w", width)
    set("\(place).h", height)
    if emitter.shape.kind == .point, center != .zero {
      lose(.restated, .shRect, at: "shape", "a point is written as a rectangle without a size")
    }
  }

  /// - Returns: whether it is exact.
  private mutating func writeCircle() -> Bool {
    let shape = emitter.shape
    let center = shape.transform.translation
    let isEdge = shape.placement != .volume
    let inner = isEdge ? 1 : shape.inner
    let radius = max(shape.radii.x, shape.radii.y)
    let isRing = inner > 0 || hasNormal
    if keys.isFlat {
      set("spawnType", .string(isRing ? "ring" : "circle"))
      set("spawnCircle.x", center.x)
      set("spawnCircle.y", -center.y)
      set("spawnCircle.r", radius)
      if isRing { set("spawnCircle.minR", (inner * radius).rounded) }
      if isRing, !hasNormal {
        lose(.approximated, .dirNormal, at: "launch.direction", "directions depend on the place")
      }
    } else {
      let place = "behaviors[spawnShape].config"
      set("\(place).type", .string("torus"))
      set("\(place).data.x", center.x)
      set("\(place).data.y", -center.y)
      set("\(place).data.radius", radius)
      set("\(place).data.innerRadius", (inner * radius).rounded)
      set("\(place).data.affectRotation", flag: hasNormal)
    }
    if shape.radii.x != shape.radii.y || shape.arc != Interval(0, 360) || isEdge { return false }
    if shape.distribution != .radialLinear {
      lose(
        .approximated, .shDisc, at: "shape.distribution", "radii are sampled evenly",
        metric: Loss.Metric("particles near the centre", 2, "times as many"))
    }
    return shape.sweep == .random
  }

  /// Whether the shape is what a burst of the engine is.
  private var isBurst: Bool {
    let shape = emitter.shape
    return hasNormal && shape.placement == .edge && (shape.sweep == .spread || shape.radii.x == 0)
  }

  private mutating func writeBurst() {
    let shape = emitter.shape
    let count = max(emitter.emission.largestBurst?.count.mean ?? 1, 1)
    let isSpread = shape.sweep == .spread
    let spacing = isSpread ? ((shape.arc.upper - shape.arc.lower) / count).rounded : 0
    let start = isSpread ? (-shape.arc.upper + spacing / 2).rounded : 0
    if keys.isFlat {
      set("spawnType", .string("burst"))
      set("angleStart", start)
      set("particleSpacing", spacing)
      if shape.radii.x != 0 {
        lose(.lost, .shRing, at: "shape.radii", "bursts start at a point")
      }
    } else {
      set("behaviors[spawnBurst].config.start", start)
      set("behaviors[spawnBurst].config.spacing", spacing)
      set("behaviors[spawnBurst].config.distance", shape.radii.x)
    }
    if shape.transform.translation != .zero {
      lose(.lost, .shRing, at: "shape.transform", "bursts start at the emitter")
    }
  }

  private mutating func writeChain(_ lines: [[Vector]]) {
    let value = JSONValue.array(
      lines.map { line in
        .array(line.map { ["x": format.real($0.x), "y": format.real(-$0.y)] })
      })
    if keys.isFlat {
      set("spawnType", .string("polygonalChain"))
      set("spawnPolygon", lines.count == 1 ? value.array?[0] ?? value : value)
    } else {
      set("behaviors[spawnShape].config.type", .string("polygonalChain"))
      set("behaviors[spawnShape].config.data", lines.count == 1 ? value.array?[0] ?? value : value)
    }
    if emitter.shape.transform.translation != .zero, emitter.shape.kind == .polyline {
      lose(.lost, .shPoly, at: "shape.transform", "chains are relative to the emitter")
    }
  }

  mutating func encodeSize() {
    let factor = sizeFactor(wantsFactor: true)
    if let coupled = emitter.size.width.coupled(lifetime: lifetime) {
      emitter.size.width = coupled
      lose(
        .approximated, .sizeSE, at: "size.width", "particles share the size over life",
        recipe: "a random factor of the same deviation", level: .low)
    }
    let width = emitter.size.width
    if !keys.isFlat, width.isPlainValue, !hadList("scale") {
      let bounds = bounds(of: width.from, .size, at: "size.width")
      set("behaviors[scaleStatic].config.min", bounds.least * factor)
      set("behaviors[scaleStatic].config.max", bounds.most * factor)
    } else {
      encodeList(
        width, keys.isFlat ? "scale" : "behaviors[scale].config", "scale",
        "minimumScaleMultiplier", .sizeCurve, at: "size.width", times: factor)
    }
  }

  mutating func encodeColor() {
    let (colors, opacity) = colorsAndOpacity("alpha is written as a list")
    if !keys.isFlat, opacity.isPlainValue, !hadList("alpha") {
      set(
        "behaviors[alphaStatic].config.alpha",
        single(opacity.from, .alphaCv, at: "color.opacity", "opacity is the same for all"))
    } else {
      encodeList(
        opacity, keys.isFlat ? "alpha" : "behaviors[alpha].config", "alpha", "", .alphaCv,
        at: "color.opacity")
    }
    let isStepped =
      emitter.color.base.gradient?.interpolation == .step && colors.count > 1
    let texts = colors.map { JSONValue.string($0.color.hexadecimal) }
    if colors.contains(where: { point in
      Color(hexadecimal: point.color.hexadecimal).map {
        zip($0.channels.prefix(3), point.color.channels).contains { abs($0 - $1) > 1e-7 }
      } ?? true
    }), !hasLine(at: "color.base"), !hasLine(at: "color") {
      lose(.restated, .grad, at: "color.base", "colours have 8 bits a channel")
    }
    let place = keys.isFlat ? "color" : "behaviors[color].config.color"
    if colors.count == 1, !keys.isFlat, !hadList("color") {
      return set("behaviors[colorStatic].config.color", texts[0])
    }
    let usesPair = surroundings.origin?[place].map { $0["start"] != nil } ?? keys.isFlat
    let isPair =
      colors.count == 1 || colors.count == 2 && colors[0].time == 0 && colors[1].time == 1
    if isPair, usesPair, !isStepped {
      set("\(place).start", texts[0])
      set("\(place).end", texts[texts.count - 1])
    } else {
      set(
        "\(place).list",
        .array(zip(colors, texts).map { ["value": $1, "time": format.real($0.time)] }))
      if isStepped { set("\(place).isStepped", flag: true) }
    }
  }

  mutating func encodeSprites() {
    let names = surroundings.images.map(JSONValue.string)
    func path(_ behavior: String) -> String { "behaviors[\(behavior)].config" }
    guard let first = names.first else {
      drop(\.spriteSelection, .randSpr, at: "spriteSelection", "there are no images", .dead)
      return
    }
    switch emitter.spriteSelection {
    case .first where names.count == 1: set("\(path("textureSingle")).texture", first)
    case .first:
      set("\(path("textureSingle")).texture", first)
      lose(.dead, .randSpr, at: "sprites", "only the first image is shown")
    case .random where surroundings.origin?["behaviors[animatedRandom]"] != nil:
      set(
        "\(path("animatedRandom")).anims",
        .array(names.map { ["textures": .array([$0])] }))
    case .random: set("\(path("textureRandom")).textures", .array(names))
    case .sequence: set("\(path("textureOrdered")).textures", .array(names))
    case .life:
      set("\(path("animatedSingle")).anim.framerate", integer: -1)
      set("\(path("animatedSingle")).anim.loop", flag: false)
      set("\(path("animatedSingle")).anim.textures", .array(names))
    }
  }
}
