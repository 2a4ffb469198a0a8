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

  /// Whether an asset has a particle system. Nothing is parsed.
  static func hasParticles(_ bytes: [UInt8]) -> Bool {
    isAsset(bytes) && places(of: particles, in: bytes, most: 1).first != nil
  }

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
  /// - Throws: ``ParticlesCore/Rule/limit``.
  init(_ bytes: [UInt8], limits: Limits) throws {
    let starts = Self.places(of: Self.mark, in: bytes, most: limits.objects)
    for (index, start) in starts.enumerated() {
      let lineEnd = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      let line = String(decoding: bytes[start..<min(lineEnd, start + 128)], as: UTF8.self)
      let words = line.dropFirst(Self.mark.count).split { $0 == " " || $0 == "\r" }
      guard words.count >= 2, let kind = Int(words[0]).flatMap(UnityObject.Kind.init),
        let id = Int64(words[1].dropFirst()), words[1].hasPrefix("&")
      else { continue }
      let end = index + 1 < starts.count ? starts[index + 1] : bytes.count
      var yaml = UnityYAML(bytes, min(lineEnd + 1, end)..<end, limits: limits)
      let whole = try yaml.value()
      let body = whole.object?.members.first?.value ?? whole
      objects.append(
        UnityObject(
          id: id, kind: kind, isStripped: words.dropFirst(2).contains("stripped"), body: body))
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

  /// The identifier of what Unity itself has, such as its shaders and the picture of new particle systems.
  static let builtIn = "0000000000000000f000000000000000"
  /// The identifier of further things that Unity itself has, such as its meshes.
  static let builtInMeshes = "0000000000000000e000000000000000"

  /// How a file is asked for.
  var fileName: String? { guid.map { "guid:\($0)" } }
}
