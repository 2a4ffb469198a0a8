internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel
internal import ParticlesPropertyLists

// Size and rendering of particles, and unsupported physics.

extension KeyedEmitter<SpriteKitFamily> {
  /// - Parameter hasSprite: whether the image was found, so that the size of the sprite is known.
  func size(hasSprite: Bool) throws(Failure) -> Size {
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
      at: "size.width", "all particles grow equally", times: 1 / base)
  }

  /// Width and height of the sprite in points. Nil if unknown.
  private var spriteSize: (width: Double, height: Double)? {
    guard let sprite, let frame, frame.width > 0, frame.height > 0 else { return nil }
    return (frame.width / sprite.scale, frame.height / sprite.scale)
  }

  private func reference(of track: Track) -> Double {
    let most =
      track.isStraight
      ? track.from.spread.center.magnitude
      : track.curve(lifetime: lifetime).curve.keys.map { $0.value.magnitude }.max() ?? 0
    return most > 1e-6 ? most : 1
  }

  private mutating func aspect(of size: Size) -> Double {
    var ratio: Double
    switch size.aspect {
    case .ratio(let stated): ratio = stated
    case .sprite:
      ratio = spriteSize.map { $0.width / $0.height } ?? 1
      lose(.restated, .widthAndHeight, at: "size.aspect", "the image decides on the aspect ratio")
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
      .assumed, .sort, at: "render.sort", "undocumented in files. Set it in code",
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

// An archived `SKTexture`: the name of an image, with metadata of the editor.

extension SpriteKitFamily {
  func image(of emitter: KeyedEmitter<SpriteKitFamily>) throws(Failure) -> KeyedImage? {
    let texture = emitter.key("_particleTexture")
    guard let object = try emitter.texture() else {
      if let other = emitter.object.value(texture) {
        emitter.object.mismatch(texture, expected: "an SKTexture", found: other.kind)
      }
      return nil
    }
    let key = object.index(of: "_imgName") == nil ? "imageName" : "_imgName"
    guard let name = object.string(key), !name.isEmpty else {
      object.reportUninterpreted(key, "an image without a name")
      return nil
    }
    return KeyedImage(path: object.path(of: key), references: candidates(name))
  }

  /// The names that the file of an image may have: SpriteKit also finds it without extension and
  /// with a scale suffix.
  private func candidates(_ name: String) -> [String] {
    let kind = Files.pathExtension(of: name)
    guard impliedExtensions.contains(kind) else {
      return [name]
        + impliedExtensions.flatMap { kind in ["", "@2x", "@3x"].map { "\(name)\($0).\(kind)" } }
    }
    return [name] + ["@2x", "@3x"].map { "\(Files.stem(of: name))\($0).\(kind)" }
  }

  func sprite(
    _ image: ImageReference, _ found: FoundImage?, of emitter: KeyedEmitter<SpriteKitFamily>
  ) throws(Failure) -> Sprite {
    var sprite = Sprite(image: 0)
    guard let texture = try emitter.texture() else { return sprite }
    let name = found?.name ?? texture.imageName
    if let scale = found?.scale {
      sprite.scale = Double(scale)
    } else {
      sprite.scale = try scale(of: image, named: name, texture)
    }
    if texture.int("_filteringMode") == 0 { sprite.filter = .nearest }
    sprite.region = try region(of: image, isFound: found != nil, texture)
    for key in ["_isRotated", "_isFlipped", "_disableAlpha"] where texture.bool(key) ?? false {
      texture.reportUninterpreted(key, found: "true")
    }
    return sprite
  }

  /// Pixels per point: from the name of the file, or from the metadata of the editor if the image
  /// is unchanged.
  private func scale(of image: ImageReference, named name: String, _ texture: ArchivedObject)
    throws(Failure) -> Double
  {
    if let scale = scale(named: name) { return scale }
    guard let pixels = try texture.pair("_pixelSize"), image.width == Int(saturating: pixels.x),
      image.height == Int(saturating: pixels.y)
    else { return 1 }
    return try texture.pair("_size").map { (pixels.x / $0.x).rounded } ?? 1
  }

  private func scale(named name: String) -> Double? {
    let stem = Files.stem(of: name)
    return imageSuffixes.first { stem.hasSuffix($0.value) }?.key
  }

  func imageSize(of emitter: KeyedEmitter<SpriteKitFamily>) throws(Failure) -> (
    Int?, Int?
  )? {
    guard let texture = try emitter.texture() else { return nil }
    func pixels(_ length: Double) -> Int? {
      (1...65536).contains(length) ? Int(saturating: length) : nil
    }
    if let size = try texture.pair("_pixelSize") { return (pixels(size.x), pixels(size.y)) }
    let scale = scale(named: texture.imageName) ?? 1
    return try texture.pair("_size").map { (pixels($0.x * scale), pixels($0.y * scale)) }
  }

  /// The region of the image. SpriteKit states it as fractions, from the bottom left corner.
  private func region(of image: ImageReference, isFound: Bool, _ texture: ArchivedObject)
    throws(Failure) -> Rectangle?
  {
    guard let part = try texture.geometry("_textRect", count: 4), part != [0, 0, 1, 1],
      part[2] > 0, part[3] > 0
    else { return nil }
    guard let width = image.width.map(Double.init), let height = image.height.map(Double.init)
    else {
      if isFound {
        texture.reportUninterpreted("_textRect", "a region of an image of unknown size")
      }
      return nil
    }
    let inside = -1e-6...1 + 1e-6
    guard [part[0], part[1], part[0] + part[2], part[1] + part[3]].allSatisfy(inside.contains)
    else {
      let found = part.map { "\($0)" }.joined(separator: ", ")
      texture.mismatch("_textRect", expected: "a region inside the image", found: "[\(found)]")
      return nil
    }
    return Rectangle(
      x: (part[0] * width).rounded, y: ((1 - part[1] - part[3]) * height).rounded,
      width: (part[2] * width).rounded, height: (part[3] * height).rounded)
  }
}

extension KeyedEmitter<SpriteKitFamily> {
  fileprivate func texture() throws(Failure) -> ArchivedObject? {
    let key = key("_particleTexture")
    guard case .object? = object.value(key) else { return nil }
    return try object.object(key)
  }

  func textureSize() throws(Failure) -> (x: Double, y: Double)? {
    guard let texture = try texture() else { return nil }
    if let size = try texture.pair("_size") { return size }
    return try texture.pair("_pixelSize")
  }
}

extension ArchivedObject {
  fileprivate var imageName: String { string("_imgName") ?? string("imageName") ?? "" }

  fileprivate func pair(_ key: String) throws(Failure) -> (x: Double, y: Double)? {
    guard let size = try geometry(key, count: 2), size[0] > 0, size[1] > 0 else { return nil }
    return (size[0], size[1])
  }
}

extension EmitterWriter<SpriteKitFamily> {
  mutating func encodeTexture() {
    guard let sprite, let image, let name = surroundings.imageName else {
      return set("_particleTexture", .null)
    }
    if sprite.grid != nil {
      lose(.approximated, .flipbook, atRoot: "sprites", "only the first frame is shown")
    } else if sprite.pivot != Sprite().pivot || sprite.rotated {
      lose(
        .lost, .texture, atRoot: "sprites",
        "a pivot or a rotated image is not supported. Images are centred and upright")
    } else if sprite.region != nil, image.width == nil || image.height == nil {
      lose(
        .lost, .texture, atRoot: "sprites",
        "the size of the image is unknown. The whole image is shown"
      )
    } else if !sprite.hasKnownScale {
      lose(
        .restated, .absoluteSize, atRoot: "sprites",
        "only 1, 2 or 3 pixels per point are supported. Other scales are applied to particles")
    }
    let (width, height) = (Double(image.width ?? 0), Double(image.height ?? 0))
    let scale = sprite.hasKnownScale ? sprite.scale : 1
    var part = [0, 0, 1, 1.0]
    if let frame, width > 0, height > 0 {
      part = [
        frame.x / width, 1 - (frame.y + frame.height) / height, frame.width / width,
        frame.height / height,
      ]
    }
    set(
      "_particleTexture",
      .object(
        ["SKTexture", "NSObject"],
        [
          .init("_imgName", .string(name)), .init("_pixelSize", .size(width, height)),
          .init("_size", .size(width / scale, height / scale)),
          .init("_textRect", .rect(x: part[0], y: part[1], width: part[2], height: part[3])),
          .init("_cropOffset", .point(0, 0)), .init("_cropScale", .point(1, 1)),
          .init("_filteringMode", .integer(sprite.filter == .linear ? 1 : 0)),
          .init("_originalAtlasName", .null), .init("_subTextureName", .null),
        ]
          + ["_isData", "_isPath", "_isRotated", "_isFlipped", "_isCapture", "_disableAlpha"].map {
            .init($0, .bool(false))
          }))
  }
}

extension Sprite {
  /// Whether the name of an image states its pixels per point for SpriteKit.
  var hasKnownScale: Bool { [1, 2, 3].contains(scale) }
}
