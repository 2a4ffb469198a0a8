internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

// How large particles are, what image they show and which way they face.

extension KeyedEmitter<SceneKitFamily> {
  func decodeStretch(of emitter: inout Emitter) {
    let factor = number("stretchFactor")
    guard factor != 0 else { return }
    var stretch = Stretch()
    stretch.factor = .constant(factor)
    emitter.size.stretch = stretch
  }

  var grid: SpriteGrid? {
    let columns = Int(min(number("imageSequenceColumnCount", 1, atLeast: 1), 65536))
    let rows = Int(min(number("imageSequenceRowCount", 1, atLeast: 1), 65536))
    return columns == 1 && rows == 1 ? nil : SpriteGrid(columns: columns, rows: rows)
  }

  var flipbook: Flipbook? {
    var flipbook = Flipbook()
    flipbook.start = value("imageSequenceInitialFrame")
    let fps = value("imageSequenceFrameRate")
    flipbook.fps = .fixed(fps)
    flipbook.mode = choice("imageSequenceAnimationMode", SceneKitFamily.frameModes, .loop)
    guard flipbook != Flipbook() || grid != nil else { return nil }
    flipbook.crossfade = fps != 0
    return flipbook
  }

  func decodeOrientation(of emitter: inout Emitter) {
    emitter.render.billboard = choice("orientationMode", SceneKitFamily.billboards, .screen)
    guard emitter.render.billboard == .free else { return }
    emitter.rotation.axis = .random
    note(.assumed, "orientationMode", "particles that turn freely turn about any axis")
  }
}

extension EmitterWriter<SceneKitFamily> {
  mutating func encodeOrientation() {
    let billboards = SceneKitFamily.billboards
    if !set("orientationMode", emitter.render.billboard, of: billboards) {
      lose(.approximated, .billb, at: "render.billboard", "particles face the screen")
    }
    let isFree = emitter.render.billboard == .free
    switch emitter.rotation.axis {
    case .random where isFree, .screen where !isFree: break
    case .random: lose(.lost, .rot3D, at: "rotation.axis", "particles turn in the screen")
    case .screen: lose(.assumed, .rot3D, at: "rotation.axis", "free particles turn about any axis")
    case .vector: lose(.lost, .rot3D, at: "rotation.axis", "axes cannot be chosen")
    }
  }

  mutating func encodeSize() {
    let size = emitter.size
    encodeWidth(size.mode == .textureScale ? size.width.scaled(by: pixels()) : size.width)
    guard size.aspect != .ratio(1) else { return }
    // Of an image that cannot be found, the shape is not known.
    let isMissing = frame == nil && image != nil && image?.sha256 == nil
    let isSquare = sprite == nil || frame.map { $0.width == $0.height } ?? isMissing
    lose(
      size.aspect != .sprite || !isSquare ? .lost : isMissing ? .assumed : .restated, .sizeXY,
      at: "size.aspect", "particles are squares")
  }

  private mutating func encodeWidth(_ width: Track) {
    let (key, place) = ("particleSize", "size.width")
    if width.isPlainValue { return set(key, width.from, .size, at: "\(place).from") }
    if let size = width.to, width == Track(from: 0, to: size, curve: width.curve).over(width) {
      set(key, size, .size, at: "\(place).to")
      return encodeController("Size", width, .sizeCurve, at: place, isFactor: true)
    }
    let (curve, isExact) = width.curve(lifetime: lifetime)
    // The greatest size is that at birth, so that the curve lies between 0 and 1.
    let most = curve.keys.map(\.value.magnitude).max() ?? 0
    let start = curve.value(at: 0)
    let isRandom = !width.from.isNumber && start != 0
    let base = isRandom ? start : most
    set(key, isRandom ? width.from : .constant(most), .size, at: place)
    let factor = Track(
      from: 0, to: 1, curve: base == 0 ? .constant(0) : curve.multiplied(by: 1 / base)
    ).over(width)
    let isSpread = !(width.to ?? 0).isNumber || !width.rate.isNumber || isRandom
    lose(
      isExact && !isRandom ? .restated : .approximated, isSpread ? .sizeSE : .sizeCurve, at: place,
      "the size at birth is multiplied by a curve",
      recipe: isRandom ? "the spread of the start; the curve of the means" : nil)
    encodeController("Size", factor, .sizeCurve, at: place)
  }

  /// How many units the texture has; 32 pixels if unknown.
  private mutating func pixels() -> Double {
    let known = shownSize.width
    lose(
      known == nil ? .assumed : .restated, .sizeAbs, at: "size",
      known == nil ? "an image of 32 pixels is assumed" : "sizes are lengths, not scales",
      recipe: "scale × pixels", level: known == nil ? .medium : nil)
    let columns = Double(max(sprite?.grid?.columns ?? 1, 1))
    return (known ?? 32) / columns / (sprite?.scale ?? 1)
  }

  mutating func encodeStretch() {
    guard let stretch = emitter.size.stretch else { return set("stretchFactor", 0) }
    set("stretchFactor", stretch.factor.mean)
    if !stretch.factor.isNumber {
      lose(
        .approximated, .stretch, at: "size.stretch.factor", "stretchFactor is never random",
        recipe: "the mean")
    }
    if stretch.factor == 0 { lose(.dead, .stretch, at: "size.stretch", "a factor of 0") }
    if stretch.axis != .velocity {
      lose(.lost, .stretch, at: "size.stretch.axis", "particles are drawn out along their way")
    }
  }

  /// SceneKit shows an image as a whole, around the particle.
  mutating func encodeSprite() {
    guard let sprite else { return }
    let grid = sprite.grid ?? SpriteGrid()
    if sprite.region != nil || sprite.rotated {
      lose(.lost, .tex, atRoot: "sprites", "the whole image is shown, not a part of it")
    } else if sprite.pivot != Sprite().pivot {
      lose(.lost, .tex, atRoot: "sprites", "particles sit in the middle of their image")
    } else if sprite.filter != .linear || grid.order != .row {
      lose(.approximated, .tex, atRoot: "sprites", "images are smoothed, and frames stand in rows")
    } else if let count = grid.count, count != grid.columns * grid.rows {
      lose(.approximated, .flip, atRoot: "sprites", "every frame of the grid is shown")
    } else if sprite.scale != 1 {
      lose(.restated, .sizeAbs, atRoot: "sprites", "sizes are lengths, whatever the image")
    }
    if let name = surroundings.imageName {
      set("particleImage", .dictionary([.init("path", .string(name))]))
    }
  }

  mutating func encodeGrid() {
    set("imageSequenceColumnCount", integer: sprite?.grid?.columns ?? 1)
    set("imageSequenceRowCount", integer: sprite?.grid?.rows ?? 1)
  }

  mutating func encodeFlipbook() {
    let flipbook = emitter.flipbook ?? Flipbook()
    let frames = (sprite?.grid?.columns ?? 1) * (sprite?.grid?.rows ?? 1)
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
    set("imageSequenceAnimationMode", flipbook.mode, of: SceneKitFamily.frameModes)
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
}
