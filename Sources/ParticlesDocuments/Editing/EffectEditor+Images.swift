internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesFormats
internal import ParticlesImages
internal import ParticlesModel

extension EffectEditor {
  /// What became of a picture that was embedded.
  public struct EmbeddedImage: Sendable, Hashable {
    /// The path in the package.
    public var uri: String
    /// Whether it took the place of another one.
    public var isReplacement: Bool
    /// The index of the sprite that shows it; nil if there is none.
    public var sprite: Int?
    /// The index of the emitter that was made to show it; nil if none was.
    public var emitter: Int?
  }

  /// Embeds a picture.
  ///
  /// If the document has an image of the same file name, the picture takes its place, and whatever
  /// shows it shows the new one. An image that is not in the package may lack its extension in the
  /// document, and differ in case. Otherwise the picture becomes a new image with a sprite of its
  /// own.
  /// - Parameters:
  ///   - bytes: a PNG file, or one of another image format that is recognised.
  ///   - name: the name of the file, with or without a path before it.
  ///   - emitter: the name or index of the emitter that is to show the picture from now on; nil for
  ///     the only one of the document if the picture is new, and for none if there are several.
  /// - Throws: ``ParticlesCore/Rule/image`` if it is no picture; ``ParticlesCore/Rule/usage`` if
  ///   there is no such emitter.
  @discardableResult
  public mutating func embed(
    _ bytes: [UInt8], named name: String, shownBy emitter: String? = nil
  ) throws -> EmbeddedImage {
    guard let format = ImageFormat(of: bytes) else {
      let known = ImageFormat.all.map(\.name).joined(separator: ", ")
      throw Diagnostic(.image, at: Location(file: name), expected: "one of \(known)")
    }
    if format == .png {
      _ = try locating(Location(file: name)) { try PNG.decode(bytes, limits: limits) }
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

  private func onlyEmitter() throws -> Place? {
    guard text.value(at: [.key("emitters")])?.array?.count == 1 else { return nil }
    return try place(of: TypedKey("emitters[0]"))
  }

  /// Whether an image is not in the package and goes by the name of a file.
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

  /// Puts other bytes where an image is, and says what is true of them now.
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

  /// Adds an image under a name that no other file has.
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
