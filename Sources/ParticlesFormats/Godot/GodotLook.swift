internal import ParticlesCore
internal import ParticlesModel

// Size, image and drawing.

extension GodotReader {
  func decodeSize(of emitter: inout Emitter) throws {
    var size = Size()
    size.width = try track("scale_amount", 1, .towardsOne)
    if flag("split_scale"), !kind.isGPU {
      let x = try curve("scale_curve_x")
      let y = try curve("scale_curve_y")
      let range = self.range("scale_amount", 1)
      size.width = x.map { Track(from: 0, to: range, curve: $0) } ?? Track(range)
      size.height = y.map { Track(from: 0, to: range, curve: $0) } ?? Track(range)
    }
    if kind.isSpace {
      let mesh = place.meshSize
      size.width = size.width.scaled(by: mesh.x)
      size.height = size.height?.scaled(by: mesh.y)
      size.aspect = .ratio((mesh.x / mesh.y).rounded)
      if let body = place.body {
        note(.approximated, place.mesh, "particles are drawn as rectangles", found: body)
        emitter.render.billboard = .mesh
      }
    } else if imagePath != nil {
      size.mode = .textureScale
    } else {
      // A node without a texture draws squares of one pixel.
      size.aspect = .ratio(1)
    }
    emitter.size = size
  }

  func decodeRender(of emitter: inout Emitter) {
    let modes: [BlendMode] = [.alpha, .add, .subtract, .multiply, .premultiplied]
    let key = kind.blendKey
    let mode = number(at: "\(place.look)/\(key)") ?? 0
    if let index = Int(exactly: mode), modes.indices.contains(index) {
      emitter.render.blend = Blend(modes[index])
    } else {
      note(.emitterValue, "\(place.look)/\(key)", "an unknown blend mode", found: shortText(mode))
    }
    let sorts = kind.sorts
    let order = number("draw_order", kind.standard("draw_order"))
    if let index = Int(exactly: order), sorts.indices.contains(index) {
      emitter.render.sort = sorts[index]
    } else {
      emitter.render.sort = sorts[0]
      note(
        .assumed, "draw_order", "an unknown order is assumed to be that of the slots",
        found: shortText(order))
    }
    guard kind.isSpace else { return }
    let spelling = kind.generation == .three ? "params_billboard_mode" : "billboard_mode"
    let isFacing = number(at: "\(place.look)/\(spelling)") ?? 0 > 0
    if place.body == nil, !isFacing, node.section != nil, emitter.rotation.axis == .screen,
      value(at: place.mesh) != nil
    {
      emitter.render.billboard = .free
    }
  }

  /// The grid of frames, if the image is animated.
  var grid: SpriteGrid? {
    let isAnimated =
      kind.isSpace
      ? number(at: "\(place.look)/particles_anim_h_frames") != nil
      : flag(at: "\(place.look)/particles_animation")
    guard isAnimated else { return nil }
    func frames(_ key: String) -> Int {
      Int(min(max(number(at: "\(place.look)/particles_anim_\(key)_frames") ?? 1, 1), 4096))
    }
    let (columns, rows) = (frames("h"), frames("v"))
    return columns * rows == 1 ? nil : SpriteGrid(columns: columns, rows: rows)
  }

  func decodeFlipbook(of emitter: inout Emitter) throws {
    guard let grid else { return }
    let count = Double(grid.columns * grid.rows)
    var flipbook = Flipbook()
    flipbook.start = range("anim_offset").scaled(by: count)
    let speed = range("anim_speed")
    let life = number("lifetime", 1, atLeast: 0.01)
    flipbook.fps = speed == 1 ? .life : .fixed(speed.scaled(by: (count / life).rounded))
    flipbook.mode = flag(at: "\(place.look)/particles_anim_loop") ? .loop : .once
    emitter.flipbook = flipbook
    for key in ["anim_speed_curve", "anim_offset_curve"] where try curve(key) != nil {
      note(.uninterpreted, key, "frames have no curve")
    }
  }
}

extension GodotClass {
  fileprivate var blendKey: String {
    isSpace && generation == .three ? "params_blend_mode" : "blend_mode"
  }

  /// The drawing orders by their numbers.
  fileprivate var sorts: [SortMode] {
    isGPU && generation == .four
      ? [.none, .lifetime, .youngestFirst, .depth] : [.none, .lifetime, .depth]
  }
}

extension EmitterWriter<GodotFamily> {
  private var hasImage: Bool { image != nil }

