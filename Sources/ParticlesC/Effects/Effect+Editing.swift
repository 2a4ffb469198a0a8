public import CParticlesInterface
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesModel

// The functions of `particles.h` that check and change effects.

/// See `particles_effect_findings` in `particles.h`.
@_cdecl("particles_effect_findings")
public func effectFindings(
  _ pointer: OpaquePointer?, _ finding: particles_finding_fn?, _ context: UnsafeMutableRawPointer?
) -> CInt {
  call(pointer, EffectHandle.self) { try report($0.findings, to: finding, context) }
}

/// See `particles_effect_validate` in `particles.h`.
@_cdecl("particles_effect_validate")
public func validateEffect(
  _ pointer: OpaquePointer?, _ finding: particles_finding_fn?, _ context: UnsafeMutableRawPointer?
) -> CInt {
  call(pointer, EffectHandle.self) { effect in
    _ = try required(finding, "finding")
    let findings = try effect.cancellable {
      try Validator(limits: effect.limits).checkAll(effect.package)
    }
    try report(effect.placing(findings), to: finding, context)
  }
}

extension Validator {
  /// The findings; what makes a document unreadable is one, too.
  fileprivate func checkAll(_ package: EffectPackage) throws -> [Diagnostic] {
    do {
      return try check(package)
    } catch let fault as Diagnostic where fault.rule.family != "file" {
      return [fault]
    }
  }
}

/// See `particles_effect_repair` in `particles.h`.
@_cdecl("particles_effect_repair")
public func repairEffect(
  _ pointer: OpaquePointer?, _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  call(pointer, EffectHandle.self) { effect in
    var package = effect.package
    let repairs = try effect.cancellable {
      try Validator(limits: effect.limits).mend(&package)
    }
    try give(.array(repairs.map(\.json)), out)
    effect.replace(package)
  }
}

/// See `particles_effect_get` in `particles.h`.
@_cdecl("particles_effect_get")
public func effectProperty(
  _ pointer: OpaquePointer?, _ key: UnsafePointer<CChar>?,
  _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  call(pointer, EffectHandle.self) { try give($0.property(text(key, "key")), out) }
}

extension EffectHandle {
  /// The value of a property, or its default.
  func property(_ key: String) throws -> JSONValue {
    var value: JSONValue?
    try refusing(key) { value = try document.value(key) }
    guard let value else { throw Diagnostic(.absentValue, at: .key(key)) }
    return value
  }

  /// Sets a property; nil removes it.
  func set(_ key: String, to value: String?) throws {
    try refusing(key) {
      try edit { editor in
        if let value { try editor.set(key, to: value) } else { try editor.unset(key) }
      }
    }
  }

  /// Errors of the document are those of the value here: it is refused. A key that no property has is not found.
  fileprivate func refusing(_ key: String, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let fault as Diagnostic where fault.rule == .usage && !knows(key) {
      throw Diagnostic(
        .absentName, at: .key(key), fault.detail, expected: fault.expected, found: fault.found,
        hint: fault.hint)
    } catch let fault as Diagnostic where fault.rule.family == "document" {
      var location = fault.location
      if location.position == nil { location.position = .key(key) }
      throw Diagnostic(
        .refusedValue, at: location,
        "\(fault.rule.summary)" + (fault.detail.map { ": \($0)" } ?? ""),
        expected: fault.expected, found: fault.found, hint: fault.hint)
    }
  }
}

/// See `particles_effect_allow_out_of_range` in `particles.h`.
@_cdecl("particles_effect_allow_out_of_range")
public func allowOutOfRange(_ pointer: OpaquePointer?, _ allows: CInt) -> CInt {
  call(pointer, EffectHandle.self) { $0.beyond = allows != 0 }
}

/// See `particles_effect_set` in `particles.h`.
@_cdecl("particles_effect_set")
public func setEffectProperty(
  _ pointer: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?
) -> CInt {
  call(pointer, EffectHandle.self) {
    try $0.set(text(key, "key"), to: optionalText(value, "value"))
  }
}

/// See `particles_effect_apply` in `particles.h`.
@_cdecl("particles_effect_apply")
public func applyEffectChange(_ pointer: OpaquePointer?, _ change: UnsafePointer<CChar>?) -> CInt {
  call(pointer, EffectHandle.self) { effect in
    let change = try text(change, "change")
    let key = String(change.prefix { $0 != "=" }).trimmingOperator
    try effect.refusing(key) { try effect.edit { try $0.apply(change) } }
  }
}

