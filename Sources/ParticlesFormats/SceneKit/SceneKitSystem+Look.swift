internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

// What particles look like.

extension SceneKitSystem {
  func rotation() -> Rotation {
    var rotation = Rotation()
    // The name of the key until 2015.
    let isOld =
      object.index(of: "particleAngle") == nil
      && object.index(of: "particleInitialAngle") != nil
    rotation.angle = Track(value(isOld ? "particleInitialAngle" : "particleAngle", 0))
    rotation.velocity = Track(value("particleAngularVelocity", 0))
    if object.int("orientationMode") == 2 {
      rotation.axis = .random
      note(.assumed, "orientationMode", "particles that turn freely turn about any axis")
    }
    return rotation
  }

  func size() -> Size {
    var size = Size()
    size.width = Track(value("particleSize", 1))
    // The size is that of both edges, whatever the image.
    size.aspect = .ratio(1)
    let stretch = number("stretchFactor", 0)
    if stretch != 0 {
      size.stretch = Stretch()
      size.stretch?.factor = .constant(stretch)
    }
    return size
  }

  func tint() throws -> Tint {
    var tint = Tint()
    tint.intensity = Track(value("particleIntensity", 1))
    let color = try color("particleColor") ?? .white
    let jitter = colorVariation()
    tint.base = ColorTrack(jitter.map { .varied(.init(color, jitter: $0)) } ?? .constant(color))
    return tint
  }

  /// A colour, mostly in an archive of its own.
  private func color(_ key: String) throws -> Color? {
    let found: ArchivedObject?
    switch object.value(key) {
    case nil: return nil
    case .data?: found = try object.archive(key)
    default: found = try object.object(key)
    }
    guard let rgba = try found.flatMap(ArchivedColor.sRGB) else { return nil }
    return Color(rgba[0], rgba[1], rgba[2], rgba[3])
  }

  /// Full widths. Documented with a hue in turns; Xcode writes degrees.
  private func colorVariation() -> ColorJitter? {
    guard let widths = vector("particleColorVariation", count: 4)?.map(\.magnitude),
      widths.contains(where: { $0 != 0 })
    else { return nil }
    let hue = widths[0] > 1 ? widths[0] : widths[0] * 360
    return ColorJitter(
      hue: (hue / 2).rounded, saturation: (widths[1] / 2).rounded,
      brightness: (widths[2] / 2).rounded, alpha: (widths[3] / 2).rounded)
  }

  /// Columns and rows of the frames in the image.
  func grid() -> SpriteGrid? {
    let columns = Int(min(number("imageSequenceColumnCount", 1, atLeast: 1), 65536))
    let rows = Int(min(number("imageSequenceRowCount", 1, atLeast: 1), 65536))
    return columns == 1 && rows == 1 ? nil : SpriteGrid(columns: columns, rows: rows)
  }

  func flipbook() -> Flipbook? {
    var flipbook = Flipbook()
    flipbook.start = value("imageSequenceInitialFrame", 0)
    let fps = value("imageSequenceFrameRate", 0)
    flipbook.fps = .fixed(fps)
    flipbook.mode = choice("imageSequenceAnimationMode", [.loop, .once, .pingpong], .loop)
    guard flipbook != Flipbook() || grid() != nil else { return nil }
    flipbook.crossfade = fps != 0
    return flipbook
  }

  func render() -> Render {
    var render = Render()
    render.blend = Blend(
      choice("blendMode", [.add, .subtract, .multiply, .screen, .alpha, .replace], .add))
    render.sort = choice(
      "sortingMode", [.none, .depth, .distance, .oldestFirst, .youngestFirst], .none)
    render.billboard = choice("orientationMode", [.screen, .view, .free, .axisY], .screen)
    if let axis = vector("orientationDirection", count: 3), axis.contains(where: { $0 != 0 }) {
      render.billboardAxis = Vector(axis[0], axis[1], axis[2])
    }
    render.lit = object.bool("lightingEnabled") ?? false
    render.blackPass = object.bool("blackPassEnabled") ?? false
    render.writesDepth = object.bool("writesToDepthBuffer") ?? false
    if object.bool("softParticlesEnabled") ?? false {
      render.soft = Softness()
      note(.assumed, "softParticlesEnabled", "particles fade over a distance of 1")
    }
    return render
  }
}