  mutating func encodeSize() {
    let size = emitter.size
    var (width, height) = (size.width, size.height)
    if kind.isSpace {
      let mesh = surroundings.meshSize
      if size.mode == .textureScale { width = width.scaled(by: texels(.width)) }
      width = width.scaled(by: 1 / mesh.x)
      height = height?.scaled(by: (size.mode == .textureScale ? texels(.height) : 1) / mesh.y)
      loseMode(.units)
    } else if hasImage {
      let factor = denseFactor()
      width = width.scaled(by: size.mode == .units ? 1 / texels(.width) : factor)
      height = height?.scaled(by: size.mode == .units ? 1 / texels(.height) : factor)
      loseMode(.textureScale)
    } else {
      if size.mode == .textureScale { width = width.scaled(by: 32) }
      height = height?.scaled(by: size.mode == .textureScale ? 32 : 1)
      loseMode(.units)
    }
    if let height, !kind.isGPU, kind.generation == .four, !kind.isSpace {
      if size.aspect != (hasImage ? .sprite : .ratio(1)) {
        lose(.dead, .sizeXY, at: "size.aspect", "width and height are written")
      }
      return encodeSplit(width, height)
    }
    put("scale_amount", width, .size, curved: .sizeCurve, at: "size.width", .towardsOne)
    if size.height != nil {
      lose(
        .lost, .sizeXY, at: "size.height", also: ["size.aspect"],
        "the height follows from the width")
    }
    let own: Aspect =
      kind.isSpace
      ? .ratio((surroundings.meshSize.x / surroundings.meshSize.y).rounded)
      : hasImage ? .sprite : .ratio(1)
    guard size.height == nil, size.aspect != own else { return }
    let (x, y) = shownSize
    let ofImage = x.flatMap { x in y.map { x / $0 } } ?? 1
    let isSame = size.aspect.ratio(of: ofImage) == own.ratio(of: ofImage)
    lose(
      isSame ? .restated : .lost, .sizeXY, at: "size.aspect",
      "the aspect ratio is that of the image or the mesh")
  }

  private mutating func loseMode(_ mode: SizeMode) {
    guard emitter.size.mode != mode else { return }
    let known = shownSize.width
    lose(
      known == nil ? .assumed : .restated, .sizeAbs, at: "size.mode",
      also: ["size.width", "size.height", "size.aspect"],
      mode == .units ? "sizes are lengths" : "sizes are factors of the image",
      recipe: known == nil ? "an image of 32 pixels is assumed" : nil,
      level: known == nil ? .medium : nil)
  }

  private enum Side { case width, height }

  /// The size of the image in units; nodes of the plane draw its pixels as they are.
  private func texels(_ side: Side) -> Double {
    let grid = sprite?.grid
    let (pixels, parts) =
      side == .width
      ? (shownSize.width, grid?.columns ?? 1) : (shownSize.height, grid?.rows ?? 1)
    return max((pixels ?? 32) / Double(max(parts, 1)) * (kind.isSpace ? texel : 1), 1e-6)
  }

  private mutating func encodeSplit(_ width: Track, _ height: Track) {
    let range = width.to ?? width.from
    put("split_scale", .flag(true))
    put("scale_amount", range, .size, at: "size.width", .towardsOne)
    let curves = [("scale_curve_x", width, "size.width"), ("scale_curve_y", height, "size.height")]
    for (key, track, place) in curves {
      let isNative = track == Track(from: 0, to: range, curve: track.curve)
      if track == Track(range) { continue }
      let mean = range.mean == 0 ? 1 : range.mean
      let (curve, _) = track.curve(lifetime: lifetime)
      put(
        key, curve: isNative ? track.curve : curve.multiplied(by: 1 / mean), .sizeXY, at: place)
      if !isNative {
        lose(
          .approximated, .sizeXY, at: place, "width and height share a random factor",
          recipe: "the curve of the means", level: .low)
      }
    }
  }

  mutating func encodeRender() {
    let modes: [BlendMode] = [.alpha, .add, .subtract, .multiply, .premultiplied]
    let look = surroundings.look
    if kind.hasNode || kind.isSpace == false {
      let mode = blendMode(of: modes, "Godot has five modes")
      put(look, kind.blendKey, .integer(modes.firstIndex(of: mode) ?? 0))
    }
    let sorts = kind.sorts
    let index = sorts.firstIndex(of: emitter.render.sort)
    let standard = emitter.render.sort == .oldestFirst ? 1 : 0
    put("draw_order", .integer(index ?? standard))
    if index == nil, kind.hasNode {
      lose(
        standard == 1 ? .restated : .approximated, .sort, at: "render.sort",
        "particles are drawn by slot, relative age or depth", level: standard == 1 ? .info : nil)
    }
    encodeBillboard()
  }

