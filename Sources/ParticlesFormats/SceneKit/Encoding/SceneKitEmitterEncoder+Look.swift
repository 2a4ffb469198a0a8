internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

// What particles look like.

extension SceneKitEmitterEncoder {
  mutating func encodeRotation(key: String) {
    let rotation = emitter.rotation
    encode(rotation.angle, key: key, controller: "Angle", .rotCurve, at: "rotation.angle")
    encode(
      rotation.velocity, key: "particleAngularVelocity", controller: "AngularVelocity", .rotCurve,
      at: "rotation.velocity")
    lose(
      .rotAcc, at: "rotation.acceleration", rotation.acceleration, unless: 0,
      "particles turn evenly")
    if rotation.align != .none || rotation.alignOffset != 0 {
      lose(
        rotation.align == .none ? .dead : .lost, .align, at: "rotation.align",
        also: ["rotation.alignOffset"], "particles do not face where they fly")
    }
    let isFree = emitter.render.billboard == .free
    switch rotation.axis {
    case .random where isFree, .screen where !isFree: break
    case .random: lose(.lost, .rot3D, at: "rotation.axis", "particles turn in the screen")
    case .screen: lose(.assumed, .rot3D, at: "rotation.axis", "free particles turn about any axis")
    case .vector: lose(.lost, .rot3D, at: "rotation.axis", "axes cannot be chosen")
    }
  }

  /// A number that a controller replaces where it changes over life.
  private mutating func encode(
    _ track: Track, key: String, controller name: String, _ capability: Capability,
    at place: String
  ) {
    guard !track.isPlainValue else {
      return set(key, track.from, capability, at: "\(place).from")
    }
    set(key, 0, capability, at: place)
    encodeController(name, track, capability, at: place)
  }

  // MARK: Size

  mutating func encodeSize() {
    let size = emitter.size
    var width = size.width
    if size.mode == .textureScale { width = width.scaled(by: pixels()) }
    encodeWidth(width)
    if size.aspect != .ratio(1) {
      let sprite = emitter.sprites.first.flatMap { system.sprites.indices.contains($0) ? $0 : nil }
      if size.aspect == .sprite, sprite.map(isSquare) ?? true {
        lose(.restated, .sizeXY, at: "size.aspect", "particles are squares")
      } else {
        lose(.lost, .sizeXY, at: "size.aspect", "particles are squares")
      }
    }
    lose(.sizeXY, at: "size.height", size.height, unless: nil, "particles are squares")
    guard let stretch = size.stretch else { return set("stretchFactor", number: 0) }
    set(constant: "stretchFactor", stretch.factor, .stretch, at: "size.stretch.factor")
    if stretch.factor == 0 { lose(.dead, .stretch, at: "size.stretch", "a factor of 0") }
    lose(
      .stretch, at: "size.stretch.axis", stretch.axis, unless: .velocity,
      "particles are drawn out along their way")
  }

  /// How many units the texture has; 32 pixels where nobody knows.
  private mutating func pixels() -> Double {
    let sprite = emitter.sprites.first.flatMap {
      system.sprites.indices.contains($0) ? system.sprites[$0] : nil
    }
    let image = sprite.flatMap {
      system.images.indices.contains($0.image) ? system.images[$0.image] : nil
    }
    let known = sprite?.region?.width ?? image?.width.map(Double.init)
    let pixels = (known ?? 32) / Double(max(sprite?.grid?.columns ?? 1, 1))
    lose(
      known == nil ? .assumed : .restated, .sizeAbs, at: "size",
      known == nil ? "an image of 32 pixels is assumed" : "sizes are lengths, not scales",
      recipe: "scale × pixels", level: known == nil ? .medium : nil)
    return pixels / (sprite?.scale ?? 1)
  }

  private func isSquare(_ index: Int) -> Bool {
    let sprite = system.sprites[index]
    let grid = sprite.grid ?? SpriteGrid()
    let image = system.images.indices.contains(sprite.image) ? system.images[sprite.image] : nil
    guard let width = sprite.region?.width ?? image?.width.map(Double.init),
      let height = sprite.region?.height ?? image?.height.map(Double.init)
    else { return false }
    return width * Double(grid.rows) == height * Double(grid.columns)
  }

  // MARK: Sprite

  mutating func encodeSprite(_ imageName: String?) {
    if emitter.sprites.count > 1 {
      lose(
        .lost, .randSpr, at: "sprites", also: ["spriteSelection"],
        "particles show one image")
    } else if emitter.spriteSelection != .first {
      lose(.dead, .randSpr, at: "spriteSelection", "there is one image to choose from")
    }
    var grid: SpriteGrid?
    if let index = emitter.sprites.first, system.sprites.indices.contains(index) {
      let sprite = system.sprites[index]
      grid = sprite.grid
      encodeRest(of: sprite)
      if let imageName {
        set(
          "particleImage",
          .dictionary([ArchivableObject.Member("path", .string(imageName))]))
      }
    }
    set("imageSequenceColumnCount", integer: grid?.columns ?? 1)
    set("imageSequenceRowCount", integer: grid?.rows ?? 1)
    encodeFlipbook(frames: (grid?.columns ?? 1) * (grid?.rows ?? 1))
  }

