internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

/// Blending, a factor of the colour, and the picture that a material gives to a particle system.
struct UnityMaterial {
  var name = ""
  /// Whether the file of the material was read.
  var isFound = false
  var blend = Blend()
  /// A factor of the colour. It may exceed 1.
  var tint = Color.white
  var picture: Picture?
  /// The part of the picture that is shown, and where it begins from the bottom left, both as shares.
  var scale = Vector2(1, 1)
  var offset = Vector2(0, 0)
  /// Differences from Unity.
  var findings: [(rule: Rule, key: String, detail: String, found: String?)] = []

  /// The picture that a material shows.
  enum Picture: Hashable {
    /// The soft dot of Unity itself.
    case dot
    /// A file of the project, by its identifier.
    case file(guid: String)
  }

  /// A shader that Unity has itself, by its number.
  private struct Shader {
    let name: String
    let blend: Blend?
    /// The key of the factor, and how often it counts. Nil for none.
    var tint: (key: String, factor: Double)? = nil
  }

  /// Unity's own shaders of particles, from its public source ("builtin_shaders", `DefaultResourcesExtra`). Without a mode,
  /// the material states the factors.
  private static let shaders: [Int64: Shader] = [
    46: Shader(name: "Standard", blend: nil, tint: ("_Color", 1)),
    200: Shader(name: "Particles/Additive", blend: Blend(.add), tint: ("_TintColor", 2)),
    201: Shader(
      name: "Particles/~Additive-Multiply", blend: Blend(.premultiplied), tint: ("_TintColor", 2)),
    202: Shader(name: "Particles/Additive (Soft)", blend: Blend(.screen)),
    203: Shader(name: "Particles/Alpha Blended", blend: Blend(.alpha), tint: ("_TintColor", 2)),
    205: Shader(name: "Particles/Multiply", blend: Blend(.multiplyAlpha)),
    206: Shader(name: "Particles/Multiply (Double)", blend: Blend(.multiplyX2)),
    207: Shader(name: "Particles/Alpha Blended Premultiply", blend: Blend(.premultiplied)),
    208: Shader(name: "Particles/VertexLit Blended", blend: Blend(.alpha)),
    209: Shader(
      name: "Particles/Anim Alpha Blended", blend: Blend(.alpha), tint: ("_TintColor", 2)),
    210: Shader(name: "Particles/Standard Surface", blend: nil, tint: ("_Color", 1)),
    211: Shader(name: "Particles/Standard Unlit", blend: nil, tint: ("_Color", 1)),
    10720: Shader(name: "Mobile/Particles/Additive", blend: Blend(.add)),
    10721: Shader(name: "Mobile/Particles/Alpha Blended", blend: Blend(.alpha)),
    10723: Shader(name: "Mobile/Particles/Multiply", blend: Blend(.multiplyAlpha)),
    10753: Shader(name: "Sprites/Default", blend: Blend(.alpha), tint: ("_Color", 1)),
    10770: Shader(name: "UI/Default", blend: Blend(.alpha), tint: ("_Color", 1)),
  ]

  /// Shaders of the Universal Render Pipeline, by the identifiers of their files (`com.unity.render-pipelines.universal`,
  /// `Shaders/Particles`).
  private static let pipeline: [String: Shader] = [
    "0406db5a14f94604a8c57ccfbc9f3b46": Shader(
      name: "Universal Render Pipeline/Particles/Unlit", blend: nil, tint: ("_BaseColor", 1)),
    "b7839dad95683814aa64166edc107ae2": Shader(
      name: "Universal Render Pipeline/Particles/Lit", blend: nil, tint: ("_BaseColor", 1)),
    "8516d7a69675844a7a0b7095af7c46af": Shader(
      name: "Universal Render Pipeline/Particles/Simple Lit", blend: nil, tint: ("_BaseColor", 1)),
  ]

  /// OpenGL's factors by the numbers of Unity (`BlendMode`).
  static let factors = [0, 1, 774, 768, 775, 770, 769, 772, 773, 776, 771]
  private static let factorNames = [
    "zero", "one", "dstcolor", "srccolor", "oneminusdstcolor", "srcalpha", "oneminussrccolor",
    "dstalpha",
    "oneminusdstalpha", "srcalphasaturate", "oneminussrcalpha",
  ]

  /// The material of a new particle system.
  static let standard: UnityMaterial = {
    var material = UnityMaterial()
    (material.name, material.picture) = ("Default-Particle", .dot)
    return material
  }()

