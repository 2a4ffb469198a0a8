public import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

/// The context of an encoder: file name, source, images and limits.
public struct EncodingContext: Sendable {
  /// The storage of the images of an effect.
  public enum ImagePlacement: String, Sendable, CaseIterable {
    /// Embedded in the file, if the format supports it.
    case embedded
    /// In separate files in the folder of the effect.
    case beside
  }

  /// The file that an effect was imported from.
  public struct Source: Sendable {
    /// Its name, without folders.
    public var name: String
    /// Its bytes.
    public var bytes: [UInt8]

    /// Creates a source.
    public init(name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  /// The name of the file to be written, without folders.
  public var fileName: String

  /// The file of this format that the effect was imported from, if available. Values that have not
  /// changed since are written as they are in that file.
  public var source: Source?

  /// The storage of images, or nil for the usual storage of the format.
  public var images: ImagePlacement?

  /// The engine that the files are written for, if several engines read the format. Nil for the
  /// usual engine.
  var engine: ParticleSystem.Profile?

  /// Whether the result replaces the source, so that related files with values of the effect are
  /// where the source names them.
  package var isInPlace = false

  /// How a changed value of a shared file is written, if the result replaces the source. Several
  /// effects may share the file.
  package enum SharedValues: String, Sendable, CaseIterable {
    /// The shared file is changed. See ``Exported/others``.
    case edit
    /// The effect gets its own copy of the resource with the value.
    case copy
  }

  /// nil, the default, refuses the change.
  package var sharedValues: SharedValues?

  /// Whether levels of losses are estimated. True by default. A caller without a report saves the work.
  package var isEstimating = true

  /// The limits for reading the source and the images.
  public var limits: Limits

  /// The bytes of an image by its path in the package, or nil if there is none.
  public var readImage: @Sendable (_ path: String) throws(Failure) -> [UInt8]?

  /// Creates a context. Without `readImage` there are no images.
  public init(
    fileName: String, source: Source? = nil, images: ImagePlacement? = nil,
    limits: Limits = .standard,
    readImage: @escaping @Sendable (_ path: String) throws(Failure) -> [UInt8]? = {
      _ in nil
    }
  ) {
    self.fileName = RawPath.readable(fileName)
    self.source = source
    self.images = images
    self.limits = limits
    self.readImage = readImage
  }

  /// The bytes of another file with values of the effect, by the name that the source has for it.
  func related(_ reference: String) throws(Failure) -> [UInt8]? {
    try Imported.relatedPath(of: reference).flatMap(readImage)
  }

  /// The name of a further file in this folder, for formats whose files hold one emitter:
  /// `fire-2.pex`, for the number 2.
  public func fileName(part number: Int) -> String {
    let kind = Files.pathExtension(of: fileName)
    return "\(Files.stem(of: fileName))-\(number)" + (kind.isEmpty ? "" : ".\(kind)")
  }
}

/// An effect as files of another format.
public struct Exported: Sendable {
  /// A file with an effect in it.
  public struct Part: Sendable {
    /// The name, without folders.
    public var name: String

    /// The contents.
    public var bytes: [UInt8]

    /// The indices of the emitters in the file, in the order of reading.
    public var emitters: [Int]

    /// The values of source code as a file that can be read. Nil for files that can be read themselves.
    var model: [UInt8]?

    /// Creates a file.
    public init(name: String, bytes: [UInt8], emitters: [Int]) {
      self.name = name
      self.bytes = bytes
      self.emitters = emitters
    }
  }

  /// The files with the effect, beginning with the requested file. Formats with one emitter per
  /// file write one file for each.
  public var parts: [Part]

  /// Further files to be written, by their names: images.
  public var beside: [String: [UInt8]]

  /// Changed related files with values of the effect, by the names that the source has for them.
  /// See ``EncodingContext/SharedValues/edit``.
  package var others: [String: [UInt8]] = [:]

  /// The loss report: diagnostics of the family `convert`.
  public var losses: [Diagnostic]

  /// Creates a result.
  public init(parts: [Part], beside: [String: [UInt8]] = [:], losses: [Diagnostic] = []) {
    self.parts = parts
    self.beside = beside
    self.losses = losses
  }
}

/// Compares an effect with the result of reading its exported files again.
struct Audit {
  private let system: ParticleSystem

  private var values: StatedValues

  /// The values that it states at changed paths.
  private let old: [String: JSONValue]

  /// Lines for changes that no line of the report covers.
  let unexplained: [Diagnostic]

  /// The effect that the exported files are read as.
  let result: ParticleSystem

  /// The number of look-ups that were needed to match lines with changes.
  let lookups: Int