  /// SceneKit shows an image as a whole, around the particle.
  private mutating func encodeRest(of sprite: Sprite) {
    if sprite.region != nil || sprite.rotated {
      lose(.lost, .tex, atRoot: "sprites", "the whole image is shown, not a part of it")
    } else if sprite.pivot != Sprite().pivot {
      lose(.lost, .tex, atRoot: "sprites", "particles sit in the middle of their image")
    } else if sprite.filter != .linear || (sprite.grid ?? SpriteGrid()).order != .row {
      lose(
        .approximated, .tex, atRoot: "sprites", "images are smoothed, and frames stand in rows")
    } else if let grid = sprite.grid, let count = grid.count, count != grid.columns * grid.rows {
      lose(.approximated, .flip, atRoot: "sprites", "every frame of the grid is shown")
    } else if sprite.scale != 1 {
      lose(.restated, .sizeAbs, atRoot: "sprites", "sizes are lengths, whatever the image")
    }
  }

  private mutating func encodeFlipbook(frames: Int) {
    let flipbook = emitter.flipbook ?? Flipbook()
    var start = flipbook.start
    if flipbook.startRandom {
      start = .range(0, Double(frames))
      lose(
        .restated, .flip, at: "flipbook.startRandom", also: ["flipbook.start"],
        "the first frame is any of them")
    }
    set("imageSequenceInitialFrame", start, .flip, at: "flipbook.start")
    var fps: Value = 0
    switch flipbook.fps {
    case .fixed(let value): fps = value
    case .life:
      fps = .constant(lifetime > 0 ? (Double(frames) / lifetime).rounded : 0)
      lose(
        .approximated, .flip, at: "flipbook.fps", "frames have a rate",
        recipe: "frames / mean lifetime")
    }
    set("imageSequenceFrameRate", fps, .flip, at: "flipbook.fps")
    let modes: [FlipbookMode] = [.loop, .once, .pingpong]
    set("imageSequenceAnimationMode", integer: modes.firstIndex(of: flipbook.mode) ?? 0)
    if emitter.flipbook != nil, frames == 1, fps == 0, start == 0, flipbook.mode == .loop {
      lose(.dead, .flip, at: "flipbook", "there is one frame")
    } else if emitter.flipbook == nil, frames > 1 {
      lose(.restated, .flip, at: "flipbook", "the first frame stands still")
    } else if flipbook.crossfade != (fps != 0) {
      lose(
        fps == 0 ? .dead : .approximated, .flip, at: "flipbook.crossfade",
        "frames fade into each other")
    }
  }

  // MARK: Render

  mutating func encodeRender() {
    let render = emitter.render
    encodeBlend(render.blend)
    let sorts: [SortMode] = [.none, .depth, .distance, .oldestFirst, .youngestFirst]
    set("sortingMode", integer: sorts.firstIndex(of: render.sort) ?? 0)
    if !sorts.contains(render.sort) {
      lose(.approximated, .sort, at: "render.sort", "particles are not sorted")
    }
    let billboards: [Billboard] = [.screen, .view, .free, .axisY]
    set("orientationMode", integer: billboards.firstIndex(of: render.billboard) ?? 0)
    if !billboards.contains(render.billboard) {
      lose(.approximated, .billb, at: "render.billboard", "particles face the screen")
    }
    let axis = render.billboardAxis ?? .zero
    set("orientationDirection", vector: [axis.x, axis.y, axis.z])
    set("lightingEnabled", flag: render.lit)
    set("softParticlesEnabled", flag: render.soft != nil)
    if let soft = render.soft, soft != Softness() {
      lose(.approximated, .soft, at: "render.soft", "particles fade over a distance of 1")
    }
    set("blackPassEnabled", flag: render.blackPass)
    if render.writesDepth { set("writesToDepthBuffer", flag: true) }
    lose(
      .sort, at: "render.z", render.z, unless: 0, "there is no order of drawing but by age or place"
    )
    lose(.sort, at: "render.layer", render.layer, unless: 0, "layers are part of the scene")
    lose(
      .sort, at: "render.order", render.order, unless: 0,
      "the order of systems is part of the scene")
    lose(.trail, at: "render.trail", render.trail, unless: nil, "particles leave nothing behind")
  }

  private mutating func encodeBlend(_ blend: Blend) {
    let modes: [BlendMode] = [.add, .subtract, .multiply, .screen, .alpha, .replace]
    let mode: BlendMode =
      switch blend.mode {
      case .multiplyAlpha, .multiplyX2: .multiply
      case .premultiplied: .alpha
      case .custom: blend.nearestMode
      default: blend.mode
      }
    set("blendMode", integer: modes.firstIndex(of: mode) ?? 4)
    if mode != blend.mode {
      lose(
        .approximated, blend.mode == .premultiplied ? .premult : .blCustom, at: "render.blend",
        "SceneKit has six modes", recipe: "the nearest: \(mode.rawValue)",
        target: .init("blendMode", .int(modes.firstIndex(of: mode) ?? 4)))
    } else if blend != Blend(mode) {
      lose(.dead, .premult, at: "render.blend", "only the mode counts")
    }
  }
}

extension Track {
  /// Whether it is a value that stays as drawn, and nothing else.
  var isPlainValue: Bool { self == Track(from) }
}
