internal import ParticlesContainer
public import ParticlesCore
internal import ParticlesFormats
internal import ParticlesImages
internal import ParticlesModel

/// Changes the effect in a package by property keys.
///
/// Only the text of changed properties is rewritten. The rest of the document keeps its bytes. Each key and value is
/// checked when it is set. ``findings()`` checks all changes together.
public struct EffectEditor: Sendable {
  /// A change that was made.
  public struct Change: Sendable, Hashable {
    /// The key: `emitters[0].emission.rate`.
    public var key: String
    /// The previous value, or nil if the property was not set.
    public var old: JSONValue?
    /// The new value, or nil if the property was removed.
    public var new: JSONValue?
    /// Whether ``old`` was saved by another program after the package had been opened. See
    /// ``EffectEditor/markConflicts(with:)``.
    public var isConflict = false

    package init(key: String, old: JSONValue?, new: JSONValue?) {
      (self.key, self.old, self.new) = (key, old, new)
    }
  }

  /// The package with all changes so far.
  public internal(set) var package: EffectPackage

  /// The changes so far, in order. Setting a property to its current value adds no change.
  public internal(set) var changes: [Change] = []

  /// Remarks on changes that had no effect, such as a factor for a rate of 0.
  package internal(set) var remarks: [String] = []

  /// Whether changes may put numbers out of the range of their property. Default: false. Numbers that are out of
  /// range already stay as they are.
  public var beyond = false

  /// The document.
  var text: JSONText

  private let original: EffectPackage
  let limits: Limits

  /// Creates an editor of a package.
  /// - Throws: ``ParticlesCore/Rule/noDocument``, or the syntax error of a document that is not JSON. An invalid
  ///   effect can be edited, so that it can be corrected.
  public init(_ package: EffectPackage, limits: Limits = .standard) throws(Failure) {
    self.package = package
    self.limits = limits
    original = package
    text = try package.text(limits: limits)
  }

  /// Sets a property.
  /// - Parameters:
  ///   - key: member keys separated by dots, and elements of arrays by index or name in brackets. `[*]` selects every
  ///     element. `[+]` or the index after the last element appends an element.
  ///   - value: JSON, or text without quotes if the property is a string or an enumeration, `1..2` for a range,
  ///     `#ff8800` for a colour, `null` to remove an optional property. A colour for an object that contains one
  ///     colour, such as `emitters[0].color`, sets that colour.
  /// - Throws: ``ParticlesCore/Rule/usage`` for an unknown key, ``ParticlesCore/Rule/type`` for a name that the
  ///   property does not allow, ``ParticlesCore/Rule/range`` for a number out of the range of the property, unless
  ///   ``beyond``.
  public mutating func set(_ key: String, to value: String) throws(Failure) {
    for key in try keys(matching: TypedKey(key)) { try set(key, to: value) }
  }

  private mutating func set(_ key: TypedKey, to value: String) throws(Failure) {
    var place = try place(of: key)
    if let member = PropertyText(property: place.property).colorMember(for: value) {
      place = try self.place(of: TypedKey(key.steps + [.key(member)], from: key.text))
    }
    let location = Location(entry: EffectPackage.documentPath, position: .key(place.key))
    let new = try PropertyText(property: place.property).value(of: value, at: location)
    if new == .null, place.property?.standard == "null" {
      if text.value(at: place.steps) != nil { try remove(place) }
    } else {
      try set(new, at: place)
    }
  }

  /// Sets a property to a JSON value. Null removes an optional property.
  /// - Parameters:
  ///   - key: as in ``set(_:to:)``.
  ///   - value: the value.
  /// - Throws: ``ParticlesCore/Rule/usage`` for an unknown key, ``ParticlesCore/Rule/type`` for a wrong type if the
  ///   property is a number, a truth value, a string or a name, ``ParticlesCore/Rule/range`` for a number out of the
  ///   range of the property, unless ``beyond``. ``findings()`` checks values of other types.
  public mutating func set(_ key: String, value: JSONValue) throws(Failure) {
    for key in try keys(matching: TypedKey(key)) {
      let place = try place(of: key)
      if value == .null, place.property?.standard == "null" {
        if text.value(at: place.steps) != nil { try remove(place) }
      } else {
        try PropertyText(property: place.property).check(
          value, at: Location(entry: EffectPackage.documentPath, position: .key(place.key)))
        try set(value, at: place)
      }
    }
  }

