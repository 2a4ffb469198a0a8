package import ParticlesCore
package import ParticlesModel

/// Makes random documents and values from the catalogue.
///
/// Objects are made as JSON: the keys come from the catalogue, and a value of each type is made
/// here. New properties are included automatically.
package struct RandomDocuments {
  package var generator: SeededGenerator

  /// The tables of objects, by the name of the object.
  private static let tables = Dictionary(
    uniqueKeysWithValues: PropertyCatalog().objects.map { ($0.title, $0.properties) })

  package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  package mutating func number() -> JSONValue {
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: .int(Int.random(in: -9...9, using: &generator))
    case 1: .double(Double.random(in: -1...1, using: &generator))
    case 2: .double(Double(Float.random(in: 0...1, using: &generator)))
    case 3: .double(Double.random(in: 0...1e9, using: &generator) * 1e-15)
    default: .double(Double(Int.random(in: 0...1000, using: &generator)) / 10)
    }
  }

  package mutating func numbers(_ count: Int) -> JSONValue {
    .array((0..<count).map { _ in number() })
  }
  /// A number within the bounds of a property, or a small number without bounds.
  mutating func number(in bounds: Bounds) -> JSONValue {
    let lower = bounds.lower ?? -100
    let upper = bounds.upper.map { min($0, lower + 100) } ?? lower + 100
    let value = Double.random(in: 0...1, using: &generator) * (upper - lower)
    return .double(bounds.excludesLower ? upper - value / 2 : lower + value)
  }

  package mutating func object(_ type: PropertyCatalog.Object, depth: Int) -> JSONValue {
    var object = JSONObject()
    for info in Self.tables[type.title] ?? [] where info.isRequired || depth < 4 && chance(2) {
      if let value = value(info.type, info, depth: depth) { object[info.key] = value }
    }
    if chance(8) { object["extensions"] = ["TEST_a": ["x": number()]] }
    if chance(8) { object["extras"] = chance(2) ? .null : ["note": "kept"] }
    if chance(4) { object["x-\(Int.random(in: 0..<9, using: &generator))"] = numbers(2) }
    return .object(object)
  }

  package mutating func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &generator) == 0 }

  /// A value for a type of the catalogue, or nil for an unknown type.
  package mutating func value(_ type: String, _ info: PropertyInfo, depth: Int) -> JSONValue? {
    if type.hasSuffix(" or null") { return value(String(type.dropLast(8)), info, depth: depth) }
    if type.hasPrefix("array of ") {
      let element = String(type.dropFirst(9))
      let count = Int.random(in: 1...3, using: &generator)
      return .array((0..<count).compactMap { _ in value(element, info, depth: depth) })
    }
    if type.hasPrefix("\"") {
      let names = type.split(separator: ", ").map { String($0.dropFirst().dropLast()) }
      return names.randomElement(using: &generator).map(JSONValue.string)
    }
    switch type {
    case "number": return info.bounds.map { number(in: $0) } ?? number()
    case "integer":
      let least = Int(saturating: info.bounds?.lower ?? 0)
      return .int(Int.random(in: least...least + 9, using: &generator))
    case "boolean": return .bool(chance(2))
    case "string": return .string(info.key == "version" ? "1.0" : chance(2) ? "1.0" : "1.00")
    case "vector", "scale": return numbers(chance(2) ? 2 : 3)
    case "pair", "interval": return numbers(2)
    case "quaternion", "rectangle", "colour jitter", "colour rate": return numbers(4)
    case "colour": return numbers(chance(2) ? 3 : 4)
    case "curve key": return curveKey()
    case "gradient key": return .array([number(), numbers(4)])
    case "axis": return chance(2) ? "random" : numbers(3)
    case "aspect": return chance(2) ? "sprite" : number()
    case "frame rate": return chance(2) ? "life" : value("Value", info, depth: depth)
    case "stretch axis": return chance(2) ? "velocity" : value("vector of Tracks", info, depth: 3)
    case "vector of Tracks":
      return .array((0..<(chance(2) ? 2 : 3)).map { _ in form(Track.object, depth: depth) })
    case "vector of Values", "scale of Values":
      return .array(
        (0..<(chance(2) ? 2 : 3)).map { _ in value("Value", info, depth: depth) ?? number() })
    case "Value":
      return depth > 3 || chance(3)
        ? number() : Value.objects.randomElement(using: &generator).map { form($0, depth: depth) }
    case "ColorValue":
      return chance(3)
        ? numbers(3)
        : ColorValue.objects.randomElement(using: &generator).map { form($0, depth: depth) }
    default:
      return info.objects.first { $0.title == type }.map { form($0, depth: depth) }
    }
  }

  package mutating func form(_ type: PropertyCatalog.Object, depth: Int) -> JSONValue {
    if depth > 3, type.title == Track.title { return number() }
    if depth > 3, type.title == Curve.title { return "linear" }
    return object(type, depth: depth + 1)
  }

  package mutating func curveKey() -> JSONValue {
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: numbers(2)
    case 1: .array([number(), number(), number(), chance(2) ? .null : number()])
    default: .array([number(), number(), .null, number(), "step"])
    }
  }

  /// A document that can be decoded, with random values.
  package mutating func document() -> JSONValue {
    var json = object(ParticleSystem.object, depth: 0).object ?? JSONObject()
    json["extensionsRequired"] = nil
    var asset = json["asset"]?.object ?? JSONObject()
    asset["minVersion"] = nil
    json["asset"] = .object(asset)
    return .object(json)
  }
}

