internal import ParticlesCore

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
  /// Where its members are in the file; nil unless places were kept.
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

  /// Whether an asset has a particle system, or is a prefab that is a variant of another one. Nothing is parsed.
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
  init(_ bytes: [UInt8], limits: Limits, keepsPlaces: Bool = false) throws {
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
  /// - Parameter type: what the file is: 2 for one that Unity wrote, 3 for one that it imported.
  static func value(_ id: Int64, guid: String? = nil, type: Int = 3) -> JSONValue {
    guard let guid else { return ["fileID": .int(Int(id))] }
    return [
      "fileID": .int(Int(id)), "guid": .string(guid), "type": .int(type),
    ]
  }

  /// The identifier of what Unity itself has, such as its shaders and the picture of new particle systems.
  static let builtIn = "0000000000000000f000000000000000"

  /// Whether it is a thing that Unity itself has.
  var isBuiltIn: Bool { guid == Self.builtIn }

  /// The name by which a file is asked for.
  static func fileName(_ guid: String) -> String { "guid:\(guid)" }
}
