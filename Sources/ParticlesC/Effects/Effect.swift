public import CParticlesInterface
internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesEffects
internal import ParticlesFormats
internal import ParticlesImages
internal import ParticlesModel
internal import ParticlesRender

/// An effect behind a handle.
final class EffectHandle: Handle, HandleKind {
  static var kind: UInt32 { 4 }

  var package = EffectPackage(Container())
  private(set) var limits = Limits.standard
  /// The name of the format that it was opened from.
  private(set) var kindName = "particles"
  /// Whether changes may put numbers out of the range of their property.
  var beyond = false
  /// The findings of opening.
  private(set) var findings: [Diagnostic] = []
  /// The file that it was opened from, for the places of findings, and for edits in place.
  var opened: OpenedEffect?
  /// The name of that file, without folders.
  private(set) var fileName: String?
  /// Keeps the parsed document from one change to the next.
  var editor: EffectEditor?

  /// - Parameter name: the name or path of the file.
  func store(_ opened: OpenedEffect, named name: String?, limits: Limits) throws(Failure) {
    // An unreadable imported effect is refused now. A package is checked later, because it can be mended.
    if !opened.isPackage { _ = try opened.package.system(limits: limits) }
    (package, self.limits, findings) = (opened.package, limits, opened.diagnostics)
    self.opened = opened
    switch opened.kind {
    case .package: kindName = "particles"
    case .archive(let format), .imported(let format): kindName = format.name
    }
    let isNamed = name.map { !$0.isEmpty } ?? false
    fileName = isNamed ? name.map(Files.lastComponent) : usualName(of: opened)
  }

  /// The name of a file that was opened without its name.
  private func usualName(of opened: OpenedEffect) -> String {
    switch opened.kind {
    case .package: "effect.particles"
    case .archive(let format), .imported(let format):
      format.extensions.first.map { "effect.\($0)" } ?? "effect"
    }
  }

  /// - Parameters:
  ///   - format: the format that it was opened from. Nil for a package.
  ///   - findings: the findings of opening it.
  func store(
    _ package: EffectPackage, limits: Limits, of format: ParticleFormat? = nil,
    _ findings: [Diagnostic] = []
  ) {
    (self.package, self.limits, self.findings) = (package, limits, findings)
    kindName = format?.name ?? "particles"
  }

  func copy(to other: EffectHandle) {
    (other.package, other.limits, other.kindName) = (package, limits, kindName)
    (other.findings, other.opened, other.editor) = (findings, opened, editor)
    other.fileName = fileName
  }

  var system: ParticleSystem {
    get throws(Failure) { try package.system(limits: limits) }
  }

  var document: EffectEditor {
    get throws(Failure) {
      if let editor { return editor }
      let new = try EffectEditor(package, limits: limits)
      editor = new
      return new
    }
  }

  /// Changes properties. A change that makes an error is refused: nothing changes then.
  /// - Parameter isKept: whether the result is kept without a change of a property, too.
  func edit<Result>(
    isKept: Bool = false, _ body: (inout EffectEditor) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var editor = try document
    editor.beyond = beyond
    let before = editor.changes.count
    let result = try body(&editor)
    guard isKept || editor.changes.count > before else { return result }
    if let fault = try error(of: editor.package) { throw fault }
    (self.editor, package) = (editor, editor.package)
    return result
  }

  /// The first error that a change would add to the effect, or nil.
  private func error(of new: EffectPackage) throws(Failure) -> Diagnostic? {
    func errors(_ package: EffectPackage) throws(Failure) -> [Diagnostic] {
      try package.system(limits: limits).diagnostics().filter {
        $0.rule == .range ? !beyond : $0.severity == .error
      }
    }
    let new = try errors(new)
    guard !new.isEmpty else { return nil }
    let known = Set(((try? errors(package)) ?? []).map { $0.message })
    return new.first { !known.contains($0.message) }
  }

  /// Whether a key is one of a property that the effect has or can have.
  func knows(_ key: String) -> Bool {
    key.contains("[*]") || key.contains("[+]") || (try? document.value(key)) != nil
  }

  /// The measured difference from another effect.
  func difference(from other: ParticleSystem) throws(Failure) -> EffectDifference {
    try EffectMeter(system, limits: limits).difference(from: other)
  }

  func setDocument(_ bytes: [UInt8]) throws(Failure) {
    var new = package
    try new.setDocument(bytes)
    if let fault = try error(of: new) { throw fault }
    (package, editor) = (new, nil)
  }

  func replace(_ new: EffectPackage) { (package, editor) = (new, nil) }