  private mutating func encodeBillboard() {
    let billboard = emitter.render.billboard
    guard kind.isSpace else {
      return drop(
        \.render.billboard, .billb, at: "render.billboard", "2D particles face the screen")
    }
    guard surroundings.body == nil, kind.hasNode else {
      if billboard != .mesh || !kind.hasNode {
        drop(\.render.billboard, .billb, at: "render.billboard", "the mesh decides", .lost)
      }
      return
    }
    let spelling = kind.generation == .three ? "params_billboard_mode" : "billboard_mode"
    let isFacing = billboard != .free && billboard != .mesh
    put(surroundings.look, spelling, .integer(isFacing ? 3 : 0))
    if ![.screen, .view, .free].contains(billboard) {
      lose(.approximated, .billb, at: "render.billboard", "particles face the camera, or +z")
    } else if billboard == .view {
      lose(.restated, .billb, at: "render.billboard", "particles face the screen")
    }
  }

  private mutating func put(_ path: String, _ key: String, _ value: GodotValue) {
    guard kind.hasNode else { return }
    set("\(path)/\(key)", value)
  }

  mutating func encodeFlipbook() {
    guard kind.hasNode else {
      return drop(\.flipbook, .flip, at: "flipbook", "a material has no image")
    }
    let look = surroundings.look
    let grid = sprite?.grid ?? SpriteGrid()
    let count = Double(max(grid.columns * grid.rows, 1))
    let isAnimated = emitter.flipbook != nil && count > 1
    if !kind.isSpace { put(look, "particles_animation", .flag(count > 1)) }
    if count > 1 || kind.isSpace {
      put(look, "particles_anim_h_frames", .integer(grid.columns))
      put(look, "particles_anim_v_frames", .integer(grid.rows))
      put(look, "particles_anim_loop", .flag(isAnimated && emitter.flipbook?.mode == .loop))
    }
    let flipbook = emitter.flipbook ?? Flipbook()
    if emitter.flipbook != nil, count == 1 {
      lose(.dead, .flip, at: "flipbook", "there is only one frame")
    } else if emitter.flipbook == nil, count > 1 {
      lose(.restated, .flip, at: "flipbook", "written as a still first frame")
    }
    var start = flipbook.start
    if flipbook.startRandom {
      start = .range(0, count)
      lose(
        .restated, .flip, at: "flipbook.startRandom", also: ["flipbook.start"],
        "written as a random first frame")
    }
    put("anim_offset", start.scaled(by: 1 / count), .flip, at: "flipbook.start")
    let life = max(emitter.lifetime.bounds.upper, 0.01)
    switch flipbook.fps {
    case .life: put("anim_speed", 1, .flip, at: "flipbook.fps")
    case .fixed(let fps):
      put("anim_speed", fps.scaled(by: life / count), .flip, at: "flipbook.fps")
      if isAnimated, !emitter.lifetime.isNumber, fps != 0 {
        lose(
          .approximated, .flip, at: "flipbook.fps", "frames are those of a lifetime",
          recipe: "frames in the longest lifetime", level: .low)
      }
    }
    if flipbook.mode == .pingpong {
      lose(.approximated, .flip, at: "flipbook.mode", "frames are not shown in reverse")
    }
    if flipbook.crossfade {
      lose(.lost, .flip, at: "flipbook.crossfade", "frames are not cross-faded", level: .low)
    }
  }

  /// Writes the image by its identity, for which a file is found when the scene is written.
  mutating func encodeSprite() {
    guard let sprite, let image, kind.hasNode else {
      if sprite != nil {
        lose(.lost, .tex, at: "sprites", also: ["sprites"], "a material has no image")
      }
      return
    }
    let path = kind.isSpace ? "\(surroundings.look)/albedo_texture" : "texture"
    let reference = GodotValue.call(
      "Image", [.text(FieldImage.identity(of: image, digest: image.sha256))])
    if let region = sprite.region {
      set("\(path)/atlas", reference)
      set(
        "\(path)/region",
        .call("Rect2", [region.x, region.y, region.width, region.height].map(format.real)))
    } else {
      set(path, reference)
    }
    if sprite.rotated || sprite.pivot != Sprite().pivot {
      lose(.lost, .tex, atRoot: "sprites", "images are centred and upright")
    } else if sprite.filter != .linear || sprite.grid.map({ $0.order != .row }) ?? false {
      lose(
        .lost, .tex, atRoot: "sprites", "the filter is that of the scene, and frames are in rows")
    } else if sprite.scale != 1 {
      lose(.restated, .sizeAbs, atRoot: "sprites", "sizes are factors of the image in pixels")
    } else if let grid = sprite.grid, grid.count.map({ $0 != grid.columns * grid.rows }) ?? false {
      lose(.approximated, .flip, atRoot: "sprites", "all frames of the grid are shown")
    }
    if emitter.sprites.count > 1 {
      lose(
        .lost, .randSpr, at: "sprites", also: ["spriteSelection"], "only one image is supported")
    }
  }
}
