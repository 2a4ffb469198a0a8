internal import ParticlesCore
internal import ParticlesModel

// Size, image and drawing.

extension GodotClass {
  /// The blend modes by their numbers.
  fileprivate static let blends: [BlendMode] = [.alpha, .add, .subtract, .multiply, .premultiplied]

  /// The drawing orders by their numbers.
  fileprivate var sorts: [SortMode] {
    isGPU && generation == .four
      ? [.none, .lifetime, .youngestFirst, .depth] : [.none, .lifetime, .depth]
  }
}

extension GodotPlace {
  /// Width and height of the image or the mesh, as sizes of particles know them.
  fileprivate func aspect(hasImage: Bool) -> Aspect {
    kind.isSpace ? .ratio((meshSize.x / meshSize.y).rounded) : hasImage ? .sprite : .ratio(1)
  }
}

extension GodotReader {
  func decodeSize(of emitter: inout Emitter) throws(Failure) {
    var size = Size()
    size.width = try track("scale_amount", 1)
    if flag("split_scale"), !kind.isGPU {
      let range = self.range("scale_amount", 1)
      func side(_ key: String) throws(Failure) -> Track {
        try curve(key).map { Track(from: 0, to: range, curve: $0) } ?? Track(range)
      }
      (size.width, size.height) = (try side("scale_curve_x"), try side("scale_curve_y"))
    }
    size.aspect = place.aspect(hasImage: imagePath != nil)
    if kind.isSpace {
      size.width = size.width.scaled(by: place.meshSize.x)
      size.height = size.height?.scaled(by: place.meshSize.y)
      if let body = place.body {
        note(.approximated, place.mesh, "particles are drawn as rectangles", found: body)
        emitter.render.billboard = .mesh
      }
    } else if imagePath != nil {
      // A node without a texture draws squares of one pixel.
      size.mode = .textureScale
    }
    emitter.size = size
  }

  func decodeRender(of emitter: inout Emitter) {
    if let mode = choice(place.key("blend_mode"), GodotClass.blends) {
      emitter.render.blend = Blend(mode)
    }
    let order = number("draw_order", kind.standard("draw_order"))
    let index = Int(exactly: order).flatMap { kind.sorts.indices.contains($0) ? $0 : nil }
    emitter.render.sort = kind.sorts[index ?? 0]
    if index == nil {
      note(
        .assumed, "draw_order", "an unknown order is assumed to be the order of the slots",
        found: shortText(order))
    }
    let isFacing = !kind.isSpace || number(place.key("billboard_mode")) ?? 0 > 0
    if place.body == nil, !isFacing, node.section != nil, emitter.rotation.axis == .screen,
      value(place.mesh) != nil
    {
      emitter.render.billboard = .free
    }
  }

  func decodeFlipbook(of emitter: inout Emitter) throws(Failure) {
    guard let grid else { return }
    let count = Double(grid.columns * grid.rows)
    var flipbook = Flipbook()
    flipbook.start = range("anim_offset").scaled(by: count)
    let speed = range("anim_speed")
    flipbook.fps = speed == 1 ? .life : .fixed(speed.scaled(by: (count / life).rounded))
    flipbook.mode = flag("\(place.look)/particles_anim_loop") ? .loop : .once
    emitter.flipbook = flipbook
    for key in ["anim_speed_curve", "anim_offset_curve"] where try curve(key) != nil {
      note(.uninterpreted, key, "frames have no curve")
    }
  }
}

extension EmitterWriter<GodotFamily> {
  mutating func encodeSize() {
    let size = emitter.size
    let mode: SizeMode = !kind.isSpace && image != nil ? .textureScale : .units
    let mesh = kind.isSpace ? surroundings.meshSize : Vector2(1, 1)
    let dense = mode == .textureScale ? denseFactor() : 1
    let width = size.width.scaled(by: dense * factor(isHeight: false, mode) / mesh.x)
    let height = size.height?.scaled(by: dense * factor(isHeight: true, mode) / mesh.y)
    if size.mode != mode {
      let isKnown = shownSize.width != nil
      lose(
        isKnown ? .restated : .assumed, .absoluteSize, at: "size.mode",
        also: ["size.width", "size.height", "size.aspect"],
        mode == .units ? "sizes are lengths" : "sizes are factors of the image",
        recipe: isKnown ? nil : "an image of 32 pixels is assumed", level: isKnown ? nil : .medium)
    }
    let own = surroundings.aspect(hasImage: image != nil)
    if let height, !kind.isGPU, kind.generation == .four, !kind.isSpace {
      if size.aspect != own {
        lose(.dead, .widthAndHeight, at: "size.aspect", "width and height are written")
      }
      return encodeSplit(width, height)
    }
    put("scale_amount", width, .size, curved: .sizeCurve, at: "size.width")
    if height != nil {
      lose(
        .lost, .widthAndHeight, at: "size.height", also: ["size.aspect"],
        "the height follows from the width")
    } else {
      loseAspect(unless: own, "the image or the mesh decides on the aspect ratio")
    }
  }

  /// The factor from sizes of the document to `mode`: lengths, or factors of the image. Nodes of
  /// the plane draw the pixels of a frame as they are.
  private func factor(isHeight: Bool, _ mode: SizeMode) -> Double {
    guard emitter.size.mode != mode else { return 1 }
    if mode == .units, !kind.isSpace { return 32 }
    let parts = (isHeight ? sprite?.grid?.rows : sprite?.grid?.columns) ?? 1
    let pixels = (isHeight ? shownSize.height : shownSize.width) ?? 32
    let length = max(pixels / Double(max(parts, 1)) * (kind.isSpace ? texel : 1), 1e-6)
    return mode == .units ? length : 1 / length
  }

