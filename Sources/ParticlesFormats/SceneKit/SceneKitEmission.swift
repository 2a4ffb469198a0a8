internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

// Emission. SceneKit states the number of particles per period. In a period of length 0 all are
// emitted at once.

extension KeyedEmitter<SceneKitFamily> {
  func decodePeriod(of emitter: inout Emitter) {
    emitter.timing.duration = value("emissionDuration", 1, scope: .cycle)
    emitter.timing.idle = value("idleDuration", scope: .cycle)
    emitter.timing.loop = flag("loops", true)
    let duration = number("emissionDuration", 1, atLeast: 0)
    if case .uniform? = emitter.timing.duration {
      note(
        .approximated, "emissionDurationVariation",
        duration > 0
          ? "periods of different length have equal rates instead of equal numbers of particles"
          : "bursts have no duration")
    }
    guard duration == 0 else {
      emitter.emission.rate = Value(
        center: (number("birthRate", 1) / duration).rounded,
        halfWidth: number("birthRateVariation") / duration / 2, scope: .cycle)
      return
    }
    emitter.emission.bursts = [Burst(count: value("birthRate", 1, scope: .cycle))]
    emitter.timing.duration = 0
    if emitter.timing.loop, emitter.timing.idle == 0 {
      emitter.timing.idle = .constant(1 / 60)
      note(
        .assumed, "emissionDuration", "bursts without pause are assumed to repeat 60 times a second"
      )
    }
  }

  func decodeWarmup(of emitter: inout Emitter) {
    let warmup = number("warmupDuration")
    emitter.timing.prewarm = max(warmup, 0)
    guard warmup < 0 else { return }
    emitter.timing.delay = .constant(-warmup)
    note(.assumed, "warmupDuration", "a negative warm-up is read as a delay", found: "\(warmup)")
  }
}

extension EmitterWriter<SceneKitFamily> {
  private struct Period {
    var duration: Value
    var idle: Value
    var loops: Bool
    /// The particles of a period: a value times this factor.
    var count: Value
    var factor = 1.0
  }

  mutating func encodePeriod() {
    let emission = emitter.emission
    var period = (emission.rate == 0 ? burst() : nil) ?? continuous()
    limitTotal(&period)
    concentrate(&period)
    set("emissionDuration", period.duration, .duration, at: "timing.duration", scope: .cycle)
    set("idleDuration", period.idle, .idle, at: "timing.idle", scope: .cycle)
    set("loops", flag: period.loops)
    let isBurst = emission.rate == 0 && !emission.bursts.isEmpty
    set(
      "birthRate", emitter.enabled ? period.count : 0, isBurst ? .burst : .randomRate,
      at: isBurst ? "emission.bursts" : "emission.rate", scope: .cycle,
      times: period.factor * emission.probability)
    if case .uniform = period.duration {
      lose(
        .approximated, .duration, at: "timing.duration",
        "periods of different length have equal numbers of particles instead of equal rates")
    }
    if !emitter.enabled {
      lose(.restated, .rate, at: "enabled", also: ["emission"], "no particles are emitted")
    }
    if emission.probability != 1 {
      lose(
        .approximated, .probability, at: "emission.probability",
        also: ["emission.rate", "emission.bursts"], "spawn probability is not supported",
        recipe: "rate × probability")
    }
  }

  /// The period for bursts. Nil if there are none.
  private mutating func burst() -> Period? {
    let bursts = emitter.emission.bursts
    guard let burst = emitter.emission.largestBurst else { return nil }
    let timing = emitter.timing
    var period = Period(duration: 0, idle: timing.idle, loops: timing.loop, count: burst.count)
    period.factor = burst.probability
    if bursts != [Burst(count: burst.count)] {
      lose(
        .approximated, .burstList, at: "emission.bursts",
        "only one burst at the start of each period is supported",
        recipe: "the largest burst, at the start")
    }
    if burst.cycles != 1 {
      (period.loops, period.idle) = (true, .constant(burst.interval))
    } else if timing.loop, let duration = timing.duration, duration != 0 {
      let (length, pause) = (duration.spread, timing.idle.spread)
      period.idle = Value(
        center: length.center + pause.center, halfWidth: length.half + pause.half, scope: .cycle)
    }
    if timing.duration != 0 || period.idle != timing.idle || period.loops != timing.loop {
      lose(
        .restated, .duration, at: "timing.duration", also: ["timing.idle", "timing.loop"],
        "a burst is written as a period of length 0")
    }
    return period
  }

