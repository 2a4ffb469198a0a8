internal import ParticlesCore
internal import ParticlesModel

// Images and frames, for formats that show the frames of one image.

extension EmitterWriter {
  /// Reports what the engine ignores of the sprite: one line, for what is seen most.
  /// - Parameters:
  ///   - hasRegions: whether it shows regions of images.
  ///   - filter: how it filters images, and where frames are.
  ///   - scale: the report text for pixels per point.
  mutating func loseDetails(
    of sprite: Sprite, hasRegions: Bool, filter: (rule: Rule, detail: String), scale: String
  ) {
    let grid = sprite.grid ?? SpriteGrid()
    if !hasRegions, sprite.region != nil || sprite.rotated {
      lose(
        .lost, .texture, atRoot: "sprites",
        "image regions are not supported; the whole image is shown")
    } else if sprite.pivot != Sprite().pivot || sprite.rotated {
      lose(
        .lost, .texture, atRoot: "sprites",
        "a pivot or a rotated image is not supported; images are centred and upright")
    } else if sprite.filter != .linear || grid.order != .row {
      lose(filter.rule, .texture, atRoot: "sprites", filter.detail)
    } else if let count = grid.count, count != grid.columns * grid.rows {
      lose(.approximated, .flipbook, atRoot: "sprites", "all frames of the grid are shown")
    } else if sprite.scale != 1 {
      lose(.restated, .absoluteSize, atRoot: "sprites", scale)
    }
  }

  /// Reports the images after the first, which are not written.
  mutating func loseFurtherSprites(
    _ rule: Rule = .lost, _ detail: String = "only one image is supported"
  ) {
    guard emitter.sprites.count > 1 else { return }
    let places = system.spritePlaces
    let others = emitter.sprites.dropFirst().filter { $0 != emitter.sprites[0] }
    losses.append(
      Diagnostic(
        rule, .randomSprites, at: "\(path).sprites",
        also: ["\(path).spriteSelection"]
          + others.compactMap { places[$0] }.flatMap { ["sprites[\($0)]", "images[\($0)]"] },
        detail))
  }

  /// The first frame of a flip-book, a range if it may be any of them.
  mutating func firstFrame(of flipbook: Flipbook, frames: Double) -> Value {
    guard flipbook.startRandom else { return flipbook.start }
    lose(
      .restated, .flipbook, at: "flipbook.startRandom", also: ["flipbook.start"],
      "written as a random first frame")
    return .range(0, frames)
  }

  /// Reports a flip-book without effect, or frames without a flip-book.
  /// - Parameter isStill: whether the flip-book always shows the same frame.
  /// - Returns: whether there is a line.
  @discardableResult
  mutating func explainStill(frames: Int, isStill: Bool) -> Bool {
    if emitter.flipbook != nil, isStill {
      lose(.dead, .flipbook, at: "flipbook", "there is only one frame")
    } else if emitter.flipbook == nil, frames > 1 {
      lose(.restated, .flipbook, at: "flipbook", "written as a still first frame")
    } else {
      return false
    }
    return true
  }

  /// Reports an aspect ratio that is not that of particles in the engine.
  ///
  /// Where the picture has the same ratio, as most pictures are square, nothing changes. The size of a missing
  /// picture is unknown, and few are not square.
  /// - Parameters:
  ///   - own: the ratio of particles in the engine.
  ///   - image: the ratio of the image; that of its region by default.
  mutating func loseAspect(unless own: Aspect, ofImage image: Double? = nil, _ detail: String) {
    let aspect = emitter.size.aspect
    guard aspect != own else { return }
    guard let ofImage = image ?? ratioOfImage else {
      return lose(
        .assumed, .widthAndHeight, at: "size.aspect",
        "\(detail), and the picture is missing; it is taken for square", level: .low)
    }
    lose(
      aspect.ratio(of: ofImage) == own.ratio(of: ofImage) ? .restated : .lost, .widthAndHeight,
      at: "size.aspect", detail)
  }

  /// The ratio of width and height of the picture that particles show; 1 for the soft dot of a sprite without
  /// one. Nil if the picture is missing.
  private var ratioOfImage: Double? {
    let (width, height) = shownSize
    guard let width, let height else { return image == nil ? 1 : nil }
    return height > 0 ? width / height : 1
  }
}
