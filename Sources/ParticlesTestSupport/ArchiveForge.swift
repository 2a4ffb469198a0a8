internal import ParticlesCore
package import ParticlesPropertyLists
internal import ParticlesSystem

/// A value to be archived, and its encoding in the archive.
package indirect enum ForgedValue: Sendable, Hashable {
  /// The value is stored inline, directly under its key.
  case inline(ForgedPropertyList)
  /// The value is stored among the objects. The key holds a reference.
  case boxed(ForgedPropertyList)
  /// An object: its class and those it derives from, and its keys.
  case object([String], [Entry])
  case array([ForgedValue])
  case dictionary([Entry])
  /// An `NSMutableData`.
  case data([UInt8])
  /// The reference to nothing.
  case null

  /// A key and its value.
  package struct Entry: Sendable, Hashable {
    package var key: String
    package var value: ForgedValue

    package init(_ key: String, _ value: ForgedValue) {
      self.key = key
      self.value = value
    }
  }

  package static func bool(_ value: Bool) -> ForgedValue { .inline(.bool(value)) }
  package static func int(_ value: Int) -> ForgedValue { .inline(.int(value)) }
  package static func real(_ value: Double) -> ForgedValue { .inline(.real(value)) }
  package static func string(_ value: String) -> ForgedValue { .boxed(.string(value)) }

  /// Float32 components as inline bytes, least significant first.
  package static func vector(_ components: Float...) -> ForgedValue {
    .inline(.data(components.flatMap { PropertyListForge.bigEndian($0.bitPattern).reversed() }))
  }
}

/// Writes keyed archives as `NSKeyedArchiver` does, for fixtures and tests.
package struct ArchiveForge {
  private var objects: [ForgedPropertyList] = [.string("$null")]
  private var classes: [[String]: Int] = [:]
  private var boxes: [ForgedPropertyList: Int] = [:]

  /// A complete archive of `root`.
  package static func archive(_ root: ForgedValue) -> [UInt8] {
    var forge = ArchiveForge()
    let reference = forge.reference(to: root)
    return file(root: reference, objects: forge.objects)
  }

  /// An archive of exactly these objects, the first of which should be `$null`.
  package static func file(
    root: ForgedPropertyList, objects: [ForgedPropertyList]
  ) -> [UInt8] {
    ForgedPropertyList.dictionary([
      .init("$version", .int(100_000)), .init("$archiver", .string("NSKeyedArchiver")),
      .init("$top", .dictionary([.init("root", root)])), .init("$objects", .array(objects)),
    ]).bytes
  }

  private mutating func reference(to value: ForgedValue) -> ForgedPropertyList {
    switch value {
    case .inline(let plain): return plain
    case .null: return .uid(0)
    case .boxed(let plain):
      if let known = boxes[plain] { return .uid(known) }
      boxes[plain] = objects.count
      objects.append(plain)
      return .uid(objects.count - 1)
    case .object(let names, let entries):
      let index = reserve()
      var members = entries.map {
        ForgedPropertyList.Entry($0.key, reference(to: $0.value))
      }
      members.append(.init("$class", classReference(names)))
      objects[index] = .dictionary(members)
      return .uid(index)
    case .array(let elements):
      return container("NSArray", [.init("NS.objects", .array(elements.map { boxed($0) }))])
    case .dictionary(let entries):
      return container(
        "NSDictionary",
        [
          .init("NS.keys", .array(entries.map { boxed(.string($0.key)) })),
          .init("NS.objects", .array(entries.map { boxed($0.value) })),
        ])
    case .data(let bytes): return container("NSData", [.init("NS.data", .data(bytes))])
    }
  }

  /// Containers hold references only.
  private mutating func boxed(_ value: ForgedValue) -> ForgedPropertyList {
    guard case .inline(let plain) = value else { return reference(to: value) }
    return reference(to: .boxed(plain))
  }

  private mutating func reserve() -> Int {
    objects.append(.null)
    return objects.count - 1
  }

  private mutating func container(
    _ name: String, _ entries: [ForgedPropertyList.Entry]
  ) -> ForgedPropertyList {
    let mutable = "NSMutable" + name.dropFirst(2)
    let record = classReference([mutable, name, "NSObject"])
    objects.append(.dictionary(entries + [.init("$class", record)]))
    return .uid(objects.count - 1)
  }

  private mutating func classReference(_ names: [String]) -> ForgedPropertyList {
    if let known = classes[names] { return .uid(known) }
    classes[names] = objects.count
    objects.append(
      .dictionary([
        .init("$classname", .string(names.first ?? "")),
        .init("$classes", .array(names.map(ForgedPropertyList.string))),
      ]))
    return .uid(objects.count - 1)
  }
}

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

  /// The lines that differ from another archive's lines, for messages.
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