  private mutating func encodeSplit(_ width: Track, _ height: Track) {
    let range = width.to ?? width.from
    set("split_scale", flag: true)
    put("scale_amount", range, .size, at: "size.width")
    let curves = [("scale_curve_x", width, "size.width"), ("scale_curve_y", height, "size.height")]
    for (key, track, place) in curves where track != Track(range) {
      let isNative = track == Track(from: 0, to: range, curve: track.curve)
      let mean = range.mean == 0 ? 1 : range.mean
      let (curve, _) = track.curve(lifetime: lifetime)
      put(
        key, curve: isNative ? track.curve : curve.multiplied(by: 1 / mean), .widthAndHeight,
        at: place)
      if !isNative {
        lose(
          .approximated, .widthAndHeight, at: place, "width and height share a random factor",
          recipe: "the curve of the means", level: .low)
      }
    }
  }

  mutating func encodeRender() {
    if kind.hasNode || !kind.isSpace {
      let mode = blendMode(of: GodotClass.blends, "Godot has five modes")
      set(surroundings.key("blend_mode"), mode, of: GodotClass.blends)
    }
    let sort = emitter.render.sort
    let nearest = sort == .oldestFirst ? .lifetime : kind.sorts.contains(sort) ? sort : .none
    set("draw_order", nearest, of: kind.sorts)
    if nearest != sort, kind.hasNode {
      let isSame = nearest == .lifetime
      lose(
        isSame ? .restated : .approximated, .sort, at: "render.sort",
        "particles are drawn by slot, relative age or depth", level: isSame ? .info : nil)
    }
    encodeBillboard()
  }

  private mutating func encodeBillboard() {
    let billboard = emitter.render.billboard
    guard kind.isSpace else {
      return drop("render.billboard", "2D particles face the screen")
    }
    guard surroundings.body == nil, kind.hasNode else {
      if billboard != .mesh || !kind.hasNode {
        drop("render.billboard", "the mesh decides", rule: .lost)
      }
      return
    }
    let isFacing = billboard != .free && billboard != .mesh
    set(surroundings.key("billboard_mode"), integer: isFacing ? 3 : 0)
    if ![.screen, .view, .free].contains(billboard) {
      lose(.approximated, .billboard, at: "render.billboard", "particles face the camera, or +z")
    } else if billboard == .view {
      lose(.restated, .billboard, at: "render.billboard", "particles face the screen")
    }
  }

  mutating func encodeFlipbook() {
    guard kind.hasNode else {
      return drop("flipbook", "a material has no image")
    }
    let look = surroundings.look
    let grid = sprite?.grid ?? SpriteGrid()
    let count = Double(max(grid.columns * grid.rows, 1))
    let isAnimated = emitter.flipbook != nil && count > 1
    if !kind.isSpace { set("\(look)/particles_animation", flag: count > 1) }
    if count > 1 || kind.isSpace {
      set("\(look)/particles_anim_h_frames", integer: grid.columns)
      set("\(look)/particles_anim_v_frames", integer: grid.rows)
      set("\(look)/particles_anim_loop", flag: isAnimated && emitter.flipbook?.mode == .loop)
    }
    let flipbook = emitter.flipbook ?? Flipbook()
    explainStill(frames: Int(saturating: count), isStill: count == 1)
    let start = firstFrame(of: flipbook, frames: count)
    put("anim_offset", start.scaled(by: 1 / count), .flipbook, at: "flipbook.start")
    var speed: Value = 1
    if case .fixed(let fps) = flipbook.fps {
      speed = fps.scaled(by: life / count)
      if isAnimated, !emitter.lifetime.isNumber, fps != 0 {
        lose(
          .approximated, .flipbook, at: "flipbook.fps", "frames are counted per lifetime",
          recipe: "frames in the longest lifetime", level: .low)
      }
    }
    put("anim_speed", speed, .flipbook, at: "flipbook.fps")
    if flipbook.mode == .pingpong {
      lose(.approximated, .flipbook, at: "flipbook.mode", "frames are not shown in reverse")
    }
    if flipbook.crossfade {
      lose(.lost, .flipbook, at: "flipbook.crossfade", "cross-fading is not supported", level: .low)
    }
  }

  /// Writes the image by its identity, for which a file is found when the scene is written.
  mutating func encodeSprite() {
    guard let sprite, let image, kind.hasNode else {
      if sprite != nil {
        lose(.lost, .texture, at: "sprites", also: ["sprites"], "a material has no image")
      }
      return
    }
    let path = surroundings.image
    let identity = FieldImage.identity(of: image, digest: image.sha256)
    set(sprite.region == nil ? path : "\(path)/atlas", .call("Image", [.text(identity)]))
    if let region = sprite.region {
      set(
        "\(path)/region",
        .call("Rect2", numbers: [region.x, region.y, region.width, region.height]))
    }
    loseDetails(
      of: sprite, hasRegions: true,
      filter: (.lost, "the scene decides on the filter, and frames are in rows"),
      scale: "sizes are factors of the image in pixels")
    loseFurtherSprites()
  }
}
