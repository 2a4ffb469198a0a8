internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

/// Writes emitters as the objects of one archive, new or merged into those of a source.
struct KeyedWriter<Format: KeyedFormat> {
  private typealias Fields = [(key: String, value: Archivable)]

  private let format: Format
  private let system: ParticleSystem
  private let names: KeyedImageNames
  private let fileName: String
  private let original: (archive: OpenedKeyedArchive<Format>, names: KeyedImageNames)?

  private(set) var emitters: [Int] = []
  private(set) var losses: [Diagnostic] = []

  /// The changed objects of the source, by their indices.
  private var changes: [KeyedArchive.Index: ArchivableObject] = [:]

  /// The emitters whose source objects are replaced.
  private var merged: [KeyedArchive.Index: Int] = [:]

  init(
    _ format: Format, _ system: ParticleSystem, _ names: KeyedImageNames, _ fileName: String,
    _ original: OpenedKeyedArchive<Format>?
  ) {
    self.format = format
    self.system = system
    self.names = names
    self.fileName = fileName
    self.original = original.map { archive in
      let images = archive.system.images
      let missing = Set(images.indices.filter { images[$0].sha256 == nil })
      return (archive, KeyedImageNames(format, archive.system, missing: missing))
    }
  }

  /// The archive of the emitters that start by themselves: the source's bytes if nothing changed.
  mutating func bytes(of roots: [Int]) -> [UInt8] {
    guard let original = original?.archive, original.system.startingEmitters.count == roots.count
    else {
      let objects = roots.enumerated().map {
        new(
          $0.element,
          name: format.standardName($0.offset, isAlone: roots.count == 1, fileName: fileName))
      }
      return KeyedArchiver.encode(format.root(of: objects), top: format.top(of: system))
    }
    for (index, origin) in zip(roots, original.system.startingEmitters) {
      merge(index, over: origin)
    }
    changes.merge(format.changes(in: original, for: system)) { first, _ in first }
    let top = original.archive.top.map { ArchivableObject.Member($0.key, .kept($0.index)) }
    guard !changes.isEmpty, let root = top.first(where: { $0.key == "root" }) else {
      return original.imported.source
    }
    return KeyedArchiver.encode(
      root.value, top: top.filter { $0.key != "root" }, keeping: original.archive,
      replacing: changes)
  }

  private func writer(
    _ system: ParticleSystem, _ index: Int, _ names: KeyedImageNames, _ place: Format.Place,
    _ name: String
  ) -> EmitterWriter<Format> {
    EmitterWriter(
      format, system, emitter: index,
      KeyedSurroundings(place: place, standardName: name, imageName: names.references[index]))
  }

  private mutating func new(_ index: Int, below above: [Int] = [], name: String = "") -> Archivable
  {
    emitters.append(index)
    let writer = writer(system, index, names, format.place(below: above, over: nil), name)
    losses += writer.losses
    var fields = writer.fields
    if let key = format.dictionaryKey { fields.append((key, dictionary(writer.entries))) }
    for (key, target) in writer.inner {
      let object = new(target, below: above + [index])
      fields.append((key, object))
    }
    return .object(format.classes, members(fields))
  }

  private func members(_ fields: Fields) -> [ArchivableObject.Member] {
    fields.map { .init($0.key, $0.value) }
  }

  private func dictionary(_ entries: Fields) -> Archivable {
    .dictionary(members(entries), mutable: false)
  }

  /// Writes an emitter over the object of one of the source, key by key.
  private mutating func merge(_ index: Int, over origin: Int, below above: [Int] = []) {
    guard let (source, oldNames) = original else { return }
    let archived = source.emitters[origin]
    emitters.append(index)
    merged[archived.object.index] = index
    let after = writer(
      system, index, names, format.place(below: above, over: archived.place), archived.name)
    let before = writer(source.system, origin, oldNames, archived.place, archived.name)
    // A value that could not be written then either is unchanged in the source.
    let known = Set(before.losses)
    losses += after.losses.filter { !known.contains($0) }
    var then = before.fields.map { (key: archived.key($0.key), value: $0.value) }
    var now = after.fields.map { (key: archived.key($0.key), value: $0.value) }
    if let key = format.dictionaryKey {
      let dictionary = (try? archived.object.dictionary(key)).flatMap(\.self)
      let entries = FieldMerge(
        source: dictionary?.fields ?? [], then: before.entries, now: after.entries)
      then.append((key, .null))
      now.append((key, entries.isUnchanged ? .null : self.dictionary(entries.fields)))
    }
    then += before.inner.map { ($0.key, .null) }
    for (key, target) in after.inner {
      now.append(
        (key, inner(target, over: before.inner.first { $0.key == key }?.emitter, above + [index])))
    }
    let fields = FieldMerge(source: archived.object.fields, then: then, now: now) {
      source.archive.adapt($0, to: $1)
    }
    guard !fields.isUnchanged else { return }
    changes[archived.object.index] = ArchivableObject(
      source.archive.classNames(of: archived.object.index) ?? format.classes, members(fields.fields)
    )
  }

  /// An emitter inside of another one: null for an existing one, which is merged separately.
  private mutating func inner(_ target: Int, over origin: Int?, _ above: [Int]) -> Archivable {
    guard let origin, let place = original?.archive.emitters[origin].object.index,
      merged[place, default: target] == target
    else { return new(target, below: above) }
    if merged[place] == nil { merge(target, over: origin, below: above) }
    return .null
  }
}
