package import ParticlesCore
package import ParticlesFormats
internal import ParticlesModel

/// A file of another format after an edit of the effect that was imported from it: only edited values differ, one
/// line for each value in a text file.
///
///     let opened = try OpenedEffect(path: "fire.pex")
///     var editor = try EffectEditor(opened.package)
///     try editor.set("emitters[0].emission.rate", to: "120")
///     let edited = try EditedFile(
///       editor.package, changes: editor.changes, editedFrom: opened, fileName: "fire.pex")
package struct EditedFile: Sendable {
  /// The new contents of the file.
  package let bytes: [UInt8]

  /// The capacities that follow from edited rates: extra changes of the file besides the edit. Engines of formats
  /// with ``ParticlesFormats/Capabilities/derivesRate`` divide the capacity by the lifetime to get the rate.
  package let capacities: [EffectEditor.Change]

  /// Whether a rate was edited, and its format writes it as a whole number of particles.
  package let roundsRate: Bool

  /// The images that the edit has added or replaced, by the names that the file has for them.
  package let images: [String: [UInt8]]

  /// The images of ``images`` as they were before, as far as there were any.
  package let replaced: [String: [UInt8]]

  /// All images that are beside the file.
  package let allImages: [String: [UInt8]]

  /// Other files with values of the effect that the edit changes, by the names that the file has for them.
  package let others: [String: [UInt8]]

  /// The changes of the edits by the format: lines of a loss report. Earlier differences between the file and its
  /// document are not included.
  package let losses: [Diagnostic]

  /// The losses of edited properties that the format has no room for at all.
  package let dropped: [Diagnostic]

  /// The lines about edits that the format cannot store: ``dropped``, or all edits if it stores nothing of them.
  package let refused: [Diagnostic]

  /// Writes the edited effect into the file that it was imported from.
  /// - Parameters:
  ///   - package: the package of the import after the edit.
  ///   - changes: the properties that were edited.
  ///   - opened: the imported file.
  ///   - fileName: the name of the file, without folders.
  ///   - shared: what happens to values of other files, which other effects may share. Nil refuses to change them.
  ///   - formats: the formats of possible sources.
  ///   - limits: the limits for reading and writing.
  /// - Throws: ``ParticlesCore/Rule/fileUnwritable`` if the file is a package or of a format that cannot be written,
  ///   or if its format needs another file for an emitter. Errors of
  ///   ``ParticlesFormats/ParticleFormat/export(_:_:)``.
  package init(
    _ package: EffectPackage, changes: [EffectEditor.Change], editedFrom opened: OpenedEffect,
    fileName: String, shared: EncodingContext.SharedValues? = nil,
    among formats: FormatRegistry = .standard, limits: Limits = .standard
  ) throws(Failure) {
    guard case .imported(let format) = opened.kind, format.canWrite else {
      throw Diagnostic(
        .fileUnwritable, "\(opened.kindName) is a format that can only be read",
        hint: "write a package with --output, which takes every edit")
    }
    func export(_ package: EffectPackage) throws(Failure) -> Exported {
      try package.exported(
        as: format, fileName: fileName, inPlace: true, shared: shared, among: formats,
        limits: limits)
    }
    let before = try export(opened.package)
    var (package, capacities) = (package, [EffectEditor.Change]())
    if format.capabilities?.derivesRate == true {
      capacities = try package.followRates(from: opened.package) { package throws(Failure) in
        let bytes = try export(package).parts.first?.bytes
        let context = DecodingContext(fileName: fileName, limits: limits)
        guard let bytes else { return nil }
        return try format.decode(bytes, context).system
      }
    }
    self.capacities = capacities
    roundsRate =
      format.capabilities?.derivesRate == true
      && changes.contains { $0.key.hasSuffix(".emission.rate") }
    let after = try export(package)
    // An effect of many files was imported from a single file.
    guard after.parts.count <= max(before.parts.count, 1), let part = after.parts.first else {
      throw Diagnostic(
        .fileUnwritable, "a \(format.title) holds one emitter",
        expected: "one file", found: "\(after.parts.count) files, one for each emitter",
        hint: "write a package with --output, and convert that")
    }
    bytes = part.bytes
    // Images that did not change are where the file names them.
    allImages = after.beside
    others = after.others
    images = after.beside.filter { before.beside[$0.key] != $0.value }
    replaced = before.beside.filter {
      after.beside[$0.key] != nil && after.beside[$0.key] != $0.value
    }
    let known = Set(before.losses.map { $0.message })
    losses = after.losses.filter { !known.contains($0.message) }
    dropped = losses.filter { line in
      line.rule == .lost && line.lossLevel > .info
        && changes.contains { Self.overlap($0.key, line.loss?.path ?? "") }
    }
    let isStored =
      !dropped.isEmpty || bytes != before.parts.first?.bytes || !images.isEmpty
      || before.others != after.others
    refused =
      isStored
      ? dropped
      : changes.map {
        Diagnostic(
          .lost, at: .key($0.key), "the format stores nothing of '\($0.key)'", severity: .warning)
      }
  }

  /// Whether two keys name one property, or nested properties.
  private static func overlap(_ a: String, _ b: String) -> Bool {
    let (short, long) = a.utf8.count < b.utf8.count ? (a, b) : (b, a)
    guard !short.isEmpty, long.hasPrefix(short) else { return false }
    let next = long.dropFirst(short.count).first
    return next == nil || next == "." || next == "["
  }
}