  /// Returns the value of a property: that in the document, or else its default.
  /// - Parameter key: a key of one property, as in ``set(_:to:)``.
  /// - Returns: nil for an optional property that is not set.
  /// - Throws: ``ParticlesCore/Rule/usage`` for an unknown key.
  public func value(_ key: String) throws(Failure) -> JSONValue? {
    let place = try place(of: TypedKey(key))
    let value = text.value(at: place.steps) ?? place.defaults.last
    return value == .null ? nil : value
  }

  /// Removes a property, which then has its default, or an element of an array. References to
  /// elements after a removed one are adjusted.
  /// - Throws: ``ParticlesCore/Rule/usage`` for an unknown key, a required property, and an element
  ///   that a property refers to.
  public mutating func unset(_ key: String) throws(Failure) {
    // From the end, so that the remaining indices do not change.
    for key in try keys(matching: TypedKey(key)).reversed() { try unset(key) }
  }

  private mutating func unset(_ key: TypedKey) throws(Failure) {
    let place = try place(of: key)
    guard text.value(at: place.steps) != nil else { return }
    if place.property?.isRequired ?? false, case .key? = place.steps.last {
      throw Diagnostic(.usage, "'\(place.key)' is required", hint: "set it instead")
    }
    try remove(place)
  }

  /// Returns the errors and warnings of the effect and its images that the changes have introduced. Values out of range are
  /// errors, or warnings if ``beyond``. Others have the severities that validation gives them.
  public func findings() throws(Failure) -> [Diagnostic] {
    let all = EffectCheck(limits: limits)
    func check(_ package: EffectPackage) throws(Failure) -> [Diagnostic] {
      do throws(Failure) {
        return try all.check(package)
      } catch {
        guard let fault = Diagnostic.of(error) else { throw error }
        return [fault]
      }
    }
    let old = try check(original)
    // Locations may have moved: findings are compared by message.
    var known = Dictionary(grouping: old, by: { $0.message }).mapValues { $0.count }
    return try check(package).filter { finding in
      known[finding.message, default: 0] -= 1
      return known[finding.message, default: 0] < 0
    }.map { finding in
      var finding = finding
      if finding.rule == .range { finding.severity = beyond ? .warning : .error }
      if finding.rule == .type, finding.hint == nil, case .key(let key)? = finding.location.position
      {
        let place = try? place(of: TypedKey(key))
        finding.hint = PropertyText(property: place?.property).shape
      }
      return finding
    }
  }

  /// Writes a value, and the objects around it that are missing.
  mutating func set(_ new: JSONValue, at place: Place) throws(Failure) {
    let old = text.value(at: place.steps)
    guard old != new else { return }
    if !beyond {
      try PropertyText(property: place.property).checkRange(
        new, at: Location(entry: EffectPackage.documentPath, position: .key(place.key)))
    }
    var (steps, value, orders) = (place.steps, new, place.orders)
    while steps.count > 1, isMissing(steps.dropLast()) {
      let step = steps.removeLast()
      orders.removeLast()
      value = place.defaults[steps.count - 1].holding(value, at: step)
    }
    guard try text.set(value, at: steps, order: orders.last ?? []) else {
      throw Diagnostic(.usage, "'\(place.key)' cannot be set")
    }
    changes.append(Change(key: place.key, old: old, new: new))
    try store()
  }

  private func isMissing(_ steps: [JSONText.Step]) -> Bool {
    let value = text.value(at: steps)
    return value == nil || value == .null
  }

  mutating func store() throws(Failure) { try package.setText(text) }

