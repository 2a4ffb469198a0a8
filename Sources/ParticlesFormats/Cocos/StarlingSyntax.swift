internal import ParticlesPropertyLists
internal import ParticlesCore

/// The XML of Starling: an element for each property, with its values as attributes.
///
/// A key joins the names of element and attribute: `startColor` and `red` become `startColorRed`.
/// The attribute `value` of a single value is left out. So keys equal the keys of the property
/// lists.
struct StarlingSyntax: FieldSyntax {
  typealias Value = String

  private var root: XMLElement
  private var text: XMLText?
  private(set) var findings: [Diagnostic] = []

  /// The names of the root element in Starling and in Lanica's dialect.
  static let roots = ["particleEmitterConfig", "lanicaAnimoParticles"]

  init() { root = XMLElement(Self.roots[0]) }

  init(decoding bytes: [UInt8], limits: Limits) throws(Failure) {
    var found: [Diagnostic] = []
    root = try XMLParser.parse(bytes, limits: limits) { found.append($0) }
    findings = found
    guard Self.roots.contains(root.name) else {
      throw Diagnostic(
        .emitterRoot, at: root.place.map { .offset($0.offset) } ?? .unknown,
        expected: "<\(Self.roots[0])>", found: "<\(root.name.excerpt)>")
    }
    text = XMLText(bytes, root: root)
  }

  var members: Members {
    places.map { element, attribute in
      let (element, attribute) = (
        root.children[element], root.children[element].attributes[attribute]
      )
      return (Self.key(element.name, attribute.name), attribute.value)
    }
  }

  private var places: [(element: Int, attribute: Int)] {
    root.children.indices.flatMap { element in
      root.children[element].attributes.indices.map { (element, $0) }
    }
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

  private static func place(of name: String) -> (element: String, attribute: String) {
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

  func applying(_ changes: FieldChanges<String>) -> StarlingSyntax {
    let places = places
    var copy = self
    if changes.isWhole { copy.text = nil }
    for (index, value) in changes.replaced {
      let (element, attribute) = places[index]
      copy.root.children[element].attributes[attribute].value = value
      copy.text?.setAttribute(attribute, of: root.children[element], to: value)
    }
    copy.add(changes, places.map { $0.element })
    copy.remove(changes.removed.map { (places[$0].element, places[$0].attribute) })
    return copy
  }

  /// Adds new fields to the element of their property, or as new elements.
  /// - Parameter elements: the elements of the fields of the file.
  private mutating func add(_ changes: FieldChanges<String>, _ elements: [Int]) {
    let known = root.children
    var neighbours: [Int?] = []
    for (key, value, index) in changes.added {
      let place = Self.place(of: key)
      let attribute = XMLElement.Attribute(place.attribute, value)
      if let element = root.children.firstIndex(where: { $0.name == place.element }),
        root.children[element][place.attribute] == nil
      {
        if known.indices.contains(element) { text?.add(attribute, to: known[element]) }
        root.children[element].attributes.append(attribute)
      } else {
        root.children.append(XMLElement(place.element, [attribute]))
        neighbours.append(index)
      }
    }
    for (new, index) in zip(root.children[known.count...], neighbours) {
      guard let sibling = index ?? changes.successor(of: nil) else { continue }
      text?.insert([new], besides: [known[elements[sibling]]], isBefore: index == nil)
    }
  }

  private mutating func remove(_ places: [(element: Int, attribute: Int)]) {
    for (index, places) in Dictionary(grouping: places, by: { $0.element }).sorted(by: {
      $0.key > $1.key
    }) {
      let element = root.children[index]
      for (_, attribute) in places.sorted(by: { $0.attribute > $1.attribute }) {
        root.children[index].attributes.remove(at: attribute)
      }
      let rest = root.children[index]
      if rest.attributes.isEmpty, rest.children.isEmpty, rest.text.isEmpty {
        root.children.remove(at: index)
        text?.remove([element])
      } else {
        for (_, attribute) in places { text?.removeAttribute(attribute, of: element) }
      }
    }
  }

  var bytes: [UInt8] { text?.bytes ?? Array(root.document().utf8) }

  var encoding: String { "xml" }
  static let decimalCommas: DecimalCommas.Syntax? = .attributes

  static func read(_ value: String) -> FieldValue { .text(value) }

  static func write(_ value: FieldValue, like old: String?) -> String {
    switch value {
    case .integer(let number): "\(number)"
    case .real(let number): shortText(number)
    case .flag(let flag): flag ? "1" : "0"
    case .text(let text), .other(let text): text
    }
  }

  static func typed(_ value: String) -> JSONValue { value.typed }
}