  private mutating func continuous() -> Period {
    let (timing, emission) = (emitter.timing, emitter.emission)
    if !emission.bursts.isEmpty {
      lose(
        .lost, .burst, at: "emission.bursts",
        "SceneKit supports either a rate or bursts")
    }
    guard let duration = timing.duration else {
      lose(
        .restated, .duration, at: "timing.duration", also: ["timing.loop", "timing.idle"],
        "endless emission is written as a period of one second that repeats", target: .init("loops")
      )
      return Period(duration: 1, idle: 0, loops: true, count: emission.rate)
    }
    if duration.mean <= 0 {
      lose(
        .dead, .rate, at: "emission", also: ["timing"],
        "a rate emits nothing in a period of length 0")
      return Period(duration: 0, idle: timing.idle, loops: timing.loop, count: 0)
    }
    return Period(
      duration: duration, idle: timing.idle, loops: timing.loop, count: emission.rate,
      factor: duration.mean)
  }

  /// Converts a total number of particles to a duration.
  private mutating func limitTotal(_ period: inout Period) {
    guard let total = emitter.emission.total else { return }
    let rate = emitter.emission.rate.mean
    guard emitter.timing.duration == nil, rate > 0 else {
      return lose(.lost, .total, at: "emission.total", "a particle total is not supported")
    }
    let seconds = Double(total) / rate
    period = Period(
      duration: .constant(seconds), idle: 0, loops: false, count: emitter.emission.rate,
      factor: seconds)
    lose(
      .approximated, .total, at: "emission.total", also: ["timing"],
      "the emitter stops after the time that the total takes", recipe: "total / rate",
      target: .init("emissionDuration", .finite(seconds)), level: .low)
  }

  /// Converts emission at the start of a period to a shorter period with a longer pause.
  private mutating func concentrate(_ period: inout Period) {
    let share = emitter.emission.explosiveness
    guard share > 0 else { return }
    guard case .constant(let seconds) = period.duration, seconds > 0 else {
      return lose(.lost, .explosiveness, at: "emission.explosiveness", "emission is always even")
    }
    period.duration = .constant((seconds * (1 - share)).rounded)
    let pause = period.idle.spread
    period.idle = Value(
      center: pause.center + seconds * share, halfWidth: pause.half, scope: .cycle)
    lose(
      .approximated, .explosiveness, at: "emission", also: ["timing"],
      "written as a shorter period with a longer pause")
  }

  /// Writes a delay as a negative warm-up.
  mutating func encodeWarmup() {
    let timing = emitter.timing
    guard timing.delay != 0, timing.prewarm == 0 else {
      if timing.delay != 0 {
        lose(
          .lost, .delay, at: "timing.delay", "a delay cannot be combined with prewarming")
      }
      return set("warmupDuration", timing.prewarm)
    }
    let delay = timing.delay.mean
    let isNumber = timing.delay.isNumber
    lose(
      isNumber ? .assumed : .approximated, .delay, at: "timing.delay",
      "a negative warm-up is read as a delay", recipe: isNumber ? nil : "the mean",
      target: isNumber ? .init("warmupDuration", .finite(-delay)) : nil)
    set("warmupDuration", -delay)
  }
}

// Shapes: SceneKit geometries. Keys begin with the name of the class, except for a plane.

/// A class of geometries, with the lengths that correspond to the lengths of a shape.
private struct SceneKitGeometry {
  typealias Length = (
    key: String, access: (inout Shape, (inout Double) -> Void) -> Void, standard: Double
  )

  let name: String
  let kind: ShapeKind
  let lengths: [Length]
  let rest: KeyValuePairs<String, Archivable>

  init(
    _ name: String, _ kind: ShapeKind, _ lengths: [Length],
    rest: KeyValuePairs<String, Archivable> = [:]
  ) {
    (self.name, self.kind, self.lengths, self.rest) = (name, kind, lengths, rest)
  }

  static var all: [SceneKitGeometry] {
    [
      .init(
        "Plane", .rect, [("width", { $1(&$0.size.x) }, 1), ("height", { $1(&$0.size.y) }, 1)],
        rest: [
          "cornerRadius": .double(0), "widthSegmentCount": .integer(0),
          "heightSegmentCount": .integer(1), "cornerSegmentCount": .integer(10),
        ]),
      .init(
        "Box", .box,
        [
          ("width", { $1(&$0.size.x) }, 1), ("height", { $1(&$0.size.y) }, 1),
          ("length", { $1(&$0.size.z) }, 1),
        ],
        rest: [
          "chamferRadius": .double(0), "widthSegmentCount": .integer(1),
          "heightSegmentCount": .integer(1), "lengthSegmentCount": .integer(1),
          "chamferSegmentCount": .integer(10),
        ]), sphere(.sphere), sphere(.hemisphere),
      .init(
        "Cylinder", .cylinder,
        [("radius", { $1(&$0.radius) }, 0.5), ("height", { $1(&$0.height) }, 1)]),
      .init(
        "Capsule", .capsule,
        [("capRadius", { $1(&$0.radius) }, 0.5), ("height", { $1(&$0.height) }, 2)]),
      .init(
        "Tube", .tube,
        [("outerRadius", { $1(&$0.radius) }, 0.5), ("height", { $1(&$0.height) }, 1)]),
      .init(
        "Torus", .torus,
        [("ringRadius", { $1(&$0.radius) }, 0.5), ("pipeRadius", { $1(&$0.pipe) }, 0.25)]),
      .init(
        "Cone", .cone,
        [("bottomRadius", { $1(&$0.radius) }, 0.5), ("height", { $1(&$0.height) }, 1)]),
    ]
  }

