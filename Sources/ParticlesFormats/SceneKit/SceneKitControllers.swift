internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

// Property controllers: curves over the life of a particle, or over something else.

/// What a controller says, without the property that it controls.
private struct SceneKitController {
  var frames: KeyFrames
  var over = TrackInput.life
  /// The input for x = 0 and x = 1; nil for those themselves.
  var domain: Interval?

  /// Reads a controller; nil, after a report, if it cannot be used.
  init?(_ controller: ArchivedObject) throws {
    guard let frames = try Self.animation(of: controller) else { return nil }
    self.frames = frames
    guard readInput(of: controller) else { return nil }
    if !frames.isSorted {
      controller.note(.approximated, "keys out of order are sorted by time")
    }
    let scale = controller.double("inputScale")?.tidy ?? 1
    let bias = controller.double("inputBias")?.tidy ?? 0
    guard scale.magnitude > 1e-6, scale.magnitude < 1e6, bias.magnitude < 1e6 else {
      controller.reportUninterpreted("inputScale", "a controller whose input does not change")
      return nil
    }
    if over == .life {
      (self.frames.scale, self.frames.bias) = (scale, bias)
    } else if scale > 0 {
      domain = Interval((0 - bias) / scale, (1 - bias) / scale)
    } else {
      controller.reportUninterpreted("inputScale", "a controller whose input runs backwards")
      return nil
    }
    controller.reportUnasked()
  }

  private static func animation(of controller: ArchivedObject) throws -> KeyFrames? {
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

  /// What the controller looks at; false, after a report, if the document has no such thing.
  private mutating func readInput(of controller: ArchivedObject) -> Bool {
    _ = controller.index(of: "inputOrigin")
    switch (controller.int("inputMode") ?? 0, controller.string("inputProperty")) {
    case (0, _), (2, "Life"?): break
    case (1, _):
      over = .distance
      controller.note(.assumed, "inputOrigin", "distances are taken from the emitter")
    case (2, "Velocity"?): over = .speed
    case (let mode, let property):
      controller.reportUninterpreted(
        "inputMode", "a controller over something else", found: property?.excerpt ?? "\(mode)")
      return false
    }
    return true
  }
}

extension KeyedEmitter<SceneKitFamily> {
  func decodeControllers(of emitter: inout Emitter) throws {
    guard let controllers = try object.dictionary("propertyControllers") else { return }
    // In the order of the alphabet, which no property depends on.
    for name in controllers.keys {
      guard let object = try controllers.object(name),
        let controller = try SceneKitController(object),
        !apply(controller, named: name, to: &emitter)
      else { continue }
      controllers.reportUninterpreted(name, "a controller of a property that has no curve")
    }
  }

  /// Gives a property its curve; false if there is nowhere to put it.
  private func apply(
    _ controller: SceneKitController, named name: String, to emitter: inout Emitter
  ) -> Bool {
    if name == "Color" {
      guard let gradient = controller.frames.gradient, controller.over == .life else {
        return false
      }
      if emitter.color.base != ColorTrack() {
        note(
          .uninterpreted, "particleColor",
          "the colour at birth is not seen, as a controller replaces it", severity: .note)
      }
      emitter.color.base = ColorTrack(gradient: gradient)
      return true
    }
    guard let curve = controller.frames.curve() else { return false }
    var track = Track(from: 0, to: 1, curve: curve)
    (track.over, track.domain) = (controller.over, controller.domain)
    switch name {
    case "Size":
      // The size at birth is what the curve is multiplied by.
      track.to = emitter.size.width.from
      emitter.size.width = track
    case "Opacity": emitter.color.opacity = track
    case "Angle": emitter.rotation.angle = track
    case "AngularVelocity": emitter.rotation.velocity = track
    default: return false
    }
    if name.hasPrefix("Ang") {
      note(
        .assumed, "propertyControllers.\(name)",
        "the curve is taken to be in degrees and to replace the value at birth")
    }
    return true
  }
}

extension EmitterWriter<SceneKitFamily> {
  /// A controller that gives a number a curve.
  /// - Parameter isFactor: whether the curve of the track is what a number is multiplied by.
  mutating func encodeController(
    _ name: String, _ track: Track, _ capability: Capability, at place: String,
    isFactor: Bool = false
  ) {
    var curve = track.curve
    if !isFactor {
      let isExact: Bool
      (curve, isExact) = track.curve(lifetime: lifetime)
      if !isExact, track.over == .life {
        lose(
          .approximated, capability, at: place, "a curve has the same values for all particles",
          recipe: "the mean, at points on the way")
      } else if track != Track(from: 0, to: 1, curve: curve).over(track) {
        lose(.restated, capability, at: place, "a curve goes through the values themselves")
      }
    }
    // An animation has one kind of way between all keys, and no slopes of its own.
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
        .approximated, capability, at: place, "curves have one kind of way between keys",
        recipe: "straight lines through points on the way")
    }
    addController(
      name, curve.keys.map(\.time), curve.keys.map { .shared(.real($0.value, width: 8)) },
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
        "controllers look at life, distance or speed", recipe: "over life")
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