  /// Findings with the places that the user has.
  func placing(_ findings: [Diagnostic]) -> [Diagnostic] {
    opened?.placing(findings) ?? findings
  }

  var container: Container { package.container }
}

func engine(_ name: UnsafePointer<CChar>?) throws(Failure) -> ParticleSystem.Profile? {
  guard let name = try optionalText(name, "engine") else { return nil }
  let profile = ParticleSystem.Profile(rawValue: name)
  guard profile.law != nil else {
    throw Diagnostic(.absentName, "no engine is called '\(name)'", hint: "see Spec/profiles.md")
  }
  return profile
}

func format(_ name: String) throws(Failure) -> ParticleFormat {
  guard let format = FormatRegistry.standard[name] else {
    throw Diagnostic(
      .unknownFormat, expected: "a name of particles_formats_json", found: "'\(name)'")
  }
  return format
}

// The functions of `particles.h` that make effects and close them.

/// How an effect is opened, by the argument of a function.
struct OpenArguments {
  var format: ParticleFormat?
  var engine: ParticleSystem.Profile?
  var finder: CallbackFinder?
  var limits = Limits.standard

  init(_ argument: UnsafePointer<particles_open_options>?) throws(Failure) {
    guard let options = try optional(argument, "options") else { return }
    limits = try ParticlesC.limits(options.limits)
    if let name = try optionalText(options.format, "format"), name != "particles" {
      format = try ParticlesC.format(name)
    }
    engine = try ParticlesC.engine(options.engine)
    finder = CallbackFinder(options.find, options.context)
  }

  /// Opens bytes with the images of the callback.
  func open(_ bytes: [UInt8], named name: String) throws(Failure) -> OpenedEffect {
    let (finder, limits) = (finder, limits)
    var context = DecodingContext(fileName: Files.lastComponent(of: name), limits: limits) {
      name throws(Failure) in
      try finder?.bytes(name, limits: limits)
    }
    context.engine = engine
    do throws(Failure) {
      let opened = try OpenedEffect(bytes: bytes, name: name, as: format, context)
      if let failure = finder?.failure { throw failure }
      return opened
    } catch {
      throw finder?.failure ?? error
    }
  }
}

/// See `particles_effect_open_memory` in `particles.h`.
@_cdecl("particles_effect_open_memory")
public func openEffect(
  ofBytes start: UnsafeRawPointer?, _ count: Int, _ name: UnsafePointer<CChar>?,
  _ options: UnsafePointer<particles_open_options>?, _ out: PackageOut?
) -> CInt {
  making(out, EffectHandle.self) { effect throws(Failure) in
    let bytes = try bytes(start, count, "bytes")
    let name = try optionalText(name, "name")
    let options = try OpenArguments(options)
    try effect.store(
      options.open(bytes, named: name ?? "effect"), named: name, limits: options.limits)
  }
}

/// See `particles_effect_template` in `particles.h`.
@_cdecl("particles_effect_template")
public func openTemplate(_ name: UnsafePointer<CChar>?, _ out: PackageOut?) -> CInt {
  making(out, EffectHandle.self) { effect throws(Failure) in
    let name = try text(name, "name")
    guard let template = EffectTemplate.named(name) else {
      let names = EffectTemplate.all.map { $0.name }
      throw Diagnostic(
        .absentName, "no template is called '\(name)'",
        expected: "one of \(names.joined(separator: ", "))")
    }
    effect.store(try template.package(), limits: .standard)
  }
}

/// See `particles_effect_from_package` in `particles.h`.
@_cdecl("particles_effect_from_package")
public func effectFromPackage(
  _ pointer: OpaquePointer?, _ given: UnsafePointer<particles_limits>?, _ out: PackageOut?
) -> CInt {
  making(out, EffectHandle.self, from: pointer, PackageHandle.self) {
    package, effect throws(Failure) in
    let limits = try limits(given)
    effect.store(EffectPackage(try package.container), limits: limits)
  }
}

/// See `particles_effect_package` in `particles.h`.
@_cdecl("particles_effect_package")
public func packageOfEffect(_ pointer: OpaquePointer?, _ out: PackageOut?) -> CInt {
  giving(out, by: pointer, EffectHandle.self) { effect throws(Failure) in
    let package = PackageHandle()
    package.store(effect.package.container, limits: effect.limits)
    return package
  }
}

