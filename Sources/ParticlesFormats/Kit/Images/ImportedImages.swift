internal import ParticlesContainer
internal import ParticlesCore
package import ParticlesImages
public import ParticlesModel

/// Collects the images that a particle file names: finds them and adds them to the package and the
/// document. Images with equal bytes are added once.
struct ImportedImages {
  private let context: DecodingContext
  private let report: (Diagnostic) -> Void

  /// The images by their path in the package, with the originals of converted ones.
  private(set) var files: [String: [UInt8]] = [:]

  /// The findings for files in the place of images from which no picture can be read. They are reported, too.
  private(set) var unread: [Diagnostic] = []

  private var names: UniqueNames
  private var images: [HashedBytes: Int] = [:]
  private var unresolved: [String: Int] = [:]
  private var sprites: [Sprite: Int] = [:]
  /// The results of searching for images, by the first of their names.
  private var searches: [String: Result<FoundImage, Diagnostic>] = [:]

  /// The images that a second file lists, such as an atlas. The key is its path and the name in the
  /// imported file. Emitters often share an atlas, so it is read once.
  private var listed: [[String]: [ListedImage]] = [:]

  /// The composed frames of animations, with keys as in `listed`. Nil if they cannot be composed.
  private var composed: [[String]: ComposedFrames?] = [:]

  /// The files that list images, by their paths in a package, with the images that one picture was made of.
  private(set) var related: [String: [UInt8]] = [:]

  /// The folders that are searched, for messages: the disk is looked at once for all missing images.
  private lazy var searched = context.searchedFolders()

  init(context: DecodingContext, report: @escaping (Diagnostic) -> Void = { _ in }) {
    self.context = context
    self.report = report
    names = UniqueNames(taken: [Files.lastComponent(of: Imported.sourcePath(of: context.fileName))])
  }

  /// Adds the image that a file names, and returns its index and the file. A missing image is
  /// reported and recorded by its name only.
  /// - Parameters:
  ///   - references: possible names, beginning with the name in the file.
  ///   - path: the key that names it.
  mutating func add(_ references: [String], at path: String, to system: inout ParticleSystem)
    throws(Failure) -> (index: Int, found: FoundImage?)?
  {
    guard let reference = references.first else { return nil }
    let found =
      if let known = searches[reference] { known } else { try search(references) }
    switch found {
    case .success(let image):
      searches[reference] = .success(image)
      return (try add(image.bytes, named: image.name, at: path, to: &system), image)
    case .failure(var fault):
      searches[reference] = .failure(fault)
      fault.location = .key(path)
      report(fault)
      return addUnresolved(reference, to: &system).map { ($0, nil) }
    }
  }

  /// The first image that is found, or the error for the first name.
  /// - Throws: ``ParticlesCore/Rule/limit`` if it is one too many for the budget of the operation.
  mutating func search(_ references: [String]) throws(Failure) -> Result<
    FoundImage, Diagnostic
  > {
    try EmitterCost.spend(onSearching: references.count)
    var fault: Diagnostic?
    for reference in references {
      do {
        if let image = try context.findImage(reference) { return .success(image) }
        fault = fault ?? .missing(reference, searched: searched)
      } catch {
        fault = fault ?? .missing(reference, because: Diagnostic.of(error))
      }
    }
    return .failure(fault ?? .missing(""))
  }

  /// Searches for an image that another file may list. The listed image comes first, and gets the name in this file.
  mutating func search(
    _ references: [String],
    or list: (file: String, images: ([UInt8]) throws(Failure) -> [ListedImage])?
  ) throws(Failure) -> Result<
    (image: FoundImage, listed: ListedImage?), Diagnostic
  > {
    guard let list, let reference = references.first else {
      return try search(references).map { ($0, nil) }
    }
    let key = [list.file, reference]
    if listed[key] == nil {
      listed[key] = []
      do {
        if let file = try context.findImage(list.file) {
          listed[key] = try list.images(file.bytes)
          if let path = Imported.relatedPath(of: list.file) { related[path] = file.bytes }
        }
      } catch let fault as Diagnostic {
        add(fault, of: list.file)
      }
    }
    for var listed in listed[key] ?? [] {
      if let frames = try frames(of: listed, key) {
        let name = Files.stem(of: FoundImage.baseName(of: reference)) + ".png"
        (listed.grid, listed.isReversed) = (frames.grid, false)
        return .success((FoundImage(name: name, bytes: frames.picture), listed))
      }
      guard case .success(var image) = try search([listed.name]) else { continue }
      let name = FoundImage.baseName(of: reference)
      image.name = Files.stem(of: name) + ImportedImage.ending(of: image.name)
      return .success((image, listed))
    }
    // In a package, the image has the name in this file.
    let first = listed[key]?.first
    return try search(references).map { ($0, first) }
  }