  private mutating func remove(_ place: Place) throws(Failure) {
    let old = text.value(at: place.steps)
    if case .index(let index)? = place.steps.last {
      try adjustReferences(to: Array(place.steps.dropLast()), removing: index)
    }
    _ = try text.remove(at: place.steps)
    changes.append(Change(key: place.key, old: old, new: nil))
    // Remove objects that have become equal to their default.
    var (steps, defaults) = (Array(place.steps.dropLast()), Array(place.defaults.dropLast()))
    while let standard = defaults.popLast(), standard == .object(JSONObject()),
      text.value(at: steps) == standard, case .key? = steps.last
    {
      _ = try text.remove(at: steps)
      steps.removeLast()
    }
    try store()
  }
}

extension JSONValue {
  /// Returns this default with a value at a key or index. Starts from an empty object or array if it is neither.
  fileprivate func holding(_ value: JSONValue, at step: JSONText.Step) -> JSONValue {
    switch step {
    case .key(let key):
      var object = object ?? JSONObject()
      object[key] = value
      return .object(object)
    case .index(let index):
      var elements = array ?? []
      if elements.indices.contains(index) {
        elements[index] = value
      } else {
        elements.append(value)
      }
      return .array(elements)
    }
  }
}

extension EffectEditor {
  /// Makes a change that is written as an assignment, `key=value`, or relative to the current value: `key*=1.5`,
  /// `key+=10`, `key-=10`.
  ///
  /// A relative change of a range, a choice, a ramp or a track changes the result of the whole: with
  /// `+=`, for example, both ends of a range. Vectors are multiplied by a number and added to a
  /// vector: `preview.size+=[100, 0]`. Integers are rounded.
  /// - Parameter text: a key and a value as in ``set(_:to:)``.
  /// - Throws: ``ParticlesCore/Rule/usage`` for a text of another form, an unknown key, and a relative change of a
  ///   value that is not a number. The errors of ``set(_:to:)``.
  public mutating func apply(_ text: String) throws(Failure) {
    guard let change = TypedChange(text) else {
      throw Diagnostic(
        .usage, "'\(text)' is not a change", expected: "key=value, key*=2, key+=2 or key-=2")
    }
    guard let operation = change.operation else { return try set(change.key, to: change.value) }
    for key in try keys(matching: TypedKey(change.key)) {
      let place = try place(of: key)
      let old = self.text.value(at: place.steps) ?? place.defaults.last ?? .null
      let relative = RelativeChange(operation: operation, text: change.value)
      let new = try relative.result(of: old, property: place.property, key: place.key)
      if operation == .multiply, old.isZero {
        remarks.append(remark(onMultiplying: place.key, by: change.value))
      } else {
        try set(new, at: place)
      }
    }
  }

  /// The reason why a factor changes nothing, with the change that has the wanted effect.
  private func remark(onMultiplying key: String, by factor: String) -> String {
    let text = "\(key) is 0, so there is nothing to multiply"
    let rate = ".emission.rate"
    guard key.hasSuffix(rate) else { return text }
    let bursts = "\(key.dropLast(".rate".count)).bursts"
    guard let count = try? value(bursts)?.array?.count, count > 0 else { return text }
    let counts = "\(bursts)[\(count == 1 ? "0" : "*")].count"
    return "\(text): the emitter emits bursts; use \(counts)*=\(factor)"
  }

  /// Marks the changes whose old value differs from their old value in an earlier attempt: another program has saved
  /// in between, and is overwritten.
  public mutating func markConflicts(with earlier: [Change]) {
    for index in changes.indices {
      let first = earlier.first { $0.key == changes[index].key }
      changes[index].isConflict = first.map { $0.old != changes[index].old } ?? false
    }
  }