/// See `particles_effect_copy` in `particles.h`.
@_cdecl("particles_effect_copy")
public func copyEffect(_ pointer: OpaquePointer?, _ out: PackageOut?) -> CInt {
  giving(out, by: pointer, EffectHandle.self) { effect throws(Failure) in
    let copy = EffectHandle()
    effect.copy(to: copy)
    return copy
  }
}

/// See `particles_effect_close` in `particles.h`.
@_cdecl("particles_effect_close")
public func closeEffect(_ pointer: OpaquePointer?) { EffectHandle.close(pointer) }

/// See `particles_effect_kind` in `particles.h`.
@_cdecl("particles_effect_kind")
public func effectKind(_ pointer: OpaquePointer?) -> UnsafePointer<CChar>? {
  var kind: UnsafePointer<CChar>?
  _ = call(pointer, EffectHandle.self) { effect throws(Failure) in
    kind = effect.strings.add(effect.kindName)
  }
  return kind
}

// The functions of `particles.h` that check and change effects.

/// See `particles_effect_findings` in `particles.h`.
@_cdecl("particles_effect_findings")
public func effectFindings(
  _ pointer: OpaquePointer?, _ finding: particles_finding_fn?, _ context: UnsafeMutableRawPointer?
) -> CInt {
  call(pointer, EffectHandle.self) { effect throws(Failure) in
    try report(effect.findings, to: finding, context)
  }
}

/// See `particles_effect_validate` in `particles.h`.
@_cdecl("particles_effect_validate")
public func validateEffect(
  _ pointer: OpaquePointer?, _ finding: particles_finding_fn?, _ context: UnsafeMutableRawPointer?
) -> CInt {
  call(pointer, EffectHandle.self) { effect throws(Failure) in
    _ = try required(finding, "finding")
    let findings = try effect.cancellable { () throws(Failure) in
      try EffectCheck(limits: effect.limits).checkAll(effect.package)
    }
    try report(effect.placing(findings), to: finding, context)
  }
}

extension EffectCheck {
  /// The findings. If the document is unreadable, the only finding is the reason.
  fileprivate func checkAll(_ package: EffectPackage) throws(Failure) -> [Diagnostic] {
    do throws(Failure) {
      return try check(package)
    } catch {
      guard let fault = Diagnostic.of(error), fault.rule.family != "file" else { throw error }
      return [fault]
    }
  }
}

/// See `particles_effect_repair` in `particles.h`.
@_cdecl("particles_effect_repair")
public func repairEffect(
  _ pointer: OpaquePointer?, _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  call(pointer, EffectHandle.self) { effect throws(Failure) in
    var package = effect.package
    let repairs = try effect.cancellable { () throws(Failure) in
      try EffectCheck(limits: effect.limits).mend(&package)
    }
    try give(.array(repairs.map { $0.json }), out)
    effect.replace(package)
  }
}

/// See `particles_effect_get` in `particles.h`.
@_cdecl("particles_effect_get")
public func effectProperty(
  _ pointer: OpaquePointer?, _ key: UnsafePointer<CChar>?,
  _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  call(pointer, EffectHandle.self) { effect throws(Failure) in
    try give(effect.property(text(key, "key")), out)
  }
}

extension EffectHandle {
  /// The value of a property, or its default.
  func property(_ key: String) throws(Failure) -> JSONValue {
    var value: JSONValue?
    try refusing(key) { () throws(Failure) in value = try document.value(key) }
    guard let value else { throw Diagnostic(.absentValue, at: .key(key)) }
    return value
  }

  /// Sets a property. Nil removes it.
  func set(_ key: String, to value: String?) throws(Failure) {
    try refusing(key) { () throws(Failure) in
      try edit { editor throws(Failure) in
        if let value { try editor.set(key, to: value) } else { try editor.unset(key) }
      }
    }
  }