  /// Adds the finding that a file that lists images cannot be read, once.
  private mutating func add(_ fault: Diagnostic, of file: String) {
    let finding = Diagnostic(
      .uninterpreted, "\(file.excerpt) lists images and cannot be read: \(fault.message)",
      found: fault.found, severity: .warning, hint: fault.hint)
    if !unread.contains(finding) { unread.append(finding) }
  }

  /// The picture of all frames of an animation with one file for each frame. Nil if it has one file
  /// only, or if a file is missing.
  private mutating func frames(of listed: ListedImage, _ key: [String])
    throws(Failure) -> ComposedFrames?
  {
    guard listed.files.count > 1 else { return nil }
    if let known = composed[key] { return known }
    var (frames, paths): ([[UInt8]], [String: [UInt8]]) = ([], [:])
    for name in listed.files {
      let found = if let known = searches[name] { known } else { try search([name]) }
      guard case .success(let image) = found else { break }
      searches[name] = .success(image)
      frames.append(image.bytes)
      if let path = Imported.relatedPath(of: name) { paths[path] = image.bytes }
    }
    let isWhole = frames.count == listed.files.count
    if listed.isReversed { frames.reverse() }
    let result = isWhole ? try ComposedFrames(frames, limits: context.limits) : nil
    // The package keeps the source images of the picture, so that reading the file again gives this result.
    if result != nil { related.addMissing(paths) }
    composed[key] = .some(result)
    return result
  }

  /// Adds an image, unless it is there already, and gives its index.
  mutating func add(
    _ bytes: [UInt8], named name: String, at keyPath: String, to system: inout ParticleSystem
  ) throws(Failure) -> Int {
    let key = HashedBytes(bytes)
    if let known = images[key] { return known }
    let image = try ImportedImage(bytes, name: name, limits: context.limits, names: &names)
    if let kind = image.wasConverted {
      report(
        Diagnostic(
          .approximated, at: .key(keyPath), "\(name.excerpt) is \(kind) and becomes a plain PNG",
          severity: .note))
    }
    if let fault = image.fault, fault.rule == .image || fault.rule == .imageUnchecked {
      unread.append(.unread(name, because: fault, at: keyPath))
      unread.suffix(1).forEach(report)
    }
    files.addMissing(image.files)
    images[key] = system.images.count
    system.images.append(image.reference)
    return system.images.count - 1
  }

  /// Adds an image that was not found. Nil if the reference names no file.
  /// - Parameter name: the name of the file, if it is known by more than the reference.
  mutating func addUnresolved(
    _ reference: String, named known: String? = nil, to system: inout ParticleSystem
  ) -> Int? {
    let base = FoundImage.baseName(of: reference)
    guard !base.isEmpty, base != ".", base != ".." else { return nil }
    if let known = unresolved[reference] { return known }
    let name = ImportedImage.packageName(base)
    let ending = ImportedImage.ending(of: name)
    let stem = names.claim(Files.stem(of: name), endings: [ending])
    unresolved[reference] = system.images.count
    system.images.append(
      ImageReference(
        name: known ?? (reference.utf8.count < 1024 ? reference : name),
        uri: "\(Imported.imageDirectory)/\(stem)\(ending)"))
    return system.images.count - 1
  }

  /// The index of a sprite. An unknown sprite is added.
  mutating func index(of sprite: Sprite, in system: inout ParticleSystem) -> Int {
    if let known = sprites[sprite] { return known }
    sprites[sprite] = system.sprites.count
    system.sprites.append(sprite)
    return system.sprites.count - 1
  }
}

/// An image that another file lists.
struct ListedImage {
  var name: String
  /// The part of the image that is shown, or nil for all.
  var tile: Tile?
  /// How the frames from there on are played. Nil for a still image.
  var play: Flipbook?
  var frames = 1
  /// Whether the last frame is the first that is shown.
  var isReversed = false
  /// The images of the frames, if each is a file of its own.
  var files: [String] = []
  /// The grid of these frames in one picture. Nil if it was not made.
  var grid: SpriteGrid?