extension OpenedEffect {
  /// Returns the bytes of the file that the effect was imported from.
  /// - Throws: ``ParticlesCore/Rule/fileUnwritable`` if the package does not have them.
  package func importedBytes(limits: Limits) throws(Failure) -> [UInt8] {
    let source = try package.source(of: package.system(limits: limits), limits: limits)
    if let source { return source.file.bytes }
    return try package.originalFile(limits: limits)
  }

  /// Writes an edited effect into the file that it was imported from.
  /// - Returns: nil if the effect is as it was imported.
  /// - Throws: the errors of ``EditedFile``.
  package func edited(
    _ package: EffectPackage, fileName: String, limits: Limits = .standard
  ) throws(Failure) -> EditedFile? {
    guard package != self.package else { return nil }
    let (old, new) = (try self.package.system(limits: limits), try package.system(limits: limits))
    let changes = old.differences(from: new).map {
      EffectEditor.Change(key: $0.path, old: $0.old, new: $0.new)
    }
    return try EditedFile(
      package, changes: changes, editedFrom: self, fileName: fileName, limits: limits)
  }
}

extension EffectPackage {
  /// Sets the capacities of the emitters whose rate was edited, for a format without rates. A capacity that was
  /// edited, too, is kept.
  /// - Parameters:
  ///   - old: the package before the edit.
  ///   - written: returns an effect as the file of the format holds it. Without a capacity, the format writes the
  ///     capacity that gives the rate.
  /// - Returns: the changes.
  fileprivate mutating func followRates(
    from old: EffectPackage, written: (EffectPackage) throws(Failure) -> ParticleSystem?
  ) throws(Failure) -> [EffectEditor.Change] {
    let before = try old.system()
    var system = try system()
    guard before.emitters.count == system.emitters.count else { return [] }
    let edited = system.emitters.indices.filter { index in
      let (old, new) = (before.emitters[index].emission, system.emitters[index].emission)
      return old.rate != new.rate && new.rate.mean > 0 && new.maxAlive != nil
        && old.maxAlive == new.maxAlive
    }
    guard !edited.isEmpty else { return [] }
    var free = system
    for index in edited { free.emitters[index].emission.maxAlive = nil }
    var copy = self
    try copy.setSystem(free)
    guard let read = try written(copy), read.emitters.count == system.emitters.count else {
      return []
    }
    var changes: [EffectEditor.Change] = []
    for index in edited {
      let old = system.emitters[index].emission.maxAlive
      guard let new = read.emitters[index].emission.maxAlive, new != old else { continue }
      system.emitters[index].emission.maxAlive = new
      changes.append(
        EffectEditor.Change(
          key: "emitters[\(index)].emission.maxAlive", old: old.map(JSONValue.int),
          new: .int(new)))
    }
    if !changes.isEmpty { try setSystem(system) }
    return changes
  }
}