  /// Reads a material.
  /// - Parameter shader: returns the text of a shader of the project by its identifier, or nil if it is not found.
  init(_ body: JSONValue, shader source: (String) -> [UInt8]?) {
    let properties = body.object?["m_SavedProperties"]?.object
    let textures = Self.named(properties?["m_TexEnvs"])
    let floats = Self.named(properties?["m_Floats"]).compactMapValues { $0.string?.double }
    let colors = Self.named(properties?["m_Colors"]).mapValues(Self.color)
    (name, isFound) = (body.object?["m_Name"]?.string ?? "", true)
    let places = ["_MainTex", "_BaseMap", "_BaseColorMap"]
    for texture in places.compactMap({ textures[$0]?.object }) {
      guard let file = UnityReference(texture["m_Texture"]) else { continue }
      picture = file.isBuiltIn ? .dot : file.guid.map { .file(guid: $0) }
      scale = Self.pair(texture["m_Scale"], 1)
      offset = Self.pair(texture["m_Offset"], 0)
      break
    }
    guard let reference = UnityReference(body.object?["m_Shader"]) else { return }
    let own = reference.isBuiltIn
    if let shader = own ? Self.shaders[reference.id] : reference.guid.flatMap({ Self.pipeline[$0] })
    {
      blend = shader.blend ?? stated(floats)
      if let tint = shader.tint, let color = colors[tint.key] {
        self.tint = Color(color.components.map { ($0 * tint.factor).rounded })
      }
    } else {
      let text = reference.guid.flatMap(source).map {
        String(decoding: $0.prefix(64 << 10), as: UTF8.self)
      }
      unknown(reference, text, floats)
      if let color = ["_TintColor", "_BaseColor", "_Color"].lazy.compactMap({ colors[$0] }).first {
        tint = color
      }
    }
  }

  private init() {}

  /// Takes the blending of a shader of the project from its text, or assumes one.
  private mutating func unknown(
    _ reference: UnityReference, _ text: String?, _ floats: [String: Double]
  ) {
    let shown =
      reference.isBuiltIn
      ? "number \(reference.id)" : "guid \(reference.guid ?? "")"
    let line = text?.split(whereSeparator: { $0.isNewline }).lazy
      .map { String($0).trimmed.lowercased() }.first { $0.hasPrefix("blend ") }
    let words = (line ?? "").split { $0 == " " || $0 == "," || $0 == "\t" }.dropFirst().prefix(2)
    let numbers = words.compactMap { word -> Int? in
      if let number = Self.factorNames.firstIndex(of: String(word)) { return number }
      let key = word.dropFirst().dropLast()
      let float = floats.first { $0.key.lowercased() == key }?.value
      return word.hasPrefix("[") ? float.map { Int(saturating: $0) } : nil
    }
    if numbers.count == 2 {
      blend = Self.blend(numbers[0], numbers[1])
      findings.append(
        (.approximated, "m_Shader", "of a shader of the project, its blending is read only", shown))
    } else if floats["_SrcBlend"] != nil, text == nil {
      blend = stated(floats)
      findings.append(
        (
          .assumed, "m_Shader",
          "a shader that is not known blends as its material states: \(blend.mode.rawValue)", shown
        ))
    } else {
      findings.append((.assumed, "m_Shader", "a shader that is not known blends by alpha", shown))
    }
  }

  private func stated(_ floats: [String: Double]) -> Blend {
    func number(_ key: String) -> Int? { floats[key].map { Int(saturating: $0) } }
    if let source = number("_SrcBlend"), let destination = number("_DstBlend") {
      // The operation 2 subtracts the particle from the background.
      if number("_BlendOp") == 2, source == 5, destination == 1 { return Blend(.subtract) }
      return Self.blend(source, destination)
    }
    return Blend(number("_Blend") == 2 ? .add : .alpha)
  }

  private static func blend(_ source: Int, _ destination: Int) -> Blend {
    switch (source, destination) {
    case (5, 10): return Blend(.alpha)
    case (5, 1): return Blend(.add)
    case (1, 10): return Blend(.premultiplied)
    case (1, 0): return Blend(.replace)
    case (2, 0), (0, 3): return Blend(.multiply)
    case (1, 6): return Blend(.screen)
    default:
      guard factors.indices.contains(source), factors.indices.contains(destination) else {
        return Blend(.alpha)
      }
      return Blend(source: factors[source], destination: factors[destination])
    }
  }