  private static func sphere(_ kind: ShapeKind) -> SceneKitGeometry {
    .init(
      "Sphere", kind, [("radius", { $1(&$0.radius) }, 0.5)],
      rest: [
        "segmentCount": .integer(24), "geodesic": .bool(false),
        "hemispheric": .bool(kind == .hemisphere), "radialSpan": .double(0),
      ])
  }
}

extension KeyedEmitter<SceneKitFamily> {
  func decodeShape(of emitter: inout Emitter) throws(Failure) {
    let placement = choice("birthLocation", SceneKitFamily.places, .surface)
    guard let geometry = try object.object("emitterShape") else { return }
    guard var shape = geometry.shape() else {
      return note(
        .uninterpreted, "emitterShape",
        "the shape is not supported. Particles are emitted at the origin",
        found: geometry.className.map { $0.excerpt })
    }
    // The surface of a flat shape is the whole shape. The document calls it the volume.
    shape.placement = shape.kind == .rect && placement == .surface ? .volume : placement
    emitter.shape = shape
  }
}

extension ArchivedObject {
  private var geometryName: String {
    let name = className ?? ""
    return (name.hasPrefix("SCN") ? String(name.dropFirst(3)) : name).lowercased()
  }

  fileprivate func shape() -> Shape? {
    let name = geometryName
    let isPyramid = name == "pyramid"
    guard
      let form = SceneKitGeometry.all.first(where: {
        $0.name.lowercased() == (isPyramid ? "cone" : name)
      })
    else { return nil }
    var shape = Shape(form.kind)
    if isPyramid {
      shape.radius = (length("width", 1) * length("length", 1) / .pi).squareRoot().rounded
      shape.height = length("height", 1)
      note(.approximated, "a pyramid becomes a cone of equal volume")
    } else {
      for (key, access, standard) in form.lengths {
        access(&shape) { $0 = length(key, standard) }
      }
    }
    switch form.kind {
    case .rect: noteRound("cornerRadius", "rounded corners become sharp")
    case .box: noteRound("chamferRadius", "rounded edges become sharp")
    case .sphere: if bool(spelling("hemispheric")) ?? false { shape.kind = .hemisphere }
    case .tube:
      let inner = length("innerRadius", 0.25)
      shape.inner = shape.radius > 0 ? min(inner / shape.radius, 1).rounded : 0
    case .cone:
      // A SceneKit cone is truncated and centred at the origin. A cone of the document starts at the origin.
      let top = isPyramid ? 0 : length("topRadius", 0)
      if shape.height > 0 {
        shape.angle = Angle.direction(shape.height, top - shape.radius) ?? 0
      }
      if !isPyramid {
        shape.transform = Transform(translation: Vector(0, -shape.height / 2, 0))
      }
    default: break
    }
    reportRestOfGeometry()
    return shape
  }

  /// The key of a property, with or without the name of the class, case-insensitive.
  private func spelling(_ name: String) -> String {
    let wanted = [geometryName + name.lowercased(), name.lowercased()]
    return keys.prefix(1000).first { wanted.contains($0.lowercased()) } ?? name
  }

  private func length(_ name: String, _ standard: Double) -> Double {
    let key = spelling(name)
    guard let number = double(key) else { return standard }
    guard 0..<1e15 ~= number else {
      mismatch(key, expected: "a length", found: "\(number)")
      return standard
    }
    return number.tidy
  }

  private func noteRound(_ name: String, _ detail: String) {
    let key = spelling(name)
    guard let number = double(key), number != 0 else { return }
    note(.approximated, key, detail, found: "\(number)")
  }

  /// Reports unknown keys, except for keys of tessellation and appearance, because these do not affect emission.
  private func reportRestOfGeometry() {
    let harmless = [
      "materials", "name", "subdivision", "tessellator", "adaptive", "segment", "primitivetype",
      "geodesic", "radialspan",
    ]
    for key in unaskedKeys.prefix(1000) where index(of: key) != nil {
      // Bytes, since searching characters takes much longer.
      guard !harmless.contains(where: Array(key.lowercased().utf8).contains) else { continue }
      reportUninterpreted(key, found: value(key)?.summary)
    }
  }
}

