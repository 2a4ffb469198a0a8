internal import ParticlesCore
internal import ParticlesModel

// Size and rendering of particles, and unsupported physics.

extension KeyedEmitter<SpriteKitFamily> {
  /// - Parameter hasSprite: whether the image was found, so that the size of the sprite is known.
  func size(hasSprite: Bool) throws -> Size {
    var size = Size()
    var base = try pair("_startSize").flatMap { $0.x > 0 && $0.y > 0 ? $0 : nil }
    if base == nil, !hasSprite {
      base = try textureSize()
      if base == nil {
        base = (32, 32)
        note(
          .assumed, "_startSize",
          "without image and size, particles are assumed to be 32 points wide")
      }
    }
    size.mode = base == nil ? .textureScale : .units
    size.width = try track(.scale, 1, times: base?.x ?? 1)
    if size.width.isStraight, number("_scaleSpeed") < 0,
      size.width.from.bounds.upper + size.width.rate.mean * number("_lifetime") < 0
    {
      note(.assumed, "_scaleSpeed", "a scale below 0 is assumed to show nothing", severity: .note)
    }
    if let base { size.aspect = .ratio((base.x / base.y).rounded) }
    return size
  }
}

extension EmitterWriter<SpriteKitFamily> {
  mutating func encodeSize() {
    let size = emitter.size
    let isScale = size.mode == .textureScale
    var base = 1.0
    if isScale && sprite?.hasKnownScale ?? false && size.aspect == .sprite && size.height == nil {
      set("_startSize", pair: 0, 0)
    } else {
      let points = spriteSize
      let width = isScale ? points?.width ?? 32 : reference(of: size.width)
      set("_startSize", pair: width, width / aspect(of: size))
      if isScale {
        lose(
          points == nil ? .assumed : .restated, .absoluteSize, at: "size",
          points == nil ? "an image of 32 points is assumed" : "the size of the image is stated",
          level: points == nil ? .medium : nil)
      } else {
        base = width
      }
    }
    let width = size.width
    set(
      .scale, width, .size, width.isStraight || width.to == nil ? .sizeCurve : .randomEndSize,
      at: "size.width", "the growth is the same for all particles", times: 1 / base)
  }

  /// Width and height of the sprite in points; nil if unknown.
  private var spriteSize: (width: Double, height: Double)? {
    guard let sprite, let frame, frame.width > 0, frame.height > 0 else { return nil }
    return (frame.width / sprite.scale, frame.height / sprite.scale)
  }

  private func reference(of track: Track) -> Double {
    let most =
      track.isStraight
      ? track.from.spread.center.magnitude
      : track.curve(lifetime: lifetime).curve.keys.map(\.value.magnitude).max() ?? 0
    return most > 1e-6 ? most : 1
  }

  private mutating func aspect(of size: Size) -> Double {
    var ratio: Double
    switch size.aspect {
    case .ratio(let stated): ratio = stated
    case .sprite:
      ratio = spriteSize.map { $0.width / $0.height } ?? 1
      lose(.restated, .widthAndHeight, at: "size.aspect", "the aspect ratio is that of the image")
    }
    if let height = size.height {
      let (width, tall) = (size.width.mean(lifetime: lifetime), height.mean(lifetime: lifetime))
      let stays = height == size.width.scaled(by: width == 0 ? 1 : tall / width)
      if width > 0, tall > 0 { ratio = width / tall }
      lose(
        stays && size.width.from.isNumber ? .restated : .approximated, .widthAndHeight,
        at: "size.height",
        also: ["size.aspect"], "the aspect ratio is constant",
        recipe: stays ? nil : "the ratio of the means")
    }
    return ratio > 0 ? ratio : 1
  }

  /// The oldest particle is on top by default.
  mutating func encodeSort() {
    let sort = emitter.render.sort
    guard sort != .youngestFirst else { return }
    guard let order = SpriteKitFamily.sortModes.firstIndex(of: sort) else {
      return lose(
        .lost, .sort, at: "render.sort", "sort order lost: SpriteKit draws particles by age")
    }
    set("_particleRenderOrder", integer: order)
    lose(
      .assumed, .sort, at: "render.sort", "undocumented in files; set it in code",
      target: .init("_particleRenderOrder", .int(order)), level: .low)
  }

  mutating func encodeDepth() {
    let z = emitter.render.z
    set("_startZPosition", width: "_startZPositionVariance", z.from, .sort, at: "render.z")
    set("_zPositionSpeed", z.rate.mean)
    if !z.isStraight || !z.rate.isNumber {
      lose(
        .approximated, .sort, at: "render.z", "the change per second is constant",
        recipe: "the start")
    }
  }

  mutating func dropPhysics() {
    let physics = emitter.physics
    drop("physics.diesOnCollision", rule: physics.collides ? .lost : .dead)
    let rule: Rule = physics.collides || physics.fieldMask != 0 ? .lost : .dead
    for name in ["mass", "charge", "bounce", "friction"] { drop("physics.\(name)", rule: rule) }
  }
}
