internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

/// The objects of a scene or prefab and of the prefabs nested in it, with their hierarchy.
struct UnityScene {
  private(set) var objects: [UnityObject] = []
  private var places: [Int64: Int] = [:]
  /// The objects of nested prefabs, by the numbers of their placeholders.
  private var placeholders: [Int64: Int64] = [:]
  /// The transform of each game object.
  private var transforms: [Int64: Int64] = [:]
  /// The place of the renderer of each game object.
  private var renderers: [Int64: Int] = [:]

  /// The identifier of a prefab with an instance here that is not found. Nil if there is none.
  private(set) var missingPrefab: String?

  /// How deep prefabs may be nested.
  static let levels = 16

  /// Reads a file and the prefabs in it.
  /// - Throws: ``ParticlesCore/Rule/limit``.
  init(_ bytes: [UInt8], _ project: UnityProject, reporting report: (Diagnostic) -> Void)
    throws(Failure)
  {
    var loader = Loader(project: project)
    objects = try loader.objects(of: bytes, chain: [], report)
    missingPrefab = loader.missing
    for (index, object) in objects.enumerated() {
      if object.isStripped {
        if let inner = object.reference("m_CorrespondingSourceObject"),
          let instance = object.reference("m_PrefabInstance")
        {
          placeholders[object.id] = UnityScene.number(inner.id, in: instance.id)
        }
        continue
      }
      guard places[object.id] == nil else { continue }
      places[object.id] = index
      guard let owner = object.reference("m_GameObject") else { continue }
      switch object.kind {
      case .transform, .rectTransform: transforms[owner.id] = transforms[owner.id] ?? object.id
      case .systemRenderer: renderers[owner.id] = renderers[owner.id] ?? index
      default: break
      }
    }
  }

  /// The number of an object of a nested prefab in the file with the instance: both numbers, combined bit by bit.
  fileprivate static func number(_ id: Int64, in instance: Int64) -> Int64 {
    (instance ^ id) & .max
  }

  /// The object of a number in this file. Nil if there is none.
  func object(_ id: Int64?) -> UnityObject? {
    guard let id else { return nil }
    return places[placeholders[id] ?? id].map { objects[$0] }
  }

  /// The object that a member refers to.
  func object(_ key: String, of object: UnityObject) -> UnityObject? {
    self.object(object.reference(key)?.id)
  }

  /// The transform of a game object and the transforms above it, the outermost last.
  func chain(of owner: UnityObject?) -> [UnityObject] {
    var chain: [UnityObject] = []
    var next = object(owner.flatMap { transforms[$0.id] })
    while let transform = next, chain.count < 256 {
      chain.append(transform)
      next = object("m_Father", of: transform)
    }
    return chain
  }

  func renderer(of owner: UnityObject?) -> UnityObject? {
    owner.flatMap { renderers[$0.id] }.map { objects[$0] }
  }
}

/// The files of the project that a scene or prefab names. Each is looked for once.
final class UnityProject {
  let context: DecodingContext
  /// The scenes, prefabs and materials that were read beside the first one, by their paths in a package.
  private(set) var related: [String: [UInt8]] = [:]
  private var files: [String: FoundImage?] = [:]

  init(_ context: DecodingContext) { self.context = context }

  /// The settings of a file, its `.meta` file. Nil if they are not found.
  private func settings(_ guid: String) throws(Failure) -> [UInt8]? {
    let name = UnityReference.fileName(guid) + ".meta"
    try EmitterCost.spend(onSearching: 1)
    guard let found = try? context.findImage(name) else { return nil }
    if let path = Imported.relatedPath(of: name) { related[path] = found.bytes }
    return found.bytes
  }

  /// The asset with an identifier, if it is found and Unity wrote it as text. Otherwise nil.
  /// - Throws: ``ParticlesCore/Rule/limit`` if it is one too many for the budget of the operation.
  func asset(_ guid: String) throws(Failure) -> FoundImage? {
    if let known = files[guid] { return known }
    try EmitterCost.spend(onSearching: 1)
    let name = UnityReference.fileName(guid)
    var found = try? context.findImage(name)
    if found.map({ !UnityFile.isAsset($0.bytes) }) ?? false { found = nil }
    files[guid] = .some(found)
    if let found, let path = Imported.relatedPath(of: name) { related[path] = found.bytes }
    return found
  }
}

