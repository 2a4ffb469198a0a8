internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

// What particles look like: image, size and how they are drawn.

extension SpriteKitEmitterEncoder {
  mutating func encodeTexture(named name: String?) {
    if emitter.sprites.count > 1 {
      lose(
        .lost, .randSpr, at: "sprites", also: ["spriteSelection"], "particles show one image")
    } else if emitter.spriteSelection != .first {
      lose(.dead, .randSpr, at: "spriteSelection", "there is one image to choose from")
    }
    if emitter.flipbook != nil {
      lose(.lost, .flip, at: "flipbook", "particles show one frame")
    }
    guard let sprite, let image, let name else { return set("_particleTexture", .null) }
    if sprite.grid != nil {
      lose(.approximated, .flip, atRoot: "sprites", "the first frame is shown")
    } else if sprite.pivot != Sprite().pivot || sprite.rotated {
      lose(.lost, .tex, atRoot: "sprites", "particles sit in the middle of an upright image")
    } else if sprite.region != nil, image.width == nil || image.height == nil {
      lose(.lost, .tex, atRoot: "sprites", "of an image of unknown size, all of it is shown")
    } else if !SpriteKitArchive.hasKnownScale(sprite) {
      lose(
        .restated, .sizeAbs, atRoot: "sprites",
        "images have 1, 2 or 3 pixels per point; others are sized by particle")
    }
    let size = (x: Double(image.width ?? 0), y: Double(image.height ?? 0))
    set(
      "_particleTexture",
      SpriteKitArchive.texture(
        named: name, size: size, scale: SpriteKitArchive.hasKnownScale(sprite) ? sprite.scale : 1,
        part: part(of: sprite, size), isSmooth: sprite.filter == .linear))
  }

  /// The region of a sprite, or its first frame, as a share of the image.
  private func part(of sprite: Sprite, _ size: (x: Double, y: Double)) -> [Double] {
    guard let region = frame(of: sprite), size.x > 0, size.y > 0 else { return [0, 0, 1, 1] }
    return [
      region.x / size.x, 1 - (region.y + region.height) / size.y, region.width / size.x,
      region.height / size.y,
    ]
  }

  /// The part of the image in pixels that particles show; nil for all of it.
  private func frame(of sprite: Sprite) -> Rectangle? {
    guard let grid = sprite.grid else { return sprite.region }
    guard
      var region = sprite.region
        ?? image.flatMap({ image in
          guard let width = image.width, let height = image.height else { return nil }
          return Rectangle(x: 0, y: 0, width: Double(width), height: Double(height))
        })
    else { return nil }
    region.width /= Double(max(grid.columns, 1))
    region.height /= Double(max(grid.rows, 1))
    return region
  }

  /// Width and height of the sprite in points; nil if nobody knows.
  private var points: (width: Double, height: Double)? {
    guard let sprite, let image else { return nil }
    let region = frame(of: sprite)
    guard let width = region?.width ?? image.width.map(Double.init),
      let height = region?.height ?? image.height.map(Double.init), width > 0, height > 0
    else { return nil }
    return (width / sprite.scale, height / sprite.scale)
  }

  // MARK: Size

  /// A factor of the size of the image, or of a size that the particles have.
  mutating func encodeSize() {
    let size = emitter.size
    let isScale = size.mode == .textureScale
    let isNatural =
      isScale && sprite.map(SpriteKitArchive.hasKnownScale) ?? false && size.aspect == .sprite
      && size.height == nil
    if isNatural {
      set("_startSize", pair: 0, 0)
      encodeScale(size.width, base: 1)
    } else {
      let width = isScale ? points?.width ?? 32 : reference(of: size.width)
      let ratio = aspect(of: size)
      if isScale {
        lose(
          points == nil ? .assumed : .restated, .sizeAbs, at: "size",
          points == nil ? "an image of 32 points is assumed" : "the size of the image is stated",
          level: points == nil ? .medium : nil)
      }
      set("_startSize", pair: width, width / ratio)
      encodeScale(size.width, base: isScale ? 1 : width)
    }
    lose(.stretch, at: "size.stretch", size.stretch, unless: nil, "particles keep their shape")
  }

  /// A size that the others are factors of.
  private func reference(of track: Track) -> Double {
    let most =
      track.isPlainValue || track == Track(from: track.from, rate: track.rate)
      ? track.from.spread.center.magnitude
      : track.curve(lifetime: lifetime).curve.keys.map(\.value.magnitude).max() ?? 0
    return most > 1e-6 ? most : 1
  }

  /// Width over height.
  private mutating func aspect(of size: Size) -> Double {
    var ratio: Double
    switch size.aspect {
    case .ratio(let stated): ratio = stated
    case .sprite:
      ratio = points.map { $0.width / $0.height } ?? 1
      lose(.restated, .sizeXY, at: "size.aspect", "width over height is that of the image")
    }
    if let height = size.height {
      let (width, tall) = (size.width.mean(lifetime: lifetime), height.mean(lifetime: lifetime))
      let stays = height == size.width.scaled(by: width == 0 ? 1 : tall / width)
      if width > 0, tall > 0 { ratio = width / tall }
      lose(
        stays && size.width.from.isConstant ? .restated : .approximated, .sizeXY,
        at: "size.height", also: ["size.aspect"], "width over height stays the same",
        recipe: stays ? nil : "that of the means")
    }
    return ratio > 0 ? ratio : 1
  }

