internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesFormats
internal import ParticlesImages
internal import ParticlesModel

extension EffectEditor {
  /// The result of embedding an image.
  public struct EmbeddedImage: Sendable, Hashable {
    /// The path in the package.
    public var uri: String
    /// Whether it replaced an image of the same name.
    public var isReplacement: Bool
    /// The index of the sprite that uses it; nil if there is none.
    public var sprite: Int?
    /// The index of the emitter that was changed to use it; nil if none was.
    public var emitter: Int?
  }

  /// Embeds an image.
  ///
  /// If the document has an image of the same file name, the new one replaces it, and all sprites
  /// of the old image use the new one. The URI of an image that is missing from the package matches
  /// without regard to case and file name extension. Otherwise a new image and a sprite for it are
  /// added.
  /// - Parameters:
  ///   - bytes: the contents of a PNG, JPEG, WebP, GIF, TIFF, BMP, TGA or OpenEXR file. TGA becomes PNG, because
  ///     browsers do not decode it; the others are kept as they are.
  ///   - name: the file name, with or without a path.
  ///   - emitter: the name or index of the emitter that will use the image. Nil selects the only
  ///     emitter of the document if the image is new, and no emitter if there are several.
  /// - Throws: ``ParticlesCore/Rule/image`` if `bytes` is not an image in one of these formats, or a damaged one;
  ///   ``ParticlesCore/Rule/limit`` if it has more pixels than the limits allow;
  ///   ``ParticlesCore/Rule/usage`` if there is no such emitter.
  @discardableResult
  public mutating func embed(
    _ bytes: [UInt8], named name: String, shownBy emitter: String? = nil
  ) throws -> EmbeddedImage {
    let (bytes, name) = try locating(Location(file: name)) {
      try Self.embeddable(bytes, named: name, limits)
    }
    let emitter = try emitter.map { try place(of: TypedKey(element: $0, of: "emitters")) }
    let preferred = "\(EffectPackage.imageDirectory)/\(Files.lastComponent(of: name))"
    let images = text.value(at: [.key("images")])?.array ?? []
    var result: EmbeddedImage
    if let index = images.firstIndex(where: { $0.object?["uri"]?.string == preferred })
      ?? images.firstIndex(where: { isMissing($0, from: name) })
    {
      try replace(index, by: bytes, at: preferred)
      result = EmbeddedImage(uri: preferred, isReplacement: true, sprite: sprite(showing: index))
    } else {
      result = EmbeddedImage(uri: try add(bytes, named: name), isReplacement: false)
    }
    let image = images.firstIndex { $0.object?["uri"]?.string == result.uri } ?? images.count
    let shows = try emitter ?? (result.isReplacement ? nil : onlyEmitter())
    if result.sprite == nil, !result.isReplacement || shows != nil {
      result.sprite = text.value(at: [.key("sprites")])?.array?.count ?? 0
      try set(Sprite(image: image).json, at: place(of: TypedKey("sprites[+]")))
    }
    if let shows, let sprite = result.sprite {
      if case .index(let index)? = shows.steps.last { result.emitter = index }
      try set(.array([.int(sprite)]), at: place(of: TypedKey("\(shows.key).sprites")))
    }
    return result
  }

  /// The image as a package has it, and the name of its file.
  private static func embeddable(
    _ bytes: [UInt8], named name: String, _ limits: Limits
  ) throws -> (bytes: [UInt8], name: String) {
    let format = ImageFormat(of: bytes)
    do {
      let picture = try Bitmap(decoding: bytes, limits: limits)
      guard format == .tga else { return (bytes, name) }
      return (try PNG.encode(picture), "\(Files.stem(of: Files.lastComponent(of: name))).png")
    } catch let fault as Diagnostic where fault.rule == .imageUnchecked {
      if format != nil { return (bytes, name) }
      let known = ImageFormat.all.map(\.name).joined(separator: ", ")
      throw Diagnostic(.image, expected: "one of \(known)", found: fault.found)
    }
  }

  private func onlyEmitter() throws -> Place? {
    guard text.value(at: [.key("emitters")])?.array?.count == 1 else { return nil }
    return try place(of: TypedKey("emitters[0]"))
  }

  /// Whether an image is missing from the package and its URI matches a file name.
  private func isMissing(_ image: JSONValue, from file: String) -> Bool {
    guard let uri = image.object?["uri"]?.string, package.container.root[uri] == nil else {
      return false
    }
    let known = Files.lastComponent(of: uri).lowercased()
    return [Files.lastComponent(of: file), Files.stem(of: file)].contains {
      $0.lowercased() == known
    }
  }

  private func sprite(showing image: Int) -> Int? {
    text.value(at: [.key("sprites")])?.array?.firstIndex {
      $0.object?["image"]?.int == image && $0.object?["region"] == nil
    }
  }

  /// Replaces the contents of an image and updates its type, size and digest in the document.
  private mutating func replace(_ index: Int, by bytes: [UInt8], at path: String) throws {
    try package.container.root.setFileNode(FileNode(regularFileWithContents: bytes), at: path)
    let new = ImageReference(describing: bytes, at: path).json.object
    if text.value(at: [.key("images"), .index(index), .key("uri")])?.string != path {
      try set(.string(path), at: place(of: TypedKey("images[\(index)].uri")))
    }
    for key in ["mimeType", "width", "height", "sha256"] {
      if let fact = new?[key] {
        try set(fact, at: place(of: TypedKey("images[\(index)].\(key)")))
      } else {
        try unset("images[\(index)].\(key)")
      }
    }
  }

  /// Adds an image under an unused name.
  private mutating func add(_ bytes: [UInt8], named name: String) throws -> String {
    var folder = package.container.root[EffectPackage.imageDirectory] ?? .emptyDirectory
    let used = try folder.addRegularFile(
      withContents: bytes, preferredFilename: Files.lastComponent(of: name))
    try package.container.root.setFileNode(folder, at: EffectPackage.imageDirectory)
    let path = "\(EffectPackage.imageDirectory)/\(used)"
    try set(
      ImageReference(describing: bytes, at: path).json, at: place(of: TypedKey("images[+]")))
    return path
  }
}