extension RandomDocuments {
  /// Random JSON with known keys and names in arbitrary places.
  package mutating func nonsense() -> JSONValue {
    let infos = PropertyCatalog().objects.flatMap(\.properties)
    var words = infos.map(\.key) + ["linear", "sprite", "life", "1.0"]
    words += infos.flatMap { $0.type.split(separator: "\"").map(String.init) }
    var values = 60
    return nonsense(words, &values)
  }

  private mutating func nonsense(_ words: [String], _ values: inout Int) -> JSONValue {
    values -= 1
    switch Int.random(in: 0..<(values > 0 ? 9 : 4), using: &generator) {
    case 0: return number()
    case 1: return .string(words.randomElement(using: &generator) ?? "")
    case 2: return chance(2) ? .null : .bool(chance(2))
    case 3: return .double(chance(2) ? 1e308 : -1e308)
    case 4, 5:
      let count = Int.random(in: 0..<5, using: &generator)
      return .array((0..<count).map { _ in nonsense(words, &values) })
    default:
      var object = JSONObject()
      for _ in 0..<Int.random(in: 0..<8, using: &generator) {
        object[words.randomElement(using: &generator) ?? ""] = nonsense(words, &values)
      }
      return .object(object)
    }
  }

  /// A valid document: a random one from which members with errors are removed until none is left.
  package mutating func validDocument() throws -> ParticleSystem {
    var json = document()
    while true {
      let system = try ParticleSystem(json: json)
      let error = system.diagnostics().first { $0.severity == .error }
      guard let error, case .key(let path) = error.location.position else { return system }
      json = try json.dropping(Self.components(of: path))
    }
  }

  /// Splits a path, as messages show it, into keys and indices.
  private static func components(of path: String) -> [String] {
    path.split { ".[".contains($0) }.map { $0.hasSuffix("]") ? String($0.dropLast()) : String($0) }
  }
}

extension JSONValue {
  /// Removes the innermost optional member on the path to a value.
  fileprivate func dropping(_ path: [String]) throws -> JSONValue {
    for count in stride(from: path.count, to: 0, by: -1) where Int(path[count - 1]) == nil {
      let smaller = removing(path[..<count])
      // A required member that is missing cannot be removed.
      if smaller != self, (try? ParticleSystem(json: smaller)) != nil { return smaller }
    }
    throw Diagnostic(.type, expected: "a document that can do without \(path)")
  }

  private func removing(_ path: ArraySlice<String>) -> JSONValue {
    guard let step = path.first else { return self }
    let rest = path.dropFirst()
    switch self {
    case .object(var object):
      object[step] = rest.isEmpty ? nil : object[step]?.removing(rest)
      return .object(object)
    case .array(var elements):
      guard let index = Int(step), elements.indices.contains(index) else { return self }
      elements[index] = elements[index].removing(rest)
      return .array(elements)
    default: return self
    }
  }
}

extension Emitter {
  /// An emitter of many large particles, which tests of limits ask for too many of.
  package static func endless(rate: Double = 1e9, lifetime: Double = 2) -> Emitter {
    var emitter = Emitter(name: "endless")
    emitter.emission.rate = .constant(rate)
    emitter.lifetime = .constant(lifetime)
    emitter.launch.speed = 100
    emitter.size.width = 40
    return emitter
  }
}
