internal import ParticlesCore
package import ParticlesPropertyLists

/// The contents of a keyed archive, with keys and types but without the order and numbers of its
/// objects: two archives are equivalent if and only if their contents are equal.
///
/// One line for every value, by the path of keys to it: `root._startScale` is `f64 0.5`,
/// `root._opacity` is `-> integer 1`, where the arrow marks a reference.
package struct ArchiveContent: Equatable {
  package private(set) var lines: [String: String] = [:]
  private var first: [KeyedArchive.Index: String] = [:]

  package init(_ bytes: [UInt8]) throws { self.init(try KeyedArchive(bytes)) }

  package init(_ archive: KeyedArchive) {
    for (key, index) in archive.top.sorted(by: { $0.key < $1.key }) {
      add(index, key, of: archive)
    }
  }

  package static func == (one: ArchiveContent, other: ArchiveContent) -> Bool {
    one.lines == other.lines
  }

  /// The lines that differ from those of another archive, for messages.
  package func differences(from other: ArchiveContent) -> [String] {
    Set(lines.keys).union(other.lines.keys).sorted().compactMap { key in
      let (mine, others) = (lines[key] ?? "absent", other.lines[key] ?? "absent")
      return mine == others ? nil : "\(key): \(mine), was \(others)"
    }
  }

  private mutating func add(_ index: KeyedArchive.Index, _ path: String, of archive: KeyedArchive) {
    guard case .uid = archive.plist[index] else { return describe(index, path, "", archive) }
    if archive.isNil(index) {
      lines[path] = "-> nil"
      return
    }
    let target = archive.resolve(index)
    if case .dictionary = archive.plist[target] {
      if let first = first[target] {
        lines[path] = "-> \(first)"
        return
      }
      first[target] = path
    }
    describe(target, path, "-> ", archive)
  }

  private mutating func describe(
    _ index: KeyedArchive.Index, _ path: String, _ arrow: String, _ archive: KeyedArchive
  ) {
    switch archive.plist[index] {
    case .scalar(.real(let value, let width)): lines[path] = "\(arrow)f\(8 * width) \(value)"
    case .array(let elements):
      lines[path] = "\(arrow)array of \(elements.count)"
      for (number, element) in elements.enumerated() {
        add(element, "\(path)[\(number)]", of: archive)
      }
    case .dictionary(let keys, let values):
      lines[path] = "\(arrow)\(classes(of: index, archive))"
      let members = zip(keys, values).map { (name: Self.text(archive.plist[$0]), value: $1) }
      // In alphabetical order, so that both archives are traversed alike.
      for member in members.sorted(by: { $0.name < $1.name }) where member.name != "$class" {
        add(member.value, "\(path).\(member.name)", of: archive)
      }
    case let scalar: lines[path] = "\(arrow)\(scalar.kind) \(Self.text(scalar))"
    }
  }

  /// The names in the class record, which all objects of a class share.
  private func classes(of index: KeyedArchive.Index, _ archive: KeyedArchive) -> String {
    guard let record = archive.value(of: "$class", in: index) else { return "dictionary" }
    guard let list = archive.plist.value(of: "$classes", in: record),
      case .array(let names) = archive.plist[list]
    else { return archive.className(of: index) ?? "" }
    return names.map { Self.text(archive.plist[$0]) }.joined(separator: "<")
  }

  private static func text(_ object: BinaryPropertyList.Object) -> String {
    switch object {
    case .scalar(.bool(let value)): "\(value)"
    case .scalar(.integer(let value)): "\(value)"
    case .scalar(.unsigned(let value)): "\(value)"
    case .scalar(.date(let value)): "\(value)"
    case .scalar(.string(let value)): value
    case .scalar(.data(let bytes)): bytes.hexDigits
    default: ""
    }
  }
}