extension String {
  /// The key of a change without its operator.
  fileprivate var trimmingOperator: String {
    last.map { "+-*/".contains($0) } ?? false ? String(dropLast()) : self
  }
}

/// See `particles_effect_properties_json` in `particles.h`.
@_cdecl("particles_effect_properties_json")
public func effectProperties(
  _ pointer: OpaquePointer?, _ prefix: UnsafePointer<CChar>?,
  _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  call(pointer, EffectHandle.self) { effect in
    let prefix = try optionalText(prefix, "prefix") ?? ""
    let editor = try effect.document
    var rows: [JSONValue] = []
    let set = try JSONParser.parse(effect.package.document(limits: effect.limits))
    for key in SettableKey.all(prefix) {
      for concrete in PropertyPath(key.key).places(in: set) {
        guard concrete.text.hasPrefix(prefix) || prefix.contains("[]") else { continue }
        var row = key.object
        row["key"] = .string(concrete.text)
        row["isSet"] = .bool(concrete.isSet)
        row["value"] = (try? editor.value(concrete.text)) ?? .null
        rows.append(.object(row))
      }
    }
    try give(.array(rows), out)
  }
}

/// See `particles_properties_json` in `particles.h`.
@_cdecl("particles_properties_json")
public func properties(
  _ prefix: UnsafePointer<CChar>?, _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  callPlainly {
    let keys = SettableKey.all(try optionalText(prefix, "prefix") ?? "")
    try give(.array(keys.map { .object($0.object) }), out)
  }
}

extension SettableKey {
  /// The description as JSON.
  var object: JSONObject {
    var object: JSONObject = ["key": .string(key), "type": .string(type)]
    object["unit"] = unit.map(JSONValue.string)
    object["range"] = range.map(JSONValue.string)
    if let standard {
      object["default"] = (try? JSONParser.parse(Array(standard.utf8))) ?? .string(standard)
    }
    object["summary"] = .string(summary)
    return object
  }
}

/// A key of a table, such as `emitters[].emission.rate`, in which empty brackets are any element.
struct PropertyPath {
  private let parts: [Substring]

  init(_ key: String) { parts = key.split(separator: ".") }

  /// A key of a document.
  struct Place {
    var text: String
    var isSet: Bool
  }

  /// The keys that a document has elements for.
  func places(in document: JSONValue) -> [Place] {
    var places: [(text: String, value: JSONValue?)] = [("", document)]
    for part in parts {
      let isEach = part.hasSuffix("[]")
      let name = String(isEach ? part.dropLast(2) : part)
      places = places.flatMap { place -> [(String, JSONValue?)] in
        let text = place.text.isEmpty ? name : "\(place.text).\(name)"
        let value = place.value?.object?[name]
        guard isEach else { return [(text, value)] }
        let elements = value?.array ?? []
        return elements.indices.map { ("\(text)[\($0)]", elements[$0]) }
      }
    }
    return places.map { Place(text: $0.text, isSet: $0.value != nil) }
  }
}

/// See `particles_effect_document` in `particles.h`.
@_cdecl("particles_effect_document")
public func effectDocument(
  _ pointer: OpaquePointer?, _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ count: UnsafeMutablePointer<Int>?
) -> CInt {
  call(pointer, EffectHandle.self) { effect in
    let bytes = try effect.package.document(limits: effect.limits)
    let text = String(decoding: bytes, as: UTF8.self)
    try give(text, out)
    // The copy of a damaged document is UTF-8, too, and ends at its first 0.
    count?.pointee = text.utf8.prefix { $0 != 0 }.count
  }
}

/// See `particles_effect_set_document` in `particles.h`.
@_cdecl("particles_effect_set_document")
public func setEffectDocument(
  _ pointer: OpaquePointer?, _ json: UnsafePointer<CChar>?, _ count: Int
) -> CInt {
  call(pointer, EffectHandle.self) { effect in
    try effect.setDocument(bytes(required(json, "json"), count, "json"))
  }
}

/// See `particles_effect_embed` in `particles.h`.
@_cdecl("particles_effect_embed")
public func embedImage(
  _ pointer: OpaquePointer?, _ start: UnsafeRawPointer?, _ count: Int,
  _ name: UnsafePointer<CChar>?, _ emitter: UnsafePointer<CChar>?,
  _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  call(pointer, EffectHandle.self) { effect in
    let bytes = try bytes(start, count, "bytes")
    let (name, emitter) = (try text(name, "name"), try optionalText(emitter, "emitter"))
    let image = try effect.edit { try $0.embed(bytes, named: name, shownBy: emitter) }
    if out != nil { try give(image.uri, out) }
  }
}
