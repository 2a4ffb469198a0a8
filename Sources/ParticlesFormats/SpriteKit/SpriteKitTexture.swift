internal import ParticlesCore
internal import ParticlesModel

/// An archived `SKTexture`: the name of an image, with what the editor knew of it.
struct SpriteKitTexture {
  private let object: ArchivedObject

  init(_ object: ArchivedObject) { self.object = object }

  /// Its size in points.
  func size() throws -> (x: Double, y: Double)? {
    guard let size = try object.geometry("_size", count: 2), size[0] > 0, size[1] > 0 else {
      return try pixelSize()
    }
    return (size[0], size[1])
  }

  private func pixelSize() throws -> (x: Double, y: Double)? {
    guard let size = try object.geometry("_pixelSize", count: 2), size[0] > 0, size[1] > 0 else {
      return nil
    }
    return (size[0], size[1])
  }

  /// Adds the sprite that shows it; nil if nobody has the image.
  func addSprite(
    to system: inout ParticleSystem, images: inout ImportedImages
  ) throws -> Int? {
    let key = object.index(of: "_imgName") == nil ? "imageName" : "_imgName"
    let path = object.path(of: key)
    guard let name = object.string(key), !name.isEmpty else {
      object.reportUninterpreted(key, "an image without a name")
      return nil
    }
    guard let found = images.find(Self.candidates(name), at: path) else { return nil }
    let index = try images.add(found.bytes, named: found.name, at: path, to: &system)
    var sprite = Sprite(image: index)
    let image = system.images[index]
    sprite.scale = try scale(of: image, named: found.name)
    if object.int("_filteringMode") == 0 { sprite.filter = .nearest }
    sprite.region = try region(of: image)
    for key in ["_isRotated", "_isFlipped", "_disableAlpha"] where object.bool(key) ?? false {
      object.reportUninterpreted(key, found: "true")
    }
    return system.index(ofSprite: sprite)
  }

  /// The extensions that a name may leave out.
  static let kinds = ["png", "jpg", "jpeg"]

  /// The names that the file of an image may have: SpriteKit finds it without its extension, and
  /// with the factor of a display in the name.
  static func candidates(_ name: String) -> [String] {
    let kind = Files.pathExtension(of: name)
    guard kinds.contains(kind) else {
      return [name] + kinds.flatMap { kind in ["", "@2x", "@3x"].map { "\(name)\($0).\(kind)" } }
    }
    return [name] + ["@2x", "@3x"].map { "\(Files.stem(of: name))\($0).\(kind)" }
  }

  /// Pixels per point: as the name of the file says, or as the editor knew the image if it is the
  /// same.
  private func scale(of image: ImageReference, named name: String) throws -> Double {
    let stem = Files.stem(of: name)
    if stem.hasSuffix("@2x") { return 2 }
    if stem.hasSuffix("@3x") { return 3 }
    guard let size = try size(), let pixels = try pixelSize(), image.width == Int(pixels.x),
      image.height == Int(pixels.y)
    else { return 1 }
    return (pixels.x / size.x).rounded
  }

  /// The part of the image that it is, which SpriteKit counts from the bottom left corner and as a
  /// share of the image.
  private func region(of image: ImageReference) throws -> Rectangle? {
    guard let part = try object.geometry("_textRect", count: 4), part != [0, 0, 1, 1],
      part[2] > 0, part[3] > 0
    else { return nil }
    guard let width = image.width.map(Double.init), let height = image.height.map(Double.init)
    else {
      object.reportUninterpreted("_textRect", "a part of an image of unknown size")
      return nil
    }
    let inside = -1e-6...1 + 1e-6
    guard [part[0], part[1], part[0] + part[2], part[1] + part[3]].allSatisfy(inside.contains)
    else {
      object.mismatch("_textRect", expected: "a part of the image", found: "\(part)")
      return nil
    }
    return Rectangle(
      x: (part[0] * width).rounded, y: ((1 - part[1] - part[3]) * height).rounded,
      width: (part[2] * width).rounded, height: (part[3] * height).rounded)
  }
}

extension ArchivedEmitter<SpriteKitFamily> {
  func texture() throws -> SpriteKitTexture? {
    let key = key("_particleTexture")
    guard case .object? = object.value(key) else { return nil }
    return try object.object(key).map(SpriteKitTexture.init)
  }

  func checkTexture() {
    let key = key("_particleTexture")
    switch object.value(key) {
    case nil, .object?: break
    case let other?: object.mismatch(key, expected: "an SKTexture", found: other.kind)
    }
  }
}

extension EmitterWriter<SpriteKitFamily> {
  mutating func encodeTexture() {
    guard let sprite, let image, let name = surroundings.texture else {
      return set("_particleTexture", .null)
    }
    if sprite.grid != nil {
      lose(.approximated, .flip, atRoot: "sprites", "the first frame is shown")
    } else if sprite.pivot != Sprite().pivot || sprite.rotated {
      lose(.lost, .tex, atRoot: "sprites", "particles sit in the middle of an upright image")
    } else if sprite.region != nil, image.width == nil || image.height == nil {
      lose(.lost, .tex, atRoot: "sprites", "of an image of unknown size, all of it is shown")
    } else if !sprite.hasKnownScale {
      lose(
        .restated, .sizeAbs, atRoot: "sprites",
        "images have 1, 2 or 3 pixels per point; others are sized by particle")
    }
    let (width, height) = (Double(image.width ?? 0), Double(image.height ?? 0))
    let scale = sprite.hasKnownScale ? sprite.scale : 1
    let part = part(of: sprite, width, height)
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
          + ["_isData", "_isPath", "_isRotated", "_isFlipped", "_isCapture", "_disableAlpha"]
          .map { .init($0, .bool(false)) }))
  }

  /// The region of a sprite, or its first frame, as a share of the image.
  private func part(of sprite: Sprite, _ width: Double, _ height: Double) -> [Double] {
    guard let region = frame(of: sprite), width > 0, height > 0 else { return [0, 0, 1, 1] }
    return [
      region.x / width, 1 - (region.y + region.height) / height, region.width / width,
      region.height / height,
    ]
  }

  /// The part of the image in pixels that particles show; nil for all of it.
  func frame(of sprite: Sprite) -> Rectangle? {
    guard let grid = sprite.grid else { return sprite.region }
    var region = sprite.region
    if region == nil, let width = image?.width, let height = image?.height {
      region = Rectangle(x: 0, y: 0, width: Double(width), height: Double(height))
    }
    region?.width /= Double(max(grid.columns, 1))
    region?.height /= Double(max(grid.rows, 1))
    return region
  }
}

extension Sprite {
  /// Whether SpriteKit can tell from the name of an image how many pixels a point has.
  var hasKnownScale: Bool { [1, 2, 3].contains(scale) }
}