  /// A tile of an image with tiles of equal size, row by row. Each tile has a margin on all sides,
  /// and there is a space between two tiles.
  struct Tile {
    /// Counted from 0.
    var index = 0
    var width = 0.0
    var height = 0.0
    var margin = 0.0
    var spacing = 0.0

    /// The place of this tile and the tiles after it, and their grid. They must be in one row, or
    /// in whole rows, without gaps. Otherwise nil.
    func regions(
      of image: ParticleSystem.ImageReference, count: Int
    ) -> (region: Rectangle, grid: SpriteGrid)? {
      guard let first = region(of: image), margin == 0, spacing == 0, (2...10_000).contains(count)
      else { return nil }
      var last = self
      last.index = index + count - 1
      let columns = Int(saturating: Double(image.width ?? 0) / width)
      guard last.region(of: image) != nil, columns > 0 else { return nil }
      if index % columns + count <= columns {
        return (
          Rectangle(x: first.x, y: first.y, width: width * Double(count), height: height),
          SpriteGrid(columns: count, rows: 1)
        )
      }
      guard index.isMultiple(of: columns) else { return nil }
      let rows = (count + columns - 1) / columns
      return (
        Rectangle(
          x: 0, y: first.y, width: width * Double(columns), height: height * Double(rows)),
        SpriteGrid(columns: columns, rows: rows, count: rows * columns == count ? nil : count)
      )
    }

    /// Its place in an image. Nil if the image has no such tile, or an unknown size.
    func region(of image: ParticleSystem.ImageReference) -> Rectangle? {
      guard let total = image.width, let most = image.height, width >= 1, height >= 1,
        margin >= 0, spacing >= 0, index >= 0
      else { return nil }
      let (wide, high) = (2 * margin + spacing + width, 2 * margin + spacing + height)
      let columns = Int(saturating: (Double(total) + spacing) / wide)
      guard columns > 0 else { return nil }
      let (x, y) = (Double(index % columns) * wide, Double(index / columns) * high)
      guard y + margin + height <= Double(most) else { return nil }
      return Rectangle(x: margin + x, y: margin + y, width: width, height: height)
    }
  }
}

extension Diagnostic {
  /// The finding for a file in the place of an image from which no picture can be read. The package has the file.
  fileprivate static func unread(
    _ name: String, because fault: Diagnostic, at keyPath: String
  ) -> Diagnostic {
    var finding = fault
    finding.location = .key(keyPath)
    finding.severity = .warning
    finding.detail = [name.excerpt, fault.detail].compactMap { $0 }.joined(separator: ": ")
    return finding
  }

  /// The finding for a missing or unreadable image: the effect is imported without it.
  /// - Parameter folders: where the image was searched.
  static func missing(
    _ reference: String, because fault: Diagnostic? = nil, searched folders: [String] = []
  ) -> Diagnostic {
    Diagnostic(
      .missingImage, FoundImage.baseName(of: reference).excerpt,
      expected: folders.isEmpty ? nil : folders.joined(separator: ", "),
      found: fault?.message, hint: fault?.hint)
  }
}

/// An image that a particle file embeds or names, as it is added to a package.
struct ImportedImage {
  let reference: ImageReference

  /// The files of the package that hold it, by their paths: the image, and its original if that was
  /// converted.
  private(set) var files: [String: [UInt8]] = [:]

  /// The original type as text: "in Apple's variant of PNG". Nil if it was not converted.
  let wasConverted: String?

  /// The reason why no picture can be read from the bytes, or nil for a picture.
  let fault: Diagnostic?

  /// Takes an image. TIFF, TGA and Apple's variant of PNG become plain PNG, because browsers do not decode
  /// them. Anything else, readable or not, is kept unchanged.
  init(_ bytes: [UInt8], name: String, limits: Limits, names: inout UniqueNames) throws(Failure) {
    let name = Self.packageName(name)
    let ending = Self.ending(of: name)
    let converted = try SharedImages.result(
      .convert, of: bytes, limits: limits, size: { $0.image.count }
    ) { () throws(Failure) in try ConvertedImage(bytes, limits: limits) }
    let newEnding = converted.isRenamed ? ".png" : ending
    let stem = names.claim(Files.stem(of: name), endings: [ending, newEnding])
    (wasConverted, fault) = (converted.wasConverted, converted.fault)
    if wasConverted != nil { files["Source/\(stem)\(ending)"] = bytes }
    let path = "\(Imported.imageDirectory)/\(stem)\(newEnding)"
    files[path] = converted.image
    var reference = converted.reference
    (reference.name, reference.uri) = (stem, path)
    self.reference = reference
  }

