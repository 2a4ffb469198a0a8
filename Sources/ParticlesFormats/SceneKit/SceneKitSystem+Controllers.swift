internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

// Property controllers: curves over the life of a particle, or over something else.

extension SceneKitSystem {
  /// What a controller says, without the property that it controls.
  private struct Controller {
    var animation: ParticleAnimation
    var over = TrackInput.life
    /// The input for x = 0 and x = 1; nil for those themselves.
    var domain: Interval?
  }

  func applyControllers(to emitter: inout Emitter) throws {
    guard let controllers = try object.dictionary("propertyControllers") else { return }
    // In the order of the alphabet, which no property depends on.
    for name in controllers.keys {
      guard let controller = try controllers.object(name) else { continue }
      guard let found = try read(controller) else { continue }
      if apply(found, named: name, to: &emitter) { continue }
      controllers.reportUninterpreted(name, "a controller of a property that has no curve")
    }
  }

  // MARK: Reading

  private func read(_ controller: ArchivedObject) throws -> Controller? {
    guard var animation = try animation(of: controller), var found = input(of: controller) else {
      return nil
    }
    if !animation.isSorted {
      controller.reader.report(
        Diagnostic(
          .approximated, at: .key(controller.path), "keys out of order are sorted by time"))
    }
    let scale = controller.double("inputScale")?.tidy ?? 1
    let bias = controller.double("inputBias")?.tidy ?? 0
    guard scale.magnitude > 1e-6, scale.magnitude < 1e6, bias.magnitude < 1e6 else {
      controller.reportUninterpreted("inputScale", "a controller whose input does not change")
      return nil
    }
    if found.over == .life {
      animation.scale = scale
      animation.bias = bias
    } else if scale > 0 {
      found.domain = Interval((0 - bias) / scale, (1 - bias) / scale)
    } else {
      controller.reportUninterpreted("inputScale", "a controller whose input runs backwards")
      return nil
    }
    found.animation = animation
    controller.reportUnasked()
    return found
  }

  private func animation(of controller: ArchivedObject) throws -> ParticleAnimation? {
    switch controller.value("animation") {
    case nil:
      controller.reader.report(
        Diagnostic(
          .uninterpreted, at: .key(controller.path), "a controller without animation",
          severity: .note))
      return nil
    case .data?:
      return try controller.archive("animation").flatMap(ParticleAnimation.init(coreAnimation:))
    case .dictionary?:
      return try controller.dictionary("animation").flatMap(ParticleAnimation.init(c3d:))
    default:
      return try controller.object("animation").flatMap(ParticleAnimation.init(coreAnimation:))
    }
  }

  /// What the controller looks at; nil, after a report, if the model has no such thing.
  private func input(of controller: ArchivedObject) -> Controller? {
    var found = Controller(animation: ParticleAnimation(times: [], values: .numbers([])))
    _ = controller.index(of: "inputOrigin")
    switch (controller.int("inputMode") ?? 0, controller.string("inputProperty")) {
    case (0, _), (2, "Life"?): break
    case (1, _):
      found.over = .distance
      controller.reader.report(
        Diagnostic(
          .assumed, at: .key(controller.path(of: "inputOrigin")),
          "distances are taken from the emitter"))
    case (2, "Velocity"?): found.over = .speed
    case (let mode, let property):
      controller.reportUninterpreted(
        "inputMode", "a controller over something else", found: property?.excerpt ?? "\(mode)")
      return nil
    }
    return found
  }

  // MARK: Applying

  /// Gives a property its curve; false if there is nowhere to put it.
  private func apply(
    _ controller: Controller, named name: String, to emitter: inout Emitter
  ) -> Bool {
    if name == "Color" { return applyColor(controller, to: &emitter) }
    guard let curve = controller.animation.curve() else { return false }
    var track = Track(from: 0, to: 1, curve: curve)
    track.over = controller.over
    track.domain = controller.domain
    switch name {
    case "Size":
      // The size at birth is what the curve is multiplied by.
      track.to = emitter.size.width.from
      emitter.size.width = track
    case "Opacity": emitter.color.opacity = track
    case "Angle":
      assumeReplaced(name)
      emitter.rotation.angle = track
    case "AngularVelocity":
      assumeReplaced(name)
      emitter.rotation.velocity = track
    default: return false
    }
    return true
  }

  private func applyColor(_ controller: Controller, to emitter: inout Emitter) -> Bool {
    guard let gradient = controller.animation.gradient(), controller.over == .life else {
      return false
    }
    if emitter.color.base != ColorTrack() {
      object.reader.report(
        Diagnostic(
          .uninterpreted, at: .key(object.path(of: "particleColor")),
          "the colour at birth is not seen, as a controller replaces it", severity: .note))
    }
    emitter.color.base = ColorTrack(gradient: gradient)
    return true
  }

  private func assumeReplaced(_ name: String) {
    note(
      .assumed, "propertyControllers.\(name)",
      "the curve is taken to be in degrees and to replace the value at birth")
  }
}