  init(
    of exported: Exported, from system: ParticleSystem, decode: ParticleFormat.EffectDecoder,
    _ context: EncodingContext
  ) throws(Failure) {
    let original = system
    var system = system
    for index in system.images.indices where system.images[index].sha256 == nil {
      system.images[index].sha256 = try context.readImage(system.images[index].uri)
        .map { SHA256.digest($0).description }
    }
    system.prepareForAudit()
    var read = try exported.effect(
      by: decode, engine: context.engine, limits: context.limits,
      find: { reference throws(Failure) in
        if let other = exported.others[reference] { return other }
        if let related = try context.related(reference) { return related }
        return try context.picture(reference, of: original)
      }
    ).system
    result = read
    read.prepareForAudit()
    var told = PathIndex(exported.losses)
    let unused = system.forgetUnusedDirections(alsoOf: &read).filter { !told.covers($0) }
    let differences = system.differences(from: read)
    var (values, readValues) = (StatedValues(of: system), StatedValues(of: read))
    var (dead, rest): ([Diagnostic], [PropertyDifference]) = ([], [])
    for difference in differences where !told.covers(difference.path) {
      if values.isFactorElsewhere(at: difference.path, in: &readValues) { continue }
      if let capability = system.unusedCapability(at: difference.path, of: &values) {
        dead.append(
          Diagnostic(.dead, capability, at: difference.path, "its kind does not use it"))
      } else {
        rest.append(difference)
      }
    }
    let common = CommonLoss.lines(for: rest)
    var covering = PathIndex(common)
    unexplained =
      unused.map {
        Diagnostic(.dead, .spread2D, at: $0, "the mode of the direction does not use it")
      } + dead + common
      + rest.filter { !covering.covers($0.path) }.map { Diagnostic(changed: $0, in: system) }
    lookups = told.lookups + covering.lookups
    old = Dictionary(
      first: differences.compactMap { change in change.old.map { (change.path, $0) } })
    (self.system, self.values) = (system, values)
  }

  /// Completes the lines with the name of the emitter and the value in the effect.
  mutating func explained(_ losses: [Diagnostic]) -> [Diagnostic] {
    losses.map { line in
      guard var loss = line.loss else { return line }
      loss.emitter = loss.emitter ?? system.emitterName(at: loss.path)
      var source =
        loss.source ?? Loss.Side(loss.path, old[loss.path] ?? values.value(at: loss.path))
      if let value = source.value {
        let unit =
          ValueText.takesUnit(value) ? ValueText.unit(of: loss.path, system.asset) : nil
        source.text = ValueText(unit: unit).text(of: value)
      }
      loss.source = source
      var line = line
      line.loss = loss
      return line
    }
  }
}

extension Diagnostic {
  fileprivate init(changed difference: PropertyDifference, in system: ParticleSystem) {
    self.init(.changed, at: .key(difference.path))
    expected = difference.old?.excerpt
    found = difference.new?.excerpt ?? "nothing"
    var loss = Loss(
      feature: "unexplained", level: .medium, path: difference.path,
      target: Loss.Side(nil, difference.new))
    loss.source = Loss.Side(difference.path, difference.old)
    loss.emitter = system.emitterName(at: difference.path)
    self.loss = loss
  }
}

extension JSONValue {
  /// This value on one line, truncated if long.
  fileprivate var excerpt: String {
    let line = text.split { $0 == "\n" || $0 == " " }.joined(separator: " ")
    return line.utf8.count <= 60 ? line : String(line.prefix(57)) + "..."
  }
}

extension StatedValues {
  /// Whether only the form differs: the factor of a curve is in the curve in one effect, and beside
  /// it in `other`.
  mutating func isFactorElsewhere(at path: String, in other: inout StatedValues) -> Bool {
    guard let end = [".to", ".curve", ".curve.keys"].first(where: path.hasSuffix) else {
      return false
    }
    let place = String(path.dropLast(end.count))
    guard let old = value(at: place).flatMap(Track.init(factored:)),
      let new = other.value(at: place).flatMap(Track.init(factored:))
    else { return false }
    var differences: [PropertyDifference] = []
    old.compare(new, at: .root, into: &differences)
    return differences.isEmpty
  }
}

extension Track {
  /// A track of a curve with the factor in the curve. Nil for other tracks.
  fileprivate init?(factored json: JSONValue) {
    guard json.object?["curve"] != nil, let track = try? Track(json: json, at: .root),
      track.from == 0, let factor = track.to, factor.isNumber
    else { return nil }
    self = track
    to = 1
    curve = curve.multiplied(by: factor.mean)
  }
}

extension ParticleSystem {
  /// The name of the emitter that contains a path. Nil for other paths.
  func emitterName(at path: String) -> String? {
    Self.emitterIndex(at: path).flatMap { emitters.indices.contains($0) ? emitters[$0].name : nil }
  }

