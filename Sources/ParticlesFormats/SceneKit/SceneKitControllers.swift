internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

// Property controllers: curves over life or over another input.

/// The contents of a controller, without the controlled property.
private struct SceneKitController {
  var frames: KeyFrames
  var over = TrackInput.life
  /// The inputs that map to x = 0 and x = 1. Nil for 0 and 1.
  var domain: Interval?

  /// Reads a controller. Nil, after a report, if it cannot be used.
  init?(_ controller: ArchivedObject) throws(Failure) {
    guard let frames = try Self.animation(of: controller) else { return nil }
    self.frames = frames
    guard readInput(of: controller) else { return nil }
    if !frames.isSorted {
      controller.note(.approximated, "unsorted keys are sorted by time")
    }
    let scale = controller.double("inputScale")?.tidy ?? 1
    let bias = controller.double("inputBias")?.tidy ?? 0
    guard scale.magnitude > 1e-6, scale.magnitude < 1e6, bias.magnitude < 1e6 else {
      controller.reportUninterpreted("inputScale", "a controller with a constant input")
      return nil
    }
    if over == .life {
      (self.frames.scale, self.frames.bias) = (scale, bias)
    } else if scale > 0 {
      domain = Interval((0 - bias) / scale, (1 - bias) / scale)
    } else {
      controller.reportUninterpreted("inputScale", "a controller with a reversed input")
      return nil
    }
    controller.reportUnasked()
  }

  private static func animation(of controller: ArchivedObject) throws(Failure) -> KeyFrames? {
    switch controller.value("animation") {
    case nil:
      controller.note(.uninterpreted, "a controller without animation", severity: .note)
      return nil
    case .scalar(.data)?:
      return try controller.archive("animation").flatMap(KeyFrames.init(coreAnimation:))
    case .dictionary?:
      return try controller.dictionary("animation").flatMap(KeyFrames.init(c3d:))
    default:
      return try controller.object("animation").flatMap(KeyFrames.init(coreAnimation:))
    }
  }

  /// Reads the input of the controller. Returns false, after a report, if the document does not
  /// support it.
  private mutating func readInput(of controller: ArchivedObject) -> Bool {
    _ = controller.index(of: "inputOrigin")
    switch (controller.int("inputMode") ?? 0, controller.string("inputProperty")) {
    case (0, _), (2, "Life"?): break
    case (1, _):
      over = .distance
      controller.note(.assumed, "inputOrigin", "distances are measured from the emitter")
    case (2, "Velocity"?): over = .speed
    case (let mode, let property):
      controller.reportUninterpreted(
        "inputMode", "a controller with an unsupported input", found: property?.excerpt ?? "\(mode)"
      )
      return false
    }
    return true
  }
}

extension KeyedEmitter<SceneKitFamily> {
  func decodeControllers(of emitter: inout Emitter) throws(Failure) {
    guard let controllers = try object.dictionary("propertyControllers") else { return }
    // In alphabetical order, so that results are deterministic.
    for name in controllers.keys {
      guard let object = try controllers.object(name),
        let controller = try SceneKitController(object),
        !apply(controller, named: name, to: &emitter)
      else { continue }
      controllers.reportUninterpreted(
        name, "a controller of a property that does not support curves")
    }
  }

  /// Sets the curve of a property. Returns false if it does not support one.
  private func apply(
    _ controller: SceneKitController, named name: String, to emitter: inout Emitter
  ) -> Bool {
    if name == "Color" {
      guard let gradient = controller.frames.gradient, controller.over == .life else {
        return false
      }
      // The start colour is documented as initial. Controllers are documented to work as in Core
      // Animation, where their values replace the property.
      if emitter.color.base.from.mean != .white {
        note(
          .assumed, "particleColor",
          "the controller of colours is assumed to replace the start colour")
      }
      if case .varied(let varied) = emitter.color.base.from, varied.jitter != nil {
        note(
          .assumed, "particleColorVariation",
          "the controller of colours is assumed to replace random colours")
      }
      emitter.color.base = ColorTrack(gradient: gradient)
      return true
    }
    guard let curve = controller.frames.curve() else { return false }
    var track = Track(from: 0, to: 1, curve: curve)
    (track.over, track.domain) = (controller.over, controller.domain)
    switch name {
    case "Size":
      // The curve is multiplied by the start size.
      track.to = emitter.size.width.from
      emitter.size.width = track
    case "Opacity": emitter.color.opacity = track
    case "Angle", "AngularVelocity":
      // Apple documents both in radians, and the start values in degrees.
      track.curve = curve.multiplied(by: 180 / .pi).tidied
      if name == "Angle" {
        emitter.rotation.angle = track
      } else {
        emitter.rotation.velocity = track
      }
    default: return false
    }
    if name.hasPrefix("Ang") {
      note(
        .assumed, "propertyControllers.\(name)",
        "the curve is in radians, as documented, and is assumed to replace the start value")
    }
    return true
  }
}