  /// Replaces `[*]` in a key with the index of each element.
  /// - Throws: ``ParticlesCore/Rule/usage`` if there are no elements.
  func keys(matching key: TypedKey) throws(Failure) -> [TypedKey] {
    var matches: [[TypedKey.Step]] = [[]]
    for step in key.steps {
      guard step == .all else {
        for index in matches.indices { matches[index].append(step) }
        continue
      }
      var inner: [[TypedKey.Step]] = []
      for steps in matches {
        let place = try place(of: TypedKey(steps, from: key.text))
        let value = text.value(at: place.steps) ?? place.defaults.last ?? .null
        guard let elements = value.array ?? (value == .null ? [] : nil) else {
          throw Diagnostic(.usage, "'\(place.key)' is not an array", found: value.kind)
        }
        inner += elements.indices.map { steps + [.index($0)] }
      }
      matches = inner
    }
    guard !matches.isEmpty else {
      throw Diagnostic(.usage, "'\(key.text)' matches no element")
    }
    return matches.map { TypedKey($0, from: key.text) }
  }
}

extension JSONValue {
  /// Whether it is the number 0, or numbers that are all 0.
  fileprivate var isZero: Bool {
    if let elements = array { return !elements.isEmpty && elements.allSatisfy({ $0.isZero }) }
    return double == 0
  }
}

/// A change as text, split into key, operator and value.
struct TypedChange: Sendable, Hashable {
  var key: String
  /// Nil for an assignment.
  var operation: RelativeChange.Operation?
  var value: String

  /// Nil if the text has no `=` outside of brackets.
  init?(_ text: String) {
    var depth = 0
    let sign = text.indices.first { index in
      if text[index] == "[" { depth += 1 }
      if text[index] == "]" { depth -= 1 }
      return text[index] == "=" && depth == 0
    }
    guard let sign, sign > text.startIndex else { return nil }
    key = String(text[..<sign])
    value = String(text[text.index(after: sign)...])
    operation = key.last.flatMap(RelativeChange.Operation.init)
    if operation != nil { key.removeLast() }
  }
}

extension EffectEditor {
  /// The result of embedding an image.
  public struct EmbeddedImage: Sendable, Hashable {
    /// The path in the package.
    public var uri: String
    /// Whether it replaced an image with this name.
    public var isReplacement: Bool
    /// The index of the sprite that uses it, or nil if there is none.
    public var sprite: Int?
    /// The index of the emitter that was changed to use it, or nil if none was.
    public var emitter: Int?
  }

  /// Embeds an image.
  ///
  /// If the document has an image with this file name, the new image replaces it in all sprites. The URI of an image
  /// that is missing from the package matches without regard to case and file name extension. Otherwise a new image
  /// and a sprite for it are added.
  /// - Parameters:
  ///   - bytes: the contents of a PNG, JPEG, WebP, GIF, TIFF, BMP, TGA or OpenEXR file. TGA becomes PNG, because
  ///     browsers do not decode it. Other formats are kept unchanged.
  ///   - name: the file name, with or without a path.
  ///   - emitter: the name or index of the emitter that will use the image. Nil selects the only
  ///     emitter of the document if the image is new, and no emitter if there are several.
  /// - Throws: ``ParticlesCore/Rule/image`` if `bytes` is not an undamaged image in one of these formats,
  ///   ``ParticlesCore/Rule/limit`` if it has more pixels than the limits allow, ``ParticlesCore/Rule/usage`` if
  ///   there is no such emitter.
  @discardableResult
  public mutating func embed(
    _ bytes: [UInt8], named name: String, shownBy emitter: String? = nil
  ) throws(Failure) -> EmbeddedImage {
    let (bytes, name) = try locating(Location(file: name)) { () throws(Failure) in
      try Self.embeddable(bytes, named: name, limits)
    }
    let emitter = try emitter.map { name throws(Failure) in
      try place(of: TypedKey(element: name, of: "emitters"))
    }
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
    var shows = emitter
    if shows == nil, !result.isReplacement { shows = try onlyEmitter() }
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
  ) throws(Failure) -> (bytes: [UInt8], name: String) {
    let format = ImageFormat(of: bytes)
    do throws(Failure) {
      let picture = try Bitmap(decoding: bytes, limits: limits)
      guard format == .tga else { return (bytes, name) }
      return (try PNG.encode(picture), "\(Files.stem(of: Files.lastComponent(of: name))).png")
    } catch {
      guard let fault = Diagnostic.of(error), fault.rule == .imageUnchecked else { throw error }
      if format != nil { return (bytes, name) }
      let known = ImageFormat.all.map { $0.name }.joined(separator: ", ")
      throw Diagnostic(.image, expected: "one of \(known)", found: fault.found)
    }
  }