extension UnityProject {
  /// The sprites of a picture. Nil if its settings are not found.
  func sprites(of guid: String) throws(Failure) -> UnitySprites? {
    try settings(guid).flatMap { try? UnitySprites(meta: $0, limits: context.limits) }
  }

  /// The name of a mesh, for messages.
  func nameOfMesh(_ reference: UnityReference?) -> String {
    guard let reference else { return "no mesh" }
    guard let guid = reference.guid else { return "fileID \(reference.id)" }
    if guid == Self.meshes { return Self.ownMeshes[reference.id] ?? "number \(reference.id)" }
    return context.nameOfFile(UnityReference.fileName(guid)) ?? "guid \(guid)"
  }

  /// The identifier of the meshes that Unity itself has, and their names.
  private static let meshes = "0000000000000000e000000000000000"
  private static let ownMeshes: [Int64: String] = [
    10202: "Cube", 10206: "Cylinder", 10207: "Sphere", 10208: "Capsule", 10209: "Plane",
    10210: "Quad",
  ]
}

/// Reads files and puts the objects of nested prefabs in place of their instances.
private struct Loader {
  let project: UnityProject
  private var count = 0
  private(set) var missing: String?

  init(project: UnityProject) { self.project = project }

  private mutating func spend(_ objects: Int) throws(Failure) {
    count += objects
    try project.context.limits.check(count, { $0.objects }, "objects of the prefabs in a scene")
  }

  mutating func objects(
    of bytes: [UInt8], chain: [String], _ report: (Diagnostic) -> Void
  ) throws(Failure) -> [UnityObject] {
    let file = try UnityFile(bytes, limits: project.context.limits)
    try spend(file.objects.count)
    var result = file.objects
    for instance in file.objects where instance.kind == .prefab {
      guard let body = instance.body.object,
        let source = instance.reference("m_SourcePrefab") ?? instance.reference("m_ParentPrefab"),
        let guid = source.guid
      else { continue }
      guard !chain.contains(guid), chain.count < UnityScene.levels else {
        report(
          Diagnostic(
            .uninterpreted, at: .key("m_SourcePrefab"),
            "an instance of a prefab that has this one in it", found: guid.excerpt))
        continue
      }
      guard let found = try project.asset(guid) else {
        missing = missing ?? guid.excerpt
        report(
          Diagnostic(
            .uninterpreted, at: .key("m_SourcePrefab"),
            "the prefab is not found, and particle systems in it are missing",
            found: "guid \(guid.excerpt)",
            hint: "name the folder of the project: --project FOLDER"))
        continue
      }
      let inner = try objects(of: found.bytes, chain: chain + [guid], report)
      result += try placed(inner, instance, body)
    }
    return result
  }

  /// The objects of a prefab as an instance has them.
  private mutating func placed(
    _ inner: [UnityObject], _ instance: UnityObject, _ body: JSONObject
  ) throws(Failure) -> [UnityObject] {
    func number(_ id: Int64) -> Int64 { UnityScene.number(id, in: instance.id) }
    let changes = body["m_Modification"]?.object
    let removed = Set(
      (changes?["m_RemovedComponents"]?.array ?? []).compactMap { UnityReference($0)?.id })
    var modifications: [Int64: [(path: String, value: JSONValue)]] = [:]
    for element in changes?["m_Modifications"]?.array ?? [] {
      guard let change = element.object, let target = UnityReference(change["target"]),
        let path = change["propertyPath"]?.string
      else { continue }
      let reference =
        UnityReference(change["objectReference"]) == nil ? nil : change["objectReference"]
      modifications[target.id, default: []].append((path, reference ?? change["value"] ?? ""))
    }
    let parent =
      UnityReference(changes?["m_TransformParent"]) == nil ? nil : changes?["m_TransformParent"]
    try spend(inner.count)
    return inner.compactMap { object in
      guard !removed.contains(object.id), !object.isStripped, object.kind != .prefab else {
        return nil
      }
      var object = object
      object.body = object.body.renumbered(number)
      for (path, value) in modifications[object.id] ?? [] {
        object.body = object.body.changing(UnityPath.steps(of: path)[...], to: value)
      }
      let isTransform = object.kind == .transform || object.kind == .rectTransform
      if isTransform, let parent, object.reference("m_Father") == nil {
        object.body = object.body.changing([.key("m_Father")], to: parent)
      }
      object.origin = .init(instance: instance.id, id: object.id)
      object.id = number(object.id)
      return object
    }
  }
}

