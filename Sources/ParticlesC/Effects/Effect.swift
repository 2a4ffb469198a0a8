internal import CParticlesInterface
internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats
internal import ParticlesModel

/// An effect behind a handle.
final class EffectHandle: Handle {
  override class var kind: UInt32 { 4 }

  private(set) var package = EffectPackage(Container())
  private(set) var limits = Limits.standard
  /// The name of the format that it was opened from.
  private(set) var kindName = "particles"
  /// Whether changes may put numbers out of the range of their property.
  var beyond = false
  /// The findings of opening.
  private(set) var findings: [Diagnostic] = []
  /// The file that it was opened from, for the places of findings.
  private var opened: OpenedEffect?
  /// Keeps the parsed document from one change to the next.
  private var editor: EffectEditor?

  func take(_ opened: OpenedEffect, limits: Limits) throws {
    // An effect that cannot be read is refused now; that of a package later, as one that can be mended.
    if !opened.isPackage { _ = try opened.package.system(limits: limits) }
    (package, self.limits, findings) = (opened.package, limits, opened.diagnostics)
    self.opened = opened
    switch opened.kind {
    case .package: kindName = "particles"
    case .archive(let format), .imported(let format): kindName = format.name
    }
  }

  /// - Parameters:
  ///   - format: the format that it was opened from; nil for a package.
  ///   - findings: those of opening it.
  func take(
    _ package: EffectPackage, limits: Limits, of format: ParticleFormat? = nil,
    _ findings: [Diagnostic] = []
  ) {
    (self.package, self.limits, self.findings) = (package, limits, findings)
    kindName = format?.name ?? "particles"
  }

  func copy(to other: EffectHandle) {
    (other.package, other.limits, other.kindName) = (package, limits, kindName)
    (other.findings, other.opened, other.editor) = (findings, opened, editor)
  }

  var system: ParticleSystem {
    get throws { try package.system(limits: limits) }
  }

  /// The document, parsed.
  var document: EffectEditor {
    get throws {
      if let editor { return editor }
      let new = try EffectEditor(package, limits: limits)
      editor = new
      return new
    }
  }

  /// Changes properties. A change that makes an error is refused: nothing changes then.
  func edit<Result>(_ body: (inout EffectEditor) throws -> Result) throws -> Result {
    var editor = try document
    editor.beyond = beyond
    let before = editor.changes.count
    let result = try body(&editor)
    guard editor.changes.count > before || result is EffectEditor.EmbeddedImage else {
      return result
    }
    if let fault = try error(of: editor.package) { throw fault }
    (self.editor, package) = (editor, editor.package)
    return result
  }

  /// The first error of the effect in a package that this one did not have; nil if there is none.
  private func error(of new: EffectPackage) throws -> Diagnostic? {
    func errors(_ package: EffectPackage) throws -> [Diagnostic] {
      try package.system(limits: limits).diagnostics().filter {
        $0.rule == .range ? !beyond : $0.severity == .error
      }
    }
    let new = try errors(new)
    guard !new.isEmpty else { return nil }
    let known = Set(((try? errors(package)) ?? []).map(\.message))
    return new.first { !known.contains($0.message) }
  }

  /// Whether a key is one of a property that the effect has or can have.
  func knows(_ key: String) -> Bool {
    key.contains("[*]") || key.contains("[+]") || (try? document.value(key)) != nil
  }

  func setDocument(_ bytes: [UInt8]) throws {
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

  /// Saves the package by work that can be cancelled.
  func save(_ body: (inout Container) throws -> Void) throws {
    var container = package.container
    // Released, so that saving finds out that there are no copies.
    (package.container, editor) = (Container(), nil)
    defer { package.container = container }
    try cancellable { try body(&container) }
    opened = nil
  }
}

/// The engine of a name.
func engine(_ name: UnsafePointer<CChar>?) throws -> ParticleSystem.Profile? {
  guard let name = try optionalText(name, "engine") else { return nil }
  let profile = ParticleSystem.Profile(rawValue: name)
  guard profile.law != nil else {
    throw Diagnostic(.absentName, "no engine is called '\(name)'", hint: "see Spec/profiles.md")
  }
  return profile
}

/// The format of a name.
func format(_ name: String) throws -> ParticleFormat {
  guard let format = FormatRegistry.standard[name] else {
    throw Diagnostic(
      .unknownFormat, expected: "a name of particles_formats_json", found: "'\(name)'")
  }
  return format
}