  /// Reports errors of the document as refused values, and an unknown key as not found.
  fileprivate func refusing(_ key: String, _ body: () throws(Failure) -> Void) throws(Failure) {
    do throws(Failure) {
      try body()
    } catch {
      guard let fault = Diagnostic.of(error) else { throw error }
      if fault.rule == .usage, !knows(key) {
        throw Diagnostic(
          .absentName, at: .key(key), fault.detail, expected: fault.expected, found: fault.found,
          hint: fault.hint)
      }
      guard fault.rule.family == "document" else { throw error }
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
  call(pointer, EffectHandle.self) { effect throws(Failure) in effect.beyond = allows != 0 }
}

/// See `particles_effect_set` in `particles.h`.
@_cdecl("particles_effect_set")
public func setEffectProperty(
  _ pointer: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?
) -> CInt {
  call(pointer, EffectHandle.self) { effect throws(Failure) in
    try effect.set(text(key, "key"), to: optionalText(value, "value"))
  }
}

/// See `particles_effect_apply` in `particles.h`.
@_cdecl("particles_effect_apply")
public func applyEffectChange(_ pointer: OpaquePointer?, _ change: UnsafePointer<CChar>?) -> CInt {
  call(pointer, EffectHandle.self) { effect throws(Failure) in
    let change = try text(change, "change")
    let key = String(change.prefix { $0 != "=" }).trimmingOperator
    try effect.refusing(key) { () throws(Failure) in
      try effect.edit { editor throws(Failure) in try editor.apply(change) }
    }
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
  call(pointer, EffectHandle.self) { effect throws(Failure) in
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
  callPlainly { () throws(Failure) in
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
    var value: JSONValue?

    var isSet: Bool { value != nil }
  }

  /// The keys that a document has elements for.
  func places(in document: JSONValue) -> [Place] {
    var places = [Place(text: "", value: document)]
    for part in parts {
      let isEach = part.hasSuffix("[]")
      let name = String(isEach ? part.dropLast(2) : part)
      places = places.flatMap { place -> [Place] in
        let text = place.text.isEmpty ? name : "\(place.text).\(name)"
        let value = place.value?.object?[name]
        guard isEach else { return [Place(text: text, value: value)] }
        let elements = value?.array ?? []
        return elements.indices.map { Place(text: "\(text)[\($0)]", value: elements[$0]) }
      }
    }
    return places
  }
}

/// See `particles_effect_document` in `particles.h`.
@_cdecl("particles_effect_document")
public func effectDocument(
  _ pointer: OpaquePointer?, _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ count: UnsafeMutablePointer<Int>?
) -> CInt {
  call(pointer, EffectHandle.self) { effect throws(Failure) in
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
  call(pointer, EffectHandle.self) { effect throws(Failure) in
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
  call(pointer, EffectHandle.self) { effect throws(Failure) in
    let bytes = try bytes(start, count, "bytes")
    let (name, emitter) = (try text(name, "name"), try optionalText(emitter, "emitter"))
    let image = try effect.edit(isKept: true) { editor throws(Failure) in
      try editor.embed(bytes, named: name, shownBy: emitter)
    }
    if out != nil { try give(image.uri, out) }
  }
}

/// See `particles_effect_difference` in `particles.h`.
@_cdecl("particles_effect_difference")
public func effectDifference(
  _ pointer: OpaquePointer?, _ other: OpaquePointer?, _ value: UnsafeMutablePointer<Double>?,
  _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  call(pointer, EffectHandle.self) { effect throws(Failure) in
    let value = try required(value, "difference")
    // An effect may be compared with itself.
    let isOther = other != pointer
    guard let second = isOther ? entered(other, EffectHandle.self) : effect else {
      throw Diagnostic.argument("other", expected: "an open effect that no other call uses")
    }
    defer { if isOther { leave(other) } }
    let difference = try effect.cancellable { () throws(Failure) in
      try effect.difference(from: second.system)
    }
    value.pointee = difference.whole
    if json != nil { try give(difference.json, json) }
  }
}

/// See `particles_formats_json` in `particles.h`.
@_cdecl("particles_formats_json")
public func formats(_ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
  callPlainly { () throws(Failure) in
    let package: JSONObject = [
      "name": .string("particles"),
      "title": .string("Particles package: one file, or a directory"),
      "extensions": .array([.string("particles")]), "canRead": .bool(true),
      "canWrite": .bool(true),
    ]
    var rows: [JSONValue] = [.object(package)]
    for format in FormatRegistry.standard.formats {
      var row: JSONObject = [
        "name": .string(format.name), "title": .string(format.title),
        "extensions": .array(format.extensions.map(JSONValue.string)),
        "canRead": .bool(format.canRead), "canWrite": .bool(format.canWrite),
      ]
      if let capabilities = format.capabilities {
        row["exact"] = .array(capabilities.exact.map { $0.id }.sorted().map(JSONValue.string))
        row["approximated"] = .array(
          capabilities.approximated.map { $0.id }.sorted().map(JSONValue.string))
      }
      rows.append(.object(row))
    }
    try give(.array(rows), out)
  }
}

/// See `particles_templates_json` in `particles.h`.
@_cdecl("particles_templates_json")
public func templates(_ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
  callPlainly { () throws(Failure) in
    try give(
      .array(
        EffectTemplate.all.map { ["name": .string($0.name), "summary": .string($0.summary)] }),
      out)
  }
}