/// Builds tar archives header by header, valid or not.
package enum TarForge {
  /// A header with a correct checksum, and contents padded to a block.
  package static func entry(
    _ name: String, type: Character = "0", _ contents: [UInt8] = [], link: String = "",
    size: String? = nil, mode: String = "0000644"
  ) -> [UInt8] {
    var block = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, _ offset: Int) {
      block.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
    }
    put(name, 0)
    put(mode, 100)
    put(size ?? String(contents.count, radix: 8), 124)
    put("        ", 148)
    put(String(type), 156)
    put(link, 157)
    put("ustar\u{0}00", 257)
    put(String(block.reduce(0) { $0 + Int($1) }, radix: 8) + "\u{0}", 148)
    let padding = (512 - contents.count % 512) % 512
    return block + contents + [UInt8](repeating: 0, count: padding)
  }

  /// An extended header with one record.
  package static func record(_ key: String, _ value: String, type: Character = "x") -> [UInt8] {
    var length = key.utf8.count + value.utf8.count + 3
    while "\(length) \(key)=\(value)\n".utf8.count != length {
      length = "\(length) \(key)=\(value)\n".utf8.count
    }
    return entry("x", type: type, Array("\(length) \(key)=\(value)\n".utf8))
  }

  /// The entries followed by the end-of-archive blocks.
  package static func archive(_ entries: [UInt8]...) -> [UInt8] {
    entries.flatMap(\.self) + [UInt8](repeating: 0, count: 1024)
  }
}

/// Builds ZIP archives header by header, valid or not. Contents are stored as they are given.
package struct ZIPForge {
  /// An entry with every field of its local header and of its central directory header.
  package struct Entry: Sendable {
    package var name: [UInt8]
    package var contents: [UInt8]
    package var mode: UInt32 = 0o100644
    package var flags: UInt16 = 0
    package var method: UInt16 = 0
    package var checksum: UInt32
    package var size: Int
    package var localName: [UInt8]
    package var localSize: Int
    package var localChecksum: UInt32
    /// Bytes between the contents and the next entry, such as a data descriptor.
    package var trailer: [UInt8] = []
    /// The extra fields of the central directory header.
    package var extra: [UInt8] = []

    package init(_ name: String, _ contents: [UInt8] = []) {
      self.init(Array(name.utf8), contents)
    }

    package init(_ name: [UInt8], _ contents: [UInt8] = []) {
      (self.name, localName, self.contents) = (name, name, contents)
      (size, localSize) = (contents.count, contents.count)
      checksum = CRC32.checksum(contents)
      localChecksum = checksum
    }

    /// A copy of the entry with something changed.
    package func with(_ change: (inout Entry) -> Void) -> Entry {
      var copy = self
      change(&copy)
      return copy
    }

    /// A symbolic link.
    package static func link(_ name: String, to target: String) -> Entry {
      Entry(name, Array(target.utf8)).with { $0.mode = 0o120777 }
    }
  }

  /// An archive of these entries, with `count` instead of their number if given.
  package static func archive(
    _ entries: [Entry], count: Int? = nil, prefix: [UInt8] = [], comment: [UInt8] = []
  ) -> [UInt8] {
    var bytes = ByteWriter()
    bytes.write(prefix)
    var directory = ByteWriter()
    for entry in entries {
      let position = bytes.bytes.count
      bytes.write([0x50, 0x4B, 3, 4, 20, 0])
      common(entry, entry.localName, entry.localSize, entry.localChecksum, to: &bytes)
      bytes.littleEndian(0, 2)
      bytes.write(entry.localName)
      bytes.write(entry.contents)
      bytes.write(entry.trailer)
      directory.write([0x50, 0x4B, 1, 2, 20, 3, 20, 0])
      common(entry, entry.name, entry.size, entry.checksum, to: &directory)
      directory.littleEndian(UInt64(entry.extra.count), 2)
      directory.littleEndian(0, 6)
      directory.u32(entry.mode << 16)
      directory.u32(UInt32(position))
      directory.write(entry.name)
      directory.write(entry.extra)
    }
    let start = bytes.bytes.count
    bytes.write(directory.bytes)
    bytes.write([0x50, 0x4B, 5, 6, 0, 0, 0, 0])
    bytes.littleEndian(UInt64(count ?? entries.count), 2)
    bytes.littleEndian(UInt64(count ?? entries.count), 2)
    bytes.u32(UInt32(directory.bytes.count))
    bytes.u32(UInt32(start))
    bytes.littleEndian(UInt64(comment.count), 2)
    bytes.write(comment)
    return bytes.bytes
  }

  private static func common(
    _ entry: Entry, _ name: [UInt8], _ size: Int, _ checksum: UInt32, to writer: inout ByteWriter
  ) {
    writer.littleEndian(UInt64(entry.flags), 2)
    writer.littleEndian(UInt64(entry.method), 2)
    writer.u32(0x21_0000)
    writer.u32(checksum)
    writer.u32(UInt32(entry.contents.count))
    writer.u32(UInt32(size))
    writer.littleEndian(UInt64(name.count), 2)
  }
}