  private func onlyEmitter() throws(Failure) -> Place? {
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
  private mutating func replace(_ index: Int, by bytes: [UInt8], at path: String) throws(Failure) {
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
  private mutating func add(_ bytes: [UInt8], named name: String) throws(Failure) -> String {
    var folder = package.container.root[EffectPackage.imageDirectory] ?? .emptyDirectory
    let used = try folder.addRegularFile(
      withContents: bytes, preferredFilename: Files.lastComponent(of: name))
    try package.container.root.setFileNode(folder, at: EffectPackage.imageDirectory)
    let path = "\(EffectPackage.imageDirectory)/\(used)"
    try set(
      ImageReference(describing: bytes, at: path).json, at: place(of: TypedKey("images[+]")))
    return path
  }

  /// The location of a property, which may be missing from the document.
  struct Place {
    /// The path, with names of elements resolved to indices.
    var steps: [JSONText.Step] = []
    /// The default at each step, null if there is none.
    var defaults: [JSONValue] = []
    /// The keys of the object at each step, in their canonical order. Empty for arrays.
    var orders: [[String]] = []
    /// The last property of the path, or nil for unknown JSON members.
    var property: PropertyInfo?

    /// The path as text.
    var key: String { path.description }

    private var path: JSONPath {
      steps.reduce(.root) { path, step in
        switch step {
        case .key(let key): path.appending(key)
        case .index(let index): path.appending(index)
        }
      }
    }
  }

  /// Resolves a key against the schema and the document.
  /// - Throws: ``ParticlesCore/Rule/usage``.
  func place(of typed: TypedKey) throws(Failure) -> Place {
    var place = Place()
    var types: [PropertyCatalog.Object] = [ParticleSystem.object]
    // Below extensions, extras and unknown members, any key is allowed.
    var isFree = false
    for (index, step) in typed.steps.enumerated() {
      let here = text.value(at: place.steps) ?? place.defaults.last ?? .object(JSONObject())
      switch step {
      case .name(let name) where here.array == nil: fallthrough
      case .key(let name):
        try requireObject(here, place)
        place.orders.append(types.flatMap { $0.keys })
        if isFree {
          place.defaults.append(.null)
        } else if let property = types.lazy.compactMap({ $0.property(name) }).first {
          place.property = property
          place.defaults.append(property.standardValue ?? .null)
          types = property.objects
        } else {
          let kept = here.object?[name] != nil || ["extensions", "extras"].contains(name)
          guard kept else { throw unknown(name, at: place, among: types) }
          isFree = true
          types = []
          place.property = nil
          place.defaults.append(.null)
        }
        place.steps.append(.key(name))
      case .index, .name, .end, .all:
        let isNone = here == .null && place.property?.type.hasPrefix("array of ") ?? false
        guard let elements = isNone ? [] : here.array else { throw noArray(here, place) }
        let isLast = index + 1 == typed.steps.count
        let element = try self.index(of: step, in: elements, at: place, canAppend: isLast)
        place.steps.append(.index(element))
        place.orders.append([])
        place.property = place.property?.element
        place.defaults.append(elements.indices.contains(element) ? elements[element] : .null)
      }
    }
    return place
  }

  private func index(
    of step: TypedKey.Step, in elements: [JSONValue], at place: Place, canAppend: Bool
  ) throws(Failure) -> Int {
    switch step {
    case .end where canAppend: return elements.count
    case .index(let index) where index < elements.count + (canAppend ? 1 : 0): return index
    case .name(let name):
      let names = elements.map { $0.object?["name"]?.string ?? "" }
      let matches = names.indices.filter { names[$0] == name }
      if matches.count == 1 { return matches[0] }
      let known = names.filter { !$0.isEmpty }
      let guess = Suggestion.nearest(to: name, among: known).map { "did you mean '\($0)'?" }
      throw Diagnostic(
        .usage, "'\(place.key)' has \(matches.isEmpty ? "no" : "more than one") '\(name)'",
        hint: guess
          ?? (known.isEmpty ? "count from 0" : "expected one of \(known.joined(separator: ", "))"))
    default:
      let count = elements.count == 1 ? "1 element" : "\(elements.count) elements"
      throw Diagnostic(
        .usage, "'\(place.key)' has \(count)",
        hint: "\(place.key)[0] is the first; \(place.key)[+] appends one")
    }
  }

  private func requireObject(_ here: JSONValue, _ place: Place) throws(Failure) {
    if here.object != nil || here == .null { return }
    if here.array != nil {
      throw Diagnostic(
        .usage, "'\(place.key)' is an array", hint: "name an element, such as \(place.key)[0]")
    }
    throw Diagnostic(
      .usage, "'\(place.key)' is \(here.line), which has no members",
      hint: "set it as a whole, such as \(place.key)=1..2 or \(place.key)='{…}'")
  }

  private func noArray(_ here: JSONValue, _ place: Place) -> Diagnostic {
    Diagnostic(
      .usage, "'\(place.key)' is not an array", found: here.kind,
      hint: here == .null ? "set it as a whole, such as \(place.key)='[1, 2]'" : nil)
  }

  private func unknown(
    _ name: String, at place: Place, among types: [PropertyCatalog.Object]
  ) -> Diagnostic {
    let keys = types.flatMap { $0.keys }
    let whole = place.key.isEmpty ? name : "\(place.key).\(name)"
    let near =
      place.key.isEmpty && Emitter.keys.contains(name)
      ? "emitters[0].\(name)" : Suggestion.nearest(to: name, among: keys)
    let guess = near.map { "did you mean '\($0)'?" }
    let list = keys.isEmpty ? nil : "expected one of \(keys.joined(separator: ", "))"
    return Diagnostic(.usage, "there is no property '\(whole)'", hint: guess ?? list)
  }

  /// The properties that hold indices into each top-level array. Brackets mean every element.
  private static let references: [String: [[String]]] = [
    "images": [["sprites", "[]", "image"]],
    "sprites": [["emitters", "[]", "sprites", "[]"]],
    "meshes": [["emitters", "[]", "shape", "mesh"]],
    "emitters": [["emitters", "[]", "triggers", "[]", "emitter"], ["roots", "[]"]],
  ]

  /// Decrements the references to elements after an element that is about to be removed.
  /// - Throws: ``ParticlesCore/Rule/usage`` if a property refers to the element itself.
  mutating func adjustReferences(to array: [JSONText.Step], removing index: Int) throws(Failure) {
    guard array.count == 1, case .key(let name) = array[0] else { return }
    let places = (Self.references[name] ?? []).flatMap { matches(of: $0[...], at: []) }
    for steps in places where !steps.starts(with: array + [.index(index)]) {
      guard let old = text.value(at: steps)?.int, old >= index else { continue }
      let key = Place(steps: steps).key
      guard old > index else {
        throw Diagnostic(
          .usage, "'\(name)[\(index)]' is used by '\(key)'", hint: "change '\(key)' first")
      }
      _ = try text.set(.int(old - 1), at: steps)
      changes.append(Change(key: key, old: .int(old), new: .int(old - 1)))
    }
  }

  /// Returns the paths in the document that match a pattern.
  private func matches(
    of pattern: ArraySlice<String>, at steps: [JSONText.Step]
  ) -> [[JSONText.Step]] {
    guard let first = pattern.first else { return text.value(at: steps) == nil ? [] : [steps] }
    let rest = pattern.dropFirst()
    guard first == "[]" else { return matches(of: rest, at: steps + [.key(first)]) }
    let elements = text.value(at: steps)?.array ?? []
    return elements.indices.flatMap { matches(of: rest, at: steps + [.index($0)]) }
  }
}