  /// Values by their names: maps with one member each, or in old files pairs.
  private static func named(_ list: JSONValue?) -> [String: JSONValue] {
    var result: [String: JSONValue] = [:]
    for case .object(let object) in (list?.array ?? []).prefix(1000) {
      if let first = object["first"], let second = object["second"] {
        result[first.object?["name"]?.string ?? first.string ?? ""] = second
      } else if let member = object.members.first {
        result[member.key] = member.value
      }
    }
    return result
  }

  private static func color(_ value: JSONValue) -> Color {
    Color(
      ["r", "g", "b", "a"].map { key in
        let number = value.object?[key]?.string?.double ?? 1
        return min(max(number, 0), 1e6)
      })
  }

  private static func pair(_ value: JSONValue?, _ standard: Double) -> Vector2 {
    func number(_ key: String) -> Double {
      let number = value?.object?[key]?.string?.double ?? standard
      return number.magnitude < 1e6 ? number : standard
    }
    return Vector2(number("x"), number("y"))
  }

  /// Multiplies the colour of an emitter.
  /// - Returns: the factor of its start colours.
  func tint(_ emitter: inout Emitter) -> Color {
    guard tint != .white else { return .white }
    var (rgb, alpha) = (Array(tint.components.prefix(3)), tint.alpha)
    var most = max(rgb.max() ?? 1, 1)
    rgb = rgb.map { $0 / most }
    if alpha > 1 {
      // Added light with twice the opacity is added light with twice the brightness.
      if emitter.render.blend.mode == .add { most *= alpha }
      alpha = 1
    }
    if most != 1 { emitter.color.intensity = Track(.constant(most.rounded)) }
    let factor = Color((rgb + [alpha]).map { $0.rounded })
    guard factor != .white else { return .white }
    emitter.color.base.from = emitter.color.base.from.multiplied(by: factor)
    return factor
  }
}

extension ColorValue {
  /// Returns the value with every colour multiplied.
  func multiplied(by factor: Color) -> ColorValue {
    switch self {
    case .constant(let color): return .constant(color.multiplied(by: factor))
    case .varied(var value):
      value.color = value.color.multiplied(by: factor)
      return .varied(value)
    case .range(var value):
      (value.min, value.max) = (value.min.multiplied(by: factor), value.max.multiplied(by: factor))
      return .range(value)
    case .gradient(var value):
      value.gradient.keys = value.gradient.keys.map {
        GradientKey($0.time, $0.color.multiplied(by: factor))
      }
      return .gradient(value)
    case .choice(var value):
      value.colors = value.colors.map { $0.multiplied(by: factor) }
      return .choice(value)
    }
  }
}

/// The sprites of a picture, as its `.meta` file states them: where each is, by its number.
struct UnitySprites {
  /// The places in pixels, counted from the bottom left.
  private var places: [Int64: Rectangle] = [:]

  /// The number of the sprite of a picture that is one sprite.
  static let whole: Int64 = 21_300_000

  /// - Throws: ``ParticlesCore/Rule/limit``.
  init(meta bytes: [UInt8], limits: Limits) throws(Failure) {
    var yaml = UnityYAML(bytes, 0..<bytes.count, limits: limits)
    let importer = try yaml.value().object?["TextureImporter"]
    var numbers: [String: Int64] = [:]
    // Up to 2018, a map from numbers to names. Later a list of pairs.
    for member in importer?["fileIDToRecycleName"]?.object?.members ?? [] {
      if let name = member.value.string { numbers[name] = Int64(member.key) }
    }
    for element in importer?["internalIDToNameTable"]?.array ?? [] {
      guard let name = element["second"]?.string else { continue }
      numbers[name] = element["first"]?.object?.members.first?.value.string.flatMap { Int64($0) }
    }
    for sprite in (importer?["spriteSheet.sprites"]?.array ?? []).prefix(4096) {
      func number(_ key: String) -> Double { sprite["rect.\(key)"]?.string?.double ?? 0 }
      let name = sprite["name"]?.string ?? ""
      let own = sprite["internalID"]?.string.flatMap { Int64($0) }
      guard let id = own.flatMap({ $0 == 0 ? nil : $0 }) ?? numbers[name] else { continue }
      let rectangle = Rectangle(
        x: number("x"), y: number("y"), width: number("width"), height: number("height"))
      if rectangle.width > 0, rectangle.height > 0 { places[id] = rectangle }
    }
  }

  /// The part of a picture that a sprite shows, counted from the top. Nil for the whole picture.
  func region(of id: Int64, height: Double) -> Rectangle? {
    guard let place = places[id], place.y + place.height <= height + 0.5 else { return nil }
    return Rectangle(
      x: place.x, y: height - place.y - place.height, width: place.width, height: place.height)
  }
}