/// The path of a value in an object, as modifications of prefabs have it: `InitialModule.startSize.scalar` or
/// `m_Bursts.Array.data[0].time`.
enum UnityPath {
  enum Step: Equatable { case key(String), index(Int), count }

  static func steps(of path: String) -> [Step] {
    var steps: [Step] = []
    for part in path.split(separator: ".").prefix(64) {
      if part == "Array" { continue }
      if part == "size", path.hasSuffix(".Array.size") {
        steps.append(.count)
      } else if part.hasPrefix("data["), part.hasSuffix("]"),
        let index = Int(part.dropFirst(5).dropLast())
      {
        steps.append(.index(index))
      } else {
        steps.append(.key(String(part)))
      }
    }
    return steps
  }
}

extension JSONValue {
  /// The most elements that a modification may give a list.
  private static let mostElements = 10_000

  /// Returns the value changed at a path. A path that does not fit its kind changes nothing.
  fileprivate func changing(_ steps: ArraySlice<UnityPath.Step>, to value: JSONValue) -> JSONValue {
    guard let step = steps.first else { return value }
    let rest = steps.dropFirst()
    switch (step, self) {
    case (.key(let key), .object(var object)):
      object[key] = (object[key] ?? .object(JSONObject())).changing(rest, to: value)
      return .object(object)
    case (.index(let index), .array(var elements)):
      guard (0..<Self.mostElements).contains(index) else { return self }
      // Elements that are new are copies of the last one, as in the editor.
      let last = elements.last ?? .object(JSONObject())
      while elements.count <= index { elements.append(last) }
      elements[index] = elements[index].changing(rest, to: value)
      return .array(elements)
    case (.count, .array(var elements)):
      guard let count = value.string.flatMap({ Int($0) }), (0..<Self.mostElements).contains(count)
      else { return self }
      let last = elements.last ?? .object(JSONObject())
      if count < elements.count { elements.removeLast(elements.count - count) }
      while elements.count < count { elements.append(last) }
      return .array(elements)
    case (.index, .object), (.count, .object):
      return JSONValue.array([]).changing(steps, to: value)
    default: return self
    }
  }

  /// The value with other numbers for the objects of its file.
  fileprivate func renumbered(_ number: (Int64) -> Int64) -> JSONValue {
    switch self {
    case .array(let elements): return .array(elements.map { $0.renumbered(number) })
    case .object(var object):
      if object["guid"] == nil, let reference = UnityReference(self) {
        object["fileID"] = .string(String(number(reference.id)))
        return .object(object)
      }
      return .object(
        JSONObject(
          members: object.members.map { .init(key: $0.key, value: $0.value.renumbered(number)) }))
    default: return self
    }
  }
}

/// An object of a scene, a prefab or a material: a document of the YAML file.
struct UnityObject {
  /// The classes that matter to an effect, by their numbers in Unity's table of class identifiers.
  enum Kind: Int {
    case gameObject = 1
    case transform = 4
    case material = 21
    case system = 198
    case systemRenderer = 199
    case rectTransform = 224
    case prefab = 1001
  }

  var id: Int64
  var kind: Kind
  /// Whether it is a placeholder for an object of a nested prefab.
  var isStripped: Bool
  var body: JSONValue
  /// Where its members are in the file. Nil unless places were kept.
  var node: TextNode?
  /// For an object of a nested prefab, the instance in this file and the number of the object in the file of the prefab.
  var origin: Origin?

  struct Origin: Hashable {
    var instance: Int64
    var id: Int64
  }

  /// The object that a member refers to.
  func reference(_ key: String) -> UnityReference? { UnityReference(body.object?[key]) }
}

/// The objects of a file that Unity wrote as text.
struct UnityFile {
  var objects: [UnityObject] = []

  private static let mark = Array("--- !u!".utf8)
  private static let particles = Array("--- !u!198 ".utf8)
  private static let heading = "%YAML"
  private static let tag = "tag:unity3d.com,2011:"