  /// Removes everything that is not part of the effect: its source, the generator, the names of
  /// images in the package, and unused sprites and images.
  mutating func prepareForAudit() {
    asset.generator = nil
    asset.version = Self.version
    extensionsUsed.removeAll { $0 == Self.sourceExtension }
    extensions[Self.sourceExtension] = nil
    for index in emitters.indices {
      emitters[index].extensions[Self.sourceExtension] = nil
      emitters[index].render.blend = emitters[index].render.blend.named
    }
    keepShownSprites()
    for index in images.indices {
      // Metadata that follows from the bytes is removed. The digest represents the bytes.
      var image = ImageReference()
      image.sha256 = images[index].sha256
      (image.alpha, image.colorSpace) = (images[index].alpha, images[index].colorSpace)
      // An image that was not found has a name only.
      if image.sha256 == nil { image.uri = FoundImage.baseName(of: images[index].uri) }
      images[index] = image
    }
  }

  /// The capability of an unused property: a parameter of another kind of shape or force, or the
  /// domain of a track without another input. nil if the property is used.
  /// - Parameter values: the values that this effect states.
  func unusedCapability(at path: String, of values: inout StatedValues) -> Capability? {
    let steps = path.split(separator: ".")
    if steps.last == "domain" {
      let track = values.value(at: steps.dropLast().joined(separator: "."))?.object
      return track?["over"] == nil || track?["to"] == nil ? .sizeCurve : nil
    }
    guard steps.count >= 3, let index = Self.index(in: steps[0], of: "emitters"),
      emitters.indices.contains(index)
    else { return nil }
    let (emitter, key) = (emitters[index], String(steps[2].prefix { $0 != "[" }))
    if steps[1] == "shape" { return emitter.shape.ignores(key) ? .shapeRectangle : nil }
    guard let place = Self.index(in: steps[1], of: "forces"), emitter.forces.indices.contains(place)
    else { return nil }
    let force = emitter.forces[place]
    return force.ignores(key) ? force.kind.capability : nil
  }

  /// The index of the emitter that contains a path. Nil for other paths.
  package static func emitterIndex(at path: String) -> Int? { index(in: path[...], of: "emitters") }

  /// The index at the beginning of a path such as `forces[2].strength`.
  static func index(in path: Substring, of array: String) -> Int? {
    let (bytes, name) = (path.utf8, array.utf8)
    guard bytes.starts(with: name) else { return nil }
    let rest = bytes.dropFirst(name.count)
    guard rest.first == UInt8(ascii: "["), let end = rest.firstIndex(of: UInt8(ascii: "]")) else {
      return nil
    }
    return Int(Substring(rest[..<end].dropFirst()))
  }

  /// The index of an emitter and the rest of a path that leads below it: `size.width` of `emitters[2].size.width`.
  static func emitterPart(at path: String) -> (index: Int, rest: Substring)? {
    guard let index = emitterIndex(at: path),
      let end = path.utf8.firstIndex(of: UInt8(ascii: "]")),
      path.utf8[end...].dropFirst().first == UInt8(ascii: ".")
    else { return nil }
    return (index, path[path.utf8.index(end, offsetBy: 2)...])
  }
}

/// The paths that loss lines cover. A query takes as many look-ups as the path has steps,
/// independent of the number of paths.
struct PathIndex {
  /// The paths as UTF-8: Unicode-equivalent strings are different paths.
  private let paths: Set<ArraySlice<UInt8>>

  private let moved: MovedSprites?

  private(set) var lookups = 0

  init(_ lines: [Diagnostic]) {
    var (paths, moved): (Set<ArraySlice<UInt8>>, MovedSprites?) = ([], nil)
    // Lines about one image share a list, which may have a path for each emitter.
    var lists: Set<UnsafeRawPointer> = []
    for loss in lines.lazy.compactMap({ $0.loss }) {
      paths.insert(Array(loss.path.utf8)[...])
      let list = loss.ownPaths.withUnsafeBytes { $0.baseAddress }
      if let list, lists.insert(list).inserted {
        for path in loss.ownPaths { paths.insert(Array(path.utf8)[...]) }
      }
      if let more = loss.moved { moved = more.joined(moved) }
    }
    (self.paths, self.moved) = (paths, moved)
  }

  /// Whether a line covers the property at `path`, as ``ParticlesCore/Loss/covers(_:)`` does for
  /// one line.
  mutating func covers(_ path: String) -> Bool {
    let bytes = Array(path.utf8)
    for (end, byte) in bytes.enumerated()
    where byte == UInt8(ascii: ".") || byte == UInt8(ascii: "[") {
      lookups += 1
      if paths.contains(bytes[..<end]) { return true }
    }
    lookups += 1
    return paths.contains(bytes[...]) || moved?.covers(path) ?? false
  }
}