  private mutating func encodeScale(_ track: Track, base: Double) {
    let isStraight = track == Track(from: track.from, rate: track.rate)
    set(
      "_startScale", width: "_startScaleVariance", isStraight ? track.from : 1, .size,
      at: "size.width", times: 1 / base)
    set("_scaleSpeed", isStraight ? track.rate.mean / base : 0)
    guard !isStraight else {
      if !track.rate.isConstant {
        lose(
          .approximated, .sizeCurve, at: "size.width", "all particles grow equally fast",
          recipe: "the mean")
      }
      return set("_particleScaleSequence", .null)
    }
    let curve = sequence(of: track, track.to == nil ? .sizeCurve : .sizeSE, at: "size.width")
    set("_particleScaleSequence", sequence: curve, times: 1 / base)
  }

  // MARK: Render

  mutating func encodeRender() {
    let render = emitter.render
    encodeBlend(render.blend)
    encodeSort(render.sort)
    let z = render.z
    let isStraight = z == Track(from: z.from, rate: z.rate) && z.rate.isConstant
    set("_startZPosition", width: "_startZPositionVariance", z.from, .sort, at: "render.z")
    set("_zPositionSpeed", z.rate.mean)
    if !isStraight {
      lose(.approximated, .sort, at: "render.z", "the order changes evenly", recipe: "the start")
    }
    lose(.billb, at: "render.billboard", render.billboard, unless: .screen, "SpriteKit is flat")
    lose(.billb, at: "render.billboardAxis", render.billboardAxis, unless: nil, "SpriteKit is flat")
    lose(.soft, at: "render.lit", render.lit, unless: false, "lights need a shader")
    lose(.soft, at: "render.soft", render.soft, unless: nil, "SpriteKit is flat")
    lose(
      .soft, at: "render.blackPass", render.blackPass, unless: false,
      "particles are drawn once")
    lose(.soft, at: "render.writesDepth", render.writesDepth, unless: false, "SpriteKit is flat")
    lose(.sort, at: "render.layer", render.layer, unless: 0, "layers are part of the scene")
    lose(.trail, at: "render.trail", render.trail, unless: nil, "particles leave nothing behind")
  }

  private mutating func encodeBlend(_ blend: Blend) {
    let modes: [BlendMode] = [
      .alpha, .add, .subtract, .multiply, .multiplyX2, .screen, .replace, .multiplyAlpha,
    ]
    let mode: BlendMode =
      switch blend.mode {
      case .premultiplied: .alpha
      case .custom: blend.nearestMode
      default: blend.mode
      }
    let number = modes.firstIndex(of: mode) ?? 0
    set("_particleBlendMode", integer: number)
    if mode != blend.mode {
      lose(
        .approximated, blend.mode == .premultiplied ? .premult : .blCustom, at: "render.blend",
        "SpriteKit has eight modes", recipe: "the nearest: \(mode.rawValue)",
        target: .init("_particleBlendMode", .int(number)))
    } else if blend != Blend(mode) {
      lose(.dead, .premult, at: "render.blend", "only the mode counts")
    }
  }

  /// The oldest particle is on top unless somebody says otherwise.
  private mutating func encodeSort(_ sort: SortMode) {
    guard sort != .youngestFirst else { return }
    let orders: [SortMode] = [.youngestFirst, .oldestFirst, .none]
    if let order = orders.firstIndex(of: sort) {
      set("_particleRenderOrder", integer: order)
      lose(
        .assumed, .sort, at: "render.sort", "no file is known that says it; set it in code",
        target: .init("_particleRenderOrder", .int(order)), level: .low)
    } else {
      lose(.lost, .sort, at: "render.sort", "particles are drawn from young to old")
    }
  }

  // MARK: The rest

  mutating func encodeRest() {
    let physics = emitter.physics
    lose(
      .collide, at: "physics.collides", physics.collides, unless: false, "particles do not collide")
    if physics.diesOnCollision {
      lose(
        physics.collides ? .lost : .dead, .collide, at: "physics.diesOnCollision",
        "particles do not collide")
    }
    lose(
      .collide, at: "physics.sceneGravity", physics.sceneGravity, unless: false,
      "the gravity of the scene does not act on particles")
    for (key, value, standard) in [
      ("mass", physics.mass, Physics().mass), ("charge", physics.charge, Physics().charge),
      ("bounce", physics.bounce, Physics().bounce),
      ("friction", physics.friction, Physics().friction),
    ] where value != standard {
      lose(
        physics.collides || physics.fieldMask != 0 ? .lost : .dead, .collide,
        at: "physics.\(key)", "particles do not collide")
    }
    for (index, trigger) in emitter.triggers.enumerated() {
      lose(
        .lost, trigger.event.capability, at: "triggers[\(index)]",
        "particles do not emit others")
    }
  }
}

extension SpriteKitArchive {
  /// Whether SpriteKit can tell from the name of an image how many pixels a point has.
  static func hasKnownScale(_ sprite: Sprite) -> Bool { [1, 2, 3].contains(sprite.scale) }
}