extension EmitterWriter<SceneKitFamily> {
  mutating func encodeShape() {
    let shape = emitter.shape
    guard let geometry = geometry(of: shape) else {
      if shape.kind == .point, shape != Shape() {
        let isMoved = shape.transform != Transform()
        lose(
          isMoved ? .lost : .dead, isMoved ? .shape3D : .shapeRectangle, at: "shape",
          isMoved ? "the point is the origin of the emitter" : "a point has no extent")
      }
      return set("birthLocation", integer: 0)
    }
    set("emitterShape", geometry)
    set("birthLocation", shape.placement, of: SceneKitFamily.places)
    if shape.placement == .edge {
      lose(
        .approximated, .shapeRing, at: "shape.placement", "only surface and volume are supported")
    }
    drop("shape.distribution", "emission is always even", rule: .lost)
    dropSweep()
    if shape.kind != .polyline {
      drop("shape.arc")
    }
    let natural = shape.kind == .cone ? Vector(0, -shape.height / 2, 0) : .zero
    if shape.transform != Transform(translation: natural) {
      lose(
        .lost, .shape3D, at: "shape.transform",
        "shapes are always centred on the emitter and upright")
    }
  }

  /// The geometry. Nil, after a report, if there is no equivalent.
  private mutating func geometry(of shape: Shape) -> Archivable? {
    var form = shape
    var members: [ArchivableObject.Member] = []
    switch shape.kind {
    case .line: form = line(shape)
    case .ellipse: form = ellipse(shape)
    case .cone: members = [.init("topRadius", format.real(top(of: shape)))]
    case .tube: members = [.init("innerRadius", format.real(shape.radius * shape.inner))]
    case .polyline, .points: form = bounds(of: shape.corners)
    case .mesh:
      lose(
        .lost, .shapeMesh, at: "shape",
        "the shape is not supported. Particles are emitted at the origin")
    default: break
    }
    if [.sphere, .hemisphere, .cylinder, .capsule, .cone].contains(shape.kind) {
      drop("shape.inner")
    }
    guard let geometry = SceneKitGeometry.all.first(where: { $0.kind == form.kind }) else {
      return nil
    }
    for (key, access, _) in geometry.lengths {
      access(&form) { members.append(.init(key, format.real($0))) }
    }
    members += geometry.rest.map { .init($0.key, $0.value) }
    members.append(.init("primitiveType", .integer(0)))
    let prefix = form.kind == .rect ? "" : geometry.name.lowercased()
    return .object(
      ["SCN\(geometry.name)", "SCNGeometry", "NSObject"],
      members.map { .init(prefix + $0.key, $0.value) } + [
        .init("subdivisionLevel", .integer(0)), .init("materials", .array([])),
      ])
  }

  private mutating func line(_ shape: Shape) -> Shape {
    let angle = abs(shape.angle.truncatingRemainder(dividingBy: 180))
    let isAlongAxis = angle == 0 || angle == 90
    lose(
      .approximated, .shapeLine, at: "shape", "a line is written as a plane of height 0",
      recipe: isAlongAxis ? nil : "rotated to the nearest axis", level: isAlongAxis ? .low : .medium
    )
    return 45...135 ~= angle
      ? .rect(width: 0, height: shape.length) : .rect(width: shape.length, height: 0)
  }

  private mutating func ellipse(_ shape: Shape) -> Shape {
    lose(
      .approximated, shape.inner > 0 || shape.placement == .edge ? .shapeRing : .shapeDisc,
      at: "shape",
      "an ellipse becomes a rectangle", recipe: "of equal area", level: .medium)
    let side = Double.pi.squareRoot()
    return .rect(width: shape.radii.x * side, height: shape.radii.y * side)
  }

  private mutating func top(of cone: Shape) -> Double {
    let top = cone.radius + cone.height * Angle.tangent(cone.angle)
    let isCut = top >= 0 && cone.angle.magnitude < 90
    if !isCut || cone.height == 0 {
      lose(
        .approximated, .shape3D, at: "shape.angle", "only full cones are supported",
        recipe: "a cone with its tip at the top")
    }
    return top.isFinite && isCut ? top : 0
  }

  /// The bounding box of points, centred on the emitter.
  private mutating func bounds(of points: [Vector]) -> Shape {
    lose(
      .approximated, .shapePoints, at: "shape",
      "point shapes are not supported. Particles are emitted between the points",
      recipe: "their bounding box", level: .high)
    func most(_ axis: (Vector) -> Double) -> Double {
      2 * (points.map { axis($0).magnitude }.max() ?? 0)
    }
    return .box(Vector(most { $0.x }, most { $0.y }, most { $0.z }))
  }
}