extension EmitterWriter<SceneKitFamily> {
  /// Writes a controller for a curve of numbers.
  /// - Parameters:
  ///   - isFactor: whether the curve of the track is a factor.
  ///   - factor: a conversion of units.
  ///   - range: the bounds of the values, to which the curve is clamped.
  mutating func encodeController(
    _ name: String, _ track: Track, _ capability: Capability, at place: String,
    isFactor: Bool = false, times factor: Double = 1, within range: Interval? = nil
  ) {
    var curve = track.curve
    if !isFactor {
      let isExact: Bool
      (curve, isExact) = track.curve(lifetime: lifetime)
      if !isExact, track.over == .life {
        lose(
          .approximated, capability, at: place, "all particles have equal curves",
          recipe: "the mean, sampled over life")
      } else if track != Track(from: 0, to: 1, curve: curve).over(track) {
        lose(.restated, capability, at: place, "a curve contains the values themselves")
      }
    }
    if let range {
      let inside = curve.clamped(to: range)
      if inside != curve {
        curve = inside
        lose(.restated, capability, at: place, "sizes below 0 are written as 0")
      }
    }
    // An animation has one interpolation for all keys, and no stated slopes.
    if !curve.hasOneInterpolation, let first = curve.keys.first?.time,
      let last = curve.keys.last?.time
    {
      let (from, to) = curve.extend == .clamp ? (first, last) : (min(first, 0), max(last, 1))
      let way = curve
      curve = Curve(
        through: (0...32).map { index in
          let time = from + (to - from) * Double(index) / 32
          return (time: time, value: way.value(at: time))
        })
      lose(
        .approximated, capability, at: place, "only one interpolation per curve is supported",
        recipe: "linear between sampled points")
    }
    addController(
      name, curve.keys.map { $0.time },
      curve.keys.map { .shared(.real($0.value * factor, width: 8)) },
      curve.keys.first?.interpolation ?? curve.interpolation, over: track, capability, at: place)
  }

  mutating func addController(
    _ name: String, _ times: [Double], _ values: [Archivable], _ interpolation: Interpolation,
    over track: Track, _ capability: Capability, at place: String
  ) {
    var (mode, property) = (0, nil as String?)
    var (scale, bias) = (1.0, 0.0)
    switch track.over {
    case .life: break
    case .distance: mode = 1
    case .speed: (mode, property) = (2, "Velocity")
    case .age, .emitter:
      lose(
        .approximated, capability, at: "\(place).over", also: ["\(place).domain"],
        "controllers support relative age, distance and speed only", recipe: "over life")
    }
    if mode != 0, let domain = track.domain, domain.upper > domain.lower {
      scale = 1 / (domain.upper - domain.lower)
      bias = -domain.lower * scale
    }
    var members: [ArchivableObject.Member] = [
      .init("inputScale", .double(scale)), .init("inputMode", .integer(mode)),
      .init("inputBias", .double(bias)),
    ]
    if let property { members.append(.init("inputProperty", .string(property))) }
    members.append(.init("animation", .coreAnimation(times, values, interpolation)))
    entries.append((name, .object(["SCNParticlePropertyController", "NSObject"], members)))
  }
}

extension Curve {
  /// The curve with values of twelve significant digits, so that degrees come back as they were.
  fileprivate var tidied: Curve {
    var curve = self
    for index in curve.keys.indices { curve.keys[index].value = curve.keys[index].value.rounded }
    return curve
  }
}

// The older syntax of key frames: a nested archive of a `CAKeyframeAnimation`. It is also written,
// because all versions read it.

extension KeyFrames {
  /// Reads an animation. Nil, after a report, if it cannot be used.
  init?(coreAnimation object: ArchivedObject) throws(Failure) {
    guard object.isA("CAKeyframeAnimation") else {
      object.mismatch(
        "$class", expected: "a CAKeyframeAnimation",
        found: object.className?.excerpt ?? "a dictionary")
      return nil
    }
    guard let values = try object.keyFrameValues("values") else { return nil }
    let count = values.count
    self.init(times: try object.numbers("keyTimes") ?? [], values: values)
    if times.isEmpty { times = Self.evenTimes(count) }
    // Steps may include the end time of the last step, the end of life.
    if object.string("calculationMode") == "discrete", times.count == count + 1 {
      times.removeLast()
    }
    guard times.count == count else {
      object.mismatch("keyTimes", expected: "\(count) times", found: "\(times.count)")
      return nil
    }
    let mode = object.string("calculationMode") ?? "linear"
    switch mode {
    case "linear": break
    case "discrete": interpolation = .step
    case "cubic": interpolation = .cubic
    case "paced", "cubicPaced":
      interpolation = mode == "paced" ? .linear : .cubic
      object.note(.approximated, "calculationMode", "paced keys keep their stated times")
    default:
      object.mismatch("calculationMode", expected: "a known mode", found: "'\(mode.excerpt)'")
    }
    if interpolation == .cubic, case .numbers = values {
      bend(
        tension: try object.numbers("tensionValues") ?? [],
        continuity: try object.numbers("continuityValues") ?? [],
        bias: try object.numbers("biasValues") ?? [])
    }
    // These keys have no effect on particles.
    for key in ["duration", "__CACodingContents", "keyPath", "repeatCount"] {
      _ = object.index(of: key)
    }
    object.reportUnasked()
  }
}

extension Archivable {
  static func coreAnimation(
    _ times: [Double], _ values: [Archivable], _ interpolation: Interpolation
  ) -> Archivable {
    let mode =
      switch interpolation {
      case .linear: "linear"
      case .step: "discrete"
      case .cubic: "cubic"
      }
    func proxy(_ elements: [Archivable]) -> Archivable {
      .object(
        ["LKNSArrayCodingProxy", "CACodingProxy", "NSObject"], [.init("array", .array(elements))])
    }
    let names = ["calculationMode", "duration", "keyTimes", "values"]
    let root = Archivable.object(
      ["CAKeyframeAnimation", "CAPropertyAnimation", "CAAnimation", "NSObject"],
      [
        .init("keyTimes", proxy(times.map { .shared(.real($0, width: 8)) })),
        .init("calculationMode", .string(mode)), .init("duration", .shared(.real(1, width: 8))),
        .init("__CACodingContents", .array(names.map { .string($0) }, mutable: false)),
        .init("values", proxy(values)),
      ])
    return .data(KeyedArchiver.encode(root))
  }
}