  /// The name of an image in the package, without characters that are not portable.
  static func packageName(_ name: String) -> String {
    let scalars = name.unicodeScalars.prefix(100).map { scalar in
      scalar.isControl || "\\/:*?\"<>|".unicodeScalars.contains(scalar) ? "_" : scalar
    }
    var text = String(String.UnicodeScalarView(scalars))
    while let last = text.last, last == "." || last == " " { text.removeLast() }
    return text.isEmpty ? "image" : text
  }

  /// The extension of a name with its point, in the original spelling.
  static func ending(of name: String) -> String {
    String(name.unicodeScalars.dropFirst(Files.stem(of: name).unicodeScalars.count))
  }
}

/// An image in a form that every program reads, with its metadata.
private struct ConvertedImage: Sendable {
  let image: [UInt8]
  let reference: ImageReference
  /// Whether its extension belongs to another format.
  let isRenamed: Bool
  let wasConverted: String?
  let fault: Diagnostic?

  init(_ bytes: [UInt8], limits: Limits) throws(Failure) {
    let format = ImageFormat(of: bytes)
    var (picture, fault): (Bitmap?, Diagnostic?)
    do { picture = try Bitmap(decoding: bytes, limits: limits) } catch {
      // An image whose decoding was cancelled is not known to be wrong.
      try WorkBudget.checkCancellation()
      fault = Diagnostic.of(error)
    }
    self.fault = fault
    isRenamed = picture != nil && (format == .tiff || format == .tga)
    let isApple = picture != nil && PNG.isAppleVariant(bytes)
    wasConverted =
      isApple ? "in Apple's variant of PNG" : isRenamed ? format.map { "a \($0.name)" } : nil
    if let picture, wasConverted != nil { image = try PNG.encode(picture) } else { image = bytes }
    reference = ImageReference(describing: image, at: "", picture: picture)
  }
}

extension ImageReference {
  /// A reference to an image in a package, with metadata from its bytes.
  public init(describing bytes: [UInt8], at path: String) {
    self.init(describing: bytes, at: path, picture: try? Bitmap(decoding: bytes))
  }

  /// Creates a reference for bytes that were already decoded, or cannot be decoded.
  package init(describing bytes: [UInt8], at path: String, picture: Bitmap?) {
    self.init(uri: path)
    mimeType = ImageFormat(of: bytes)?.mimeType
    sha256 = SHA256.digest(bytes).description
    (width, height) = (picture?.width, picture?.height)
  }
}

/// An address that holds an image, and does not name one: `data:image/png;base64,…` (RFC 2397).
struct DataAddress {
  /// The usual extension of files of its type, with its point: `.png`.
  let ending: String
  /// The bytes, or nil if they are not in base64.
  let bytes: [UInt8]?

  init?(_ address: String) {
    guard address.utf8.starts(with: "data:".utf8), let comma = address.utf8.firstIndex(of: 0x2C)
    else { return nil }
    let head = address[..<comma].lowercased()
    let type = head.dropFirst("data:image/".count).prefix { $0.isASCII && $0.isLetter }
    ending = !head.hasPrefix("data:image/") || type.isEmpty ? ".png" : ".\(type.prefix(8))"
    bytes =
      head.hasSuffix(";base64")
      ? try? [UInt8](base64: String(address[address.index(after: comma)...]), rule: .embeddedImage)
      : nil
  }
}

extension TreeSprite {
  /// Takes the image out of an address that holds it. The image gets the next name, or "image"
  /// without one.
  mutating func takeData() {
    guard let data = references.first.flatMap(DataAddress.init) else { return }
    var name = references.dropFirst().first.map(FoundImage.baseName) ?? ""
    if name.isEmpty { name = "image" }
    if ImportedImage.ending(of: name).isEmpty { name += data.ending }
    references = [name]
    inside = data.bytes.map { FoundImage(name: name, bytes: $0) }
  }
}
