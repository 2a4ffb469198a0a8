internal import ParticlesCore
internal import ParticlesPropertyLists

/// A file of Starling's: an element for each property, with its values as attributes.
///
/// As a key, the attribute follows the element, `startColor` and `red` being `startColorRed`; that of
/// a single value, `value`, is left out. So keys are those of the property lists.
struct StarlingXML: CocosContainer {
  typealias Value = String

  private var root: XMLElement

  /// The names that the root may have: Starling's, and that of Lanica's dialect.
  static let roots = ["particleEmitterConfig", "lanicaAnimoParticles"]

  init() { root = XMLElement(Self.roots[0]) }

  init(decoding bytes: [UInt8], limits: Limits) throws {
    root = try XMLParser.parse(bytes, limits: limits)
    guard Self.roots.contains(root.name) else {
      throw Diagnostic(
        .emitterRoot, at: root.place.map { .offset($0.offset) } ?? .unknown,
        expected: "<\(Self.roots[0])>", found: "<\(root.name.excerpt)>")
    }
  }

  var fields: Fields {
    places.map { ($0.key, root.children[$0.element].attributes[$0.attribute].value) }
  }

  /// Where each key stands.
  private var places: [(key: CocosKey, element: Int, attribute: Int)] {
    let all = root.children.indices.flatMap { element in
      root.children[element].attributes.indices.map { (element: element, attribute: $0) }
    }
    let keys = Self.unique(
      all.map { place in
        let element = root.children[place.element]
        let attribute = element.attributes[place.attribute]
        return (Self.key(element.name, attribute.name), attribute.value)
      })
    return zip(keys, all).map { ($0.key, $1.element, $1.attribute) }
  }

  private static func key(_ element: String, _ attribute: String) -> String {
    switch (element, attribute) {
    case (_, "value"): element
    case ("texture", "name"): "textureFileName"
    case ("texture", "data"): "textureImageData"
    case (_, "x"), (_, "y"): element + attribute
    default: element + attribute.prefix(1).uppercased() + attribute.dropFirst()
    }
  }

  /// Where a key of ours stands.
  private static func place(of key: CocosKey) -> (element: String, attribute: String) {
    let name = key.spelling
    switch name {
    case "textureFileName": return ("texture", "name")
    case "textureImageData": return ("texture", "data")
    case "particleLifespan": return ("particleLifeSpan", "value")
    default: break
    }
    if ["sourcePosition", "gravity"].contains(where: name.hasPrefix) {
      return (String(name.dropLast()), String(name.suffix(1)))
    }
    for channel in CocosChannel.allCases where name.hasSuffix(channel.rawValue) {
      return (String(name.dropLast(channel.rawValue.count)), channel.rawValue.lowercased())
    }
    return (name, "value")
  }

  /// What stands beside attributes, and attributes that are not changed, stays where it is.
  func replacing(_ fields: Fields, changed: [CocosKey]) -> StarlingXML {
    var copy = self
    let values = Dictionary(
      fields.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    let known = Dictionary(
      places.map { ($0.key, ($0.element, $0.attribute)) }, uniquingKeysWith: { first, _ in first })
    for key in changed {
      if let (element, attribute) = known[key] {
        copy.root.children[element].attributes[attribute].value = values[key] ?? ""
      } else if let value = values[key] {
        copy.add(value, at: Self.place(of: key))
      }
    }
    return copy
  }

  private mutating func add(_ value: String, at place: (element: String, attribute: String)) {
    if let index = root.children.firstIndex(where: { $0.name == place.element }),
      root.children[index][place.attribute] == nil
    {
      root.children[index].attributes.append(.init(place.attribute, value))
    } else {
      root.children.append(XMLElement(place.element, [.init(place.attribute, value)]))
    }
  }

  var bytes: [UInt8] { Array(root.document().utf8) }

  var encoding: String { "xml" }

  static func read(_ value: String) -> CocosValue { .text(value) }

  static func write(_ value: CocosValue, like old: String?) -> String {
    switch value {
    case .integer(let number): "\(number)"
    case .real(let number): shortText(number)
    case .flag(let flag): flag ? "1" : "0"
    case .text(let text), .other(let text): text
    }
  }

  static func typed(_ value: String) -> JSONValue { value.typed }
}