  /// Whether bytes are an asset that Unity wrote as text, of any kind.
  static func isAsset(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: heading.utf8) && Array(bytes.prefix(256)).contains(tag)
  }

  /// Whether an asset has a particle system, or is a variant of another prefab. Nothing is parsed.
  static func hasParticles(_ bytes: [UInt8], fileName: String) -> Bool {
    guard isAsset(bytes) else { return false }
    if !places(of: particles, in: bytes, most: 1).isEmpty { return true }
    return Files.pathExtension(of: fileName).lowercased() == "prefab" && isVariant(bytes)
  }

  /// Whether an asset is an instance of a prefab, and nothing else.
  private static func isVariant(_ bytes: [UInt8]) -> Bool {
    let starts = places(of: mark, in: bytes, most: mostOfVariant)
    return !starts.isEmpty && starts.count < mostOfVariant
      && starts.allSatisfy { start in
        let line = bytes[start...].prefix { $0 != 0x0A }
        return line.starts(with: instance)
          || String(decoding: line, as: UTF8.self).contains(" stripped")
      }
  }

  private static let instance = Array("--- !u!1001 ".utf8)
  private static let mostOfVariant = 100

  /// The lines that begin with some bytes.
  private static func places(of mark: [UInt8], in bytes: [UInt8], most: Int = .max) -> [Int] {
    bytes.withUnsafeBufferPointer { bytes in
      var (found, place): ([Int], Int) = ([], 0)
      while place + mark.count <= bytes.count, found.count < most {
        if bytes[place] == mark[0], bytes[place...].starts(with: mark) { found.append(place) }
        guard let end = bytes[place...].firstIndex(of: 0x0A) else { break }
        place = end + 1
      }
      return found
    }
  }

  /// Reads the objects that matter to an effect. Others are passed over.
  /// - Parameter keepsPlaces: whether the places of members are wanted, for changes.
  /// - Throws: ``ParticlesCore/Rule/limit``.
  init(_ bytes: [UInt8], limits: Limits, keepsPlaces: Bool = false) throws(Failure) {
    let starts = Self.places(of: Self.mark, in: bytes, most: limits.objects)
    for (index, start) in starts.enumerated() {
      let lineEnd = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      let line = String(decoding: bytes[start..<min(lineEnd, start + 128)], as: UTF8.self)
      let words = line.dropFirst(Self.mark.count).split { $0 == " " || $0 == "\r" }
      guard words.count >= 2, let kind = Int(words[0]).flatMap(UnityObject.Kind.init),
        let id = Int64(words[1].dropFirst()), words[1].hasPrefix("&")
      else { continue }
      let end = index + 1 < starts.count ? starts[index + 1] : bytes.count
      let lines = min(lineEnd + 1, end)..<end
      var yaml = UnityYAML(bytes, lines, limits: limits, keepsPlaces: keepsPlaces)
      let whole = try yaml.node()
      let body = whole.value.object?.members.first?.value ?? whole.value
      objects.append(
        UnityObject(
          id: id, kind: kind, isStripped: words.dropFirst(2).contains("stripped"), body: body,
          node: whole.children.first?.node))
    }
  }
}

/// A reference to an object by its number, with the identifier of its file unless it is in this file.
struct UnityReference: Hashable {
  var id: Int64
  var guid: String?

  /// nil for no reference, and for one to nothing.
  init?(_ value: JSONValue?) {
    guard let object = value?.object, let id = object["fileID"]?.string.flatMap({ Int64($0) }),
      id != 0
    else { return nil }
    self.id = id
    guid = object["guid"]?.string.flatMap { $0.isEmpty ? nil : $0.lowercased() }
  }

  /// A reference to an object of another file.
  /// - Parameter type: 2 for a file that Unity wrote, 3 for a file that it imported.
  static func value(_ id: Int64, guid: String? = nil, type: Int = 3) -> JSONValue {
    guard let guid else { return ["fileID": .number(JSONNumber(id))] }
    return [
      "fileID": .number(JSONNumber(id)), "guid": .string(guid), "type": .int(type),
    ]
  }

  /// The identifier of Unity's own resources, such as its shaders and the picture of new particle systems.
  static let builtIn = "0000000000000000f000000000000000"

  /// Whether it is a thing that Unity itself has.
  var isBuiltIn: Bool { guid == Self.builtIn }

  /// The name by which a file is asked for.
  static func fileName(_ guid: String) -> String { "guid:\(guid)" }
}
