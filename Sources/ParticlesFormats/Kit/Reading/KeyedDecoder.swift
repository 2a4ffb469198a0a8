internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel
internal import ParticlesPropertyLists

/// A decoded archive: the effect, and the source objects of its emitters.
struct OpenedKeyedArchive<Format: KeyedFormat> {
  let root: ArchivedObject
  let imported: Imported

  /// One for each emitter of the effect, in its order.
  let emitters: [KeyedEmitter<Format>]

  var system: ParticleSystem { imported.system }
  var archive: KeyedArchive { root.archive }
}

struct KeyedDecoder<Format: KeyedFormat> {
  let format: Format
  let context: DecodingContext

  func open(_ bytes: [UInt8]) throws(Failure) -> OpenedKeyedArchive<Format> {
    let reader = ArchiveReader(limits: context.limits)
    let root = try reader.open(bytes)
    let emitters = try format.emitters(below: root, fileName: context.fileName)
    var images = ImportedImages(context: context) { reader.report($0) }
    var system = ParticleSystem()
    system.asset.name = Files.stem(of: context.fileName)
    try format.read(root, into: &system)
    var bag = JSONValue.object(JSONObject())
    let known = format.table.supportedKeys.union(format.aliases.values)
    for archived in emitters {
      try EmitterCost.spend(onReading: format.table.rows.count)
      var emitter = Emitter(name: archived.name)
      if let sprite = try sprite(of: archived, &images, &system) { emitter.sprites = [sprite] }
      for row in format.table.rows { try row.decode?(archived, &emitter) }
      if context.keepsSource {
        let rest = try archived.reportRest(besides: known)
        let kept = try SourceBag.bag(
          of: archived.object, keys: format.bagHoldsAll ? archived.object.keys : rest,
          without: format.classes[0])
        if archived.object === root {
          bag = kept
        } else if kept.object?.isEmpty == false {
          emitter.keepSource(of: format.name, bag: kept)
        }
      }
      system.emitters.append(emitter)
    }
    if context.keepsSource { system.keepSource(bytes, of: format.name, context, bag: bag) }
    return OpenedKeyedArchive(
      root: root,
      imported: Imported(
        system: system, images: images.files, sourceName: context.fileName, source: bytes,
        diagnostics: reader.diagnostics), emitters: emitters)
  }

  /// The index of the sprite of an emitter. Nil if it names no image. A missing image is recorded
  /// with the metadata of the archive.
  private func sprite(
    of archived: KeyedEmitter<Format>, _ images: inout ImportedImages,
    _ system: inout ParticleSystem
  ) throws(Failure) -> Int? {
    guard let image = try format.image(of: archived) else { return nil }
    var added: (index: Int, found: FoundImage?)?
    if let inside = image.inside {
      let index = try images.add(inside.bytes, named: inside.name, at: image.path, to: &system)
      added = (index, inside)
    } else {
      added = try images.add(image.references, at: image.path, to: &system)
    }
    guard let (index, found) = added else { return nil }
    if found == nil, system.images[index].width == nil,
      let size = try format.imageSize(of: archived)
    {
      (system.images[index].width, system.images[index].height) = size
    }
    var sprite = try format.sprite(system.images[index], found, of: archived)
    sprite.image = index
    return images.index(of: sprite, in: &system)
  }
}

extension KeyedEmitter {
  /// Reports keys that are not supported by the document, unless they have no effect.
  /// - Parameter known: keys that are not reported.
  /// - Returns: the keys that were not imported.
  fileprivate func reportRest(besides known: Set<String>) throws(Failure) -> [String] {
    var rest: [String] = []
    for key in object.unaskedKeys where !format.passedOver.contains(key) {
      let plain = format.plainNumbers[key]
      let isPassedOver =
        if let plain { plain.contains(object.number(key, plain[0])) } else {
          try object.isEmpty(key)
        }
      if isPassedOver { continue }
      rest.append(key)
      guard plain != nil || !known.contains(key) else { continue }
      object.reportUninterpreted(key, found: object.value(key)?.summary)
    }
    return rest
  }
}

// Numbers, angles and key frames of effects: checked, and without conversion errors.

extension ArchivedObject {
  /// A number. Tiny garbage values of old editors become zero.
  func number(_ key: String, _ standard: Double) -> Double {
    guard let number = double(key) else { return standard }
    guard number.magnitude < 1e15 else {
      mismatch(key, expected: "a number below 1e15", found: "\(number)")
      return standard
    }
    return number.tidy
  }

  /// A number that must not be less than `least`.
  func number(_ key: String, _ standard: Double, atLeast least: Double) -> Double {
    let found = number(key, standard)
    guard found < least else { return found }
    reader.report(
      Diagnostic(
        .approximated, at: .key(path(of: key)), expected: "at least \(least)", found: "\(found)"))
    return least
  }

  func angle(_ key: String) -> Double {
    guard let radians = double(key) else { return 0 }
    guard radians.magnitude < 1e15 else {
      mismatch(key, expected: "an angle below 1e15", found: "\(radians)")
      return 0
    }
    return Angle.degrees(radians)
  }

  /// An array of numbers. Nil, after a report, if there is none or an element is not a number.
  func numbers(_ key: String, below limit: Double = 1e15) throws(Failure) -> [Double]? {
    guard let elements = try array(key) else { return nil }
    guard let numbers = numbers(elements, below: limit) else {
      mismatch(key, expected: "numbers", found: "another type")
      return nil
    }
    return numbers
  }

  private func numbers(_ elements: [KeyedArchive.Index], below limit: Double) -> [Double]? {
    var numbers: [Double] = []
    for element in elements {
      switch archive.value(at: element) {
      case .scalar(.real(let value, _)) where value.magnitude < limit: numbers.append(value.tidy)
      case .scalar(.integer(let value)) where Double(value).magnitude < limit:
        numbers.append(Double(value))
      default: return nil
      }
    }
    return numbers
  }

  /// The values of key frames, at least one. Nil, after a report, if they are neither numbers nor
  /// colours.
  func keyFrameValues(_ key: String) throws(Failure) -> KeyFrames.Values? {
    guard let elements = try array(key), !elements.isEmpty else { return nil }
    if let numbers = numbers(elements, below: 1e15) { return .numbers(numbers) }
    var colors: [Color] = []
    // Keys may share a colour. A hostile file could share it a million times.
    var known: [KeyedArchive.Index: Color] = [:]
    for (number, element) in elements.enumerated() {
      let place = archive.resolve(element)
      if known[place] == nil, case .object = archive.value(at: element) {
        known[place] = try object(at: element, "\(path(of: key))[\(number)]").color()
      }
      guard let color = known[place] else {
        mismatch(key, expected: "numbers or colours", found: archive.value(at: element).kind)
        return nil
      }
      colors.append(color)
    }
    return .colors(colors)
  }

  /// This object as a colour. Nil, after a report, if it is not a colour.
  func color() throws(Failure) -> Color? {
    try ArchivedColor.sRGB(of: self).map { Color($0) }
  }
}

extension KeyedEmitter {
  func angle(_ name: String) -> Double { object.angle(key(name)) }

  /// Two numbers as text, bare or in an `NSValue`.
  func pair(_ name: String) throws(Failure) -> (x: Double, y: Double)? {
    try object.geometry(key(name), count: 2).map { ($0[0], $0[1]) }
  }
}

extension EmitterWriter where Format: KeyedFormat {
  mutating func set(_ key: String, pair x: Double, _ y: Double) {
    set(key, .string(Geometry.pair(x, y)))
  }
}
