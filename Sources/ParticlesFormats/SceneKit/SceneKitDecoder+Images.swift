internal import ParticlesCore
internal import ParticlesModel

// The image: a path that is seldom true on another computer, or the bytes themselves.

extension SceneKitDecoder {
  /// Adds the sprite of a system; nil if it has no image, or nobody has it.
  mutating func addSprite(of scene: SceneKitSystem) throws -> Int? {
    guard let (name, bytes) = try image(of: scene.object) else { return nil }
    let path = "Images/\(Self.packageName(name))"
    let image: Int
    if let known = system.images.firstIndex(where: { $0.uri == path }) {
      image = known
    } else {
      image = system.images.count
      system.images.append(Self.reference(path, name: name, bytes))
      images[path] = bytes
    }
    var sprite = Sprite(image: image)
    sprite.grid = scene.grid()
    if let known = system.sprites.firstIndex(of: sprite) { return known }
    system.sprites.append(sprite)
    return system.sprites.count - 1
  }

  private func image(of object: ArchivedObject) throws -> (name: String, bytes: [UInt8])? {
    let key = "particleImage"
    let reference: String?
    switch object.value(key) {
    case nil: return nil
    case .data(let bytes)?: return ("particle.\(ImageKind(bytes)?.suffix ?? "bin")", bytes)
    case .dictionary?: reference = try object.dictionary(key)?.string("path")
    case .string(let path)?: reference = path
    case let other?:
      object.mismatch(key, expected: "a path", found: other.kind)
      return nil
    }
    guard let reference else {
      object.reportUninterpreted(key, "an image without path")
      return nil
    }
    return try find(reference, at: object.path(of: key))
  }

  /// An image that cannot be read is reported, and the effect is imported without it.
  private func find(_ reference: String, at path: String) throws -> (String, [UInt8])? {
    let name = ImageFinder.baseName(of: reference)
    do {
      if let bytes = try context.findImage(reference) { return (name, bytes) }
      reader.report(Diagnostic(.missingImage, at: .key(path), name.excerpt))
    } catch let fault as Diagnostic {
      reader.report(
        Diagnostic(
          .missingImage, at: .key(path), name.excerpt, found: fault.message,
          hint: fault.hint))
    }
    return nil
  }

  private static func reference(
    _ path: String, name: String, _ bytes: [UInt8]
  ) -> ImageReference {
    var image = ImageReference(name: Files.stem(of: name), uri: path)
    let kind = ImageKind(bytes)
    image.mimeType = kind?.mimeType
    if let size = kind?.size(bytes) { (image.width, image.height) = size }
    image.sha256 = SHA256.digest(bytes).description
    return image
  }

  /// The name of an image in the package, which is more particular than a file system.
  private static func packageName(_ name: String) -> String {
    let scalars = name.unicodeScalars.prefix(100).map { scalar in
      scalar.isControl || "\\/:*?\"<>|".unicodeScalars.contains(scalar) ? "_" : scalar
    }
    var text = String(String.UnicodeScalarView(scalars))
    while let last = text.last, last == "." || last == " " { text.removeLast() }
    return text.isEmpty ? "image" : text
  }
}

/// What an image file is, by its first bytes.
enum ImageKind {
  case png, jpeg, gif, tiff, exr

  init?(_ bytes: [UInt8]) {
    func starts(_ start: UInt8...) -> Bool { bytes.starts(with: start) }
    if starts(0x89, 0x50, 0x4E, 0x47) {
      self = .png
    } else if starts(0xFF, 0xD8, 0xFF) {
      self = .jpeg
    } else if starts(0x47, 0x49, 0x46, 0x38) {
      self = .gif
    } else if starts(0x49, 0x49, 0x2A, 0) || starts(0x4D, 0x4D, 0, 0x2A) {
      self = .tiff
    } else if starts(0x76, 0x2F, 0x31, 0x01) {
      self = .exr
    } else {
      return nil
    }
  }

  var suffix: String {
    switch self {
    case .png: "png"
    case .jpeg: "jpg"
    case .gif: "gif"
    case .tiff: "tiff"
    case .exr: "exr"
    }
  }

  var mimeType: String {
    switch self {
    case .jpeg: "image/jpeg"
    case .exr: "image/x-exr"
    default: "image/\(suffix)"
    }
  }

  /// Width and height, where the first bytes of the file tell.
  func size(_ bytes: [UInt8]) -> (Int?, Int?)? {
    guard self == .png, bytes.count >= 24 else { return nil }
    func number(_ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    let (width, height) = (number(16), number(20))
    return width > 0 && height > 0 ? (width, height) : nil
  }
}
