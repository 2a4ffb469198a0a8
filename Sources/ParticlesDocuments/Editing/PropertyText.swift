internal import ParticlesCore
internal import ParticlesModel

/// Parses the text of a value: JSON, or a short form that depends on the type of the property.
///
/// Any other text becomes a JSON string; the model checks whether the property accepts it.
struct PropertyText {
  /// The property; nil for unknown JSON members.
  var property: PropertyInfo?

  /// The type without "or null".
  private var type: String {
    let type = property?.type ?? ""
    return type.hasSuffix(" or null") ? String(type.dropLast(8)) : type
  }

  /// The allowed names; empty if the property is not an enumeration.
  var names: [String] {
    guard type.hasPrefix("\"") else { return [] }
    return type.split(separator: "\"").map(String.init).filter { $0 != ", " }
  }

  /// Throws if a value is one that the property does not allow.
  /// - Returns: whether that was found out without the document.
  func checkAlone(_ value: JSONValue, at location: Location) throws -> Bool {
    guard names.isEmpty, ["Value", "Track"].contains(type) else {
      try check(value, at: location)
      try checkRange(value, at: location)
      return !names.isEmpty || ["number", "integer", "boolean"].contains(type)
    }
    let range = value.object
    let ends = value.double.map { [$0] } ?? [range?["min"], range?["max"]].compactMap(\.?.double)
    // Ends out of order, and other members, are for the check of the document.
    guard value.double != nil || range?.members.count == 2 && ends.count == 2, ends == ends.sorted()
    else { return false }
    for number in ends where !(property?.bounds?.contains(number) ?? number.isFinite) {
      throw Diagnostic(
        .range, at: location, expected: property?.bounds?.description ?? "a finite number",
        found: value.line)
    }
    return true
  }

  /// Returns the JSON value of a text.
  /// - Throws: ``ParticlesCore/Rule/type`` for a name that is not allowed.
  func value(of text: String, at location: Location) throws -> JSONValue {
    if !names.isEmpty, !names.contains(unquoted(text)), text != "null" {
      let guess = Suggestion.nearest(to: unquoted(text), among: names)
      throw Diagnostic(
        .type, at: location, expected: "one of \(names.joined(separator: ", "))",
        found: "'\(text)'", hint: guess.map { "did you mean '\($0)'?" })
    }
    let json = try? JSONParser.parse(Array(text.utf8))
    switch (type, json) {
    case ("string", .string(_)?), ("string", .null?): return json ?? .null
    case ("string", _): return .string(text)
    case (_, .string(let inside)?): return color(inside) ?? .string(inside)
    case (_, let json?): return json
    default: return number(text) ?? range(text) ?? color(text) ?? .string(text)
    }
  }

  /// Throws if a number, or one of a vector, is out of the range of the property. The ends of random ranges may be.
  /// - Throws: ``ParticlesCore/Rule/range``.
  func checkRange(_ value: JSONValue, at location: Location) throws {
    guard let bounds = property?.bounds else { return }
    for number in value.array ?? [value] {
      guard let number = number.double, !bounds.contains(number) else { continue }
      throw Diagnostic(.range, at: location, expected: bounds.description, found: value.line)
    }
  }

  /// Throws unless a value is one of the type of a property of a plain type.
  func check(_ value: JSONValue, at location: Location) throws {
    func fault(_ expected: String) -> Diagnostic {
      Diagnostic(.type, at: location, expected: expected, found: value.line.excerpt)
    }
    if !names.isEmpty {
      guard let name = value.string, names.contains(name) else {
        throw fault("one of \(names.joined(separator: ", "))")
      }
      return
    }
    switch type {
    case "number", "integer":
      guard let number = value.double else { throw fault("a number") }
      if type == "integer", value.int == nil { throw fault("an integer") }
      // No JSON, but a text such as 1e999.
      guard number.isFinite else {
        throw Diagnostic(
          .range, at: location, expected: "a finite number", found: value.line)
      }
    case "boolean": guard value.bool != nil else { throw fault("true or false") }
    case "string": guard value.string != nil else { throw fault("a string") }
    default: break
    }
  }

  /// A hint that shows the short form of the type; nil for types without one.
  var shape: String? {
    switch type {
    case "colour", "ColorValue", "ColorTrack": "colours look like orange, #ff8800 or [1, 0.53, 0]"
    case "Value", "Track": "for example 3, or 1..4 for a random number from 1 to 4"
    default: nil
    }
  }

  /// The key of the only colour in an object without a short form, if the text is a colour.
  func colorMember(for text: String) -> String? {
    guard ParticleSystem.Color(text: unquoted(text)) != nil, let objects = property?.objects,
      objects.count == 1, !objects[0].hasShortForm, property?.element == nil
    else { return nil }
    let colors = objects[0].keys.filter { key in
      objects[0].property(key).map { Self.colors.contains($0.type) } ?? false
    }
    return colors.count == 1 ? colors[0] : nil
  }

  /// The types whose values can be written as `#ff8800` or `orange`.
  static let colors: Set = ["colour", "ColorValue", "ColorTrack"]

  private func unquoted(_ text: String) -> String {
    text.count > 1 && text.first == "\"" && text.last == "\""
      ? String(text.dropFirst().dropLast()) : text
  }

  /// `.5`, `+3`: numbers that JSON does not allow.
  private func number(_ text: String) -> JSONValue? {
    guard text.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }),
      let number = Double(text), number.isFinite
    else { return nil }
    return .double(number)
  }

  /// `0.5..2`: a random number from 0.5 to 2.
  private func range(_ text: String) -> JSONValue? {
    guard ["Value", "Track", "frame rate"].contains(type),
      let dots = text.firstRange(of: ".."),
      case .number(let least)? = bound(text[..<dots.lowerBound]),
      case .number(let greatest)? = bound(text[dots.upperBound...])
    else { return nil }
    return ["min": .number(least), "max": .number(greatest)]
  }

  private func bound(_ text: Substring) -> JSONValue? {
    (try? JSONParser.parse(Array(text.utf8))) ?? number(String(text))
  }

  /// `#ff8800`, `#f80`, optionally with alpha: `#ff8800cc`, `#f80c`; or the name of a colour of CSS. In quotes, too.
  private func color(_ text: String) -> JSONValue? {
    guard Self.colors.contains(type), let color = ParticleSystem.Color(text: text) else {
      return nil
    }
    let components = [color.red, color.green, color.blue, color.alpha]
    // An alpha that was not written is not stated.
    let isOpaque = text.hasPrefix("#") ? [4, 7].contains(text.count) : color.alpha == 1
    return .array(components.prefix(isOpaque ? 3 : 4).map { .double($0) })
  }
}
