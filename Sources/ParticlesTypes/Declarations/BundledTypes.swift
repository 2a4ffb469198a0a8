/// The types that are built into the library: the system's types and those of this project.
///
/// `BundledTypes+Table.swift` describes the layout of the table.
enum BundledTypes {
  /// All declarations, read from the table.
  static func declarations() -> [TypeDeclaration] {
    parse(table, source: .system) + parse(others, source: .system) + particles
  }

  /// The types of this project for both forms of a package, and the type of Apple's sample, which used
  /// the extension first.
  static let particles: [TypeDeclaration] = [
    TypeDeclaration(
      "org.particles-format.particles", source: .particles,
      conformingTo: ["public.data", "public.content"],
      tags: [.filenameExtension: ["particles"], .mimeType: ["application/vnd.particles"]],
      title: "Particles document",
      patterns: [
        ContentPattern([0x89] + Array("PTCL".utf8) + [0x0D, 0x0A, 0x1A, 0x0A], priority: 80)
      ]),
    TypeDeclaration(
      "org.particles-format.particles-package", source: .particles,
      conformingTo: ["com.apple.package", "public.content"],
      tags: [.filenameExtension: ["particles"]], title: "Particles package"),
    TypeDeclaration(
      "com.example.apple-samplecode.particles.particles", .imported, source: .particles,
      conformingTo: ["public.data", "public.content"],
      tags: [.filenameExtension: ["particles"]], title: "Particles document of Apple's sample",
      patterns: [.keyedArchive()]),
  ]

  /// Reads a table in one pass over its bytes.
  static func parse(_ table: StaticString, source: DeclarationSource) -> [TypeDeclaration] {
    table.withUTF8Buffer { bytes in
      var declarations: [TypeDeclaration] = []
      declarations.reserveCapacity(512)
      var position = 0
      while position < bytes.count {
        let beginsLine = position == 0 || bytes[position - 1] == UInt8(ascii: "\n")
        let isBlank = bytes[position] == UInt8(ascii: " ") || bytes[position] == UInt8(ascii: "\n")
        guard !isBlank else {
          position += 1
          continue
        }
        let end = bytes[position...].firstIndex { $0 <= UInt8(ascii: " ") } ?? bytes.endIndex
        let word = bytes[position..<end]
        if beginsLine {
          declarations.append(TypeDeclaration(text(word), .system, source: source))
        } else if let last = declarations.indices.last {
          add(word, to: &declarations[last])
        }
        position = end
      }
      return declarations
    }
  }

  private typealias Word = Slice<UnsafeBufferPointer<UInt8>>

  private static func add(_ word: Word, to declaration: inout TypeDeclaration) {
    switch word.first {
    case UInt8(ascii: "*"): declaration.isWildcard = true
    case UInt8(ascii: "@"):
      declaration.source.path = sources[text(word.dropFirst())]
      let isSystems = ["public.", "com.apple."].contains { declaration.identifier.hasPrefix($0) }
      if !isSystems { declaration.kind = .imported }
    case UInt8(ascii: "<"): declaration.supertypes.append(text(word.dropFirst()))
    case UInt8(ascii: "~"): declaration.tags.append(text(word.dropFirst()), to: .sharedMIMEType)
    case UInt8(ascii: "="): declaration.patterns.append(pattern(word.dropFirst()))
    case UInt8(ascii: "."):
      let rest = word.dropFirst()
      if rest.first == UInt8(ascii: ".") {
        declaration.tags.append(text(rest.dropFirst()), to: .compoundExtension)
      } else {
        declaration.tags.append(text(rest), to: .filenameExtension)
      }
    default: declaration.tags.append(text(word), to: .mimeType)
    }
  }

  private static func text(_ word: Word) -> String { String(decoding: word, as: UTF8.self) }

  /// A pattern for the first bytes of a file, from hexadecimal digits.
  private static func pattern(_ word: Word) -> ContentPattern {
    let digits = word.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    let pairs = stride(from: 0, to: digits.count - 1, by: 2)
    return ContentPattern(pairs.map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
  }
}
