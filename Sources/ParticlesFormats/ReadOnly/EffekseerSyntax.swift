internal import ParticlesCore
internal import ParticlesPropertyLists

/// The project in a file of Effekseer: XML, or the chunk `EDIT` of a container, which holds the same tree
/// in binary form.
///
/// A container begins with `EFKE` and a version; each chunk has a name of four letters, its length and
/// its bytes. The chunk is compressed with zlib and consists of two tables, of names and of texts, and the
/// elements, each with indices in them.
enum EffekseerSyntax {
  static let signature = Array("EFKE".utf8)

  static func project(
    _ bytes: [UInt8], limits: Limits, reporting report: @escaping (Diagnostic) -> Void
  ) throws -> XMLElement {
    guard bytes.starts(with: signature) else {
      return try XMLParser.parse(bytes, limits: limits, reporting: report)
    }
    var reader = ByteReader(bytes, rule: .emitterRoot)
    try reader.seek(to: 8)
    while !reader.isAtEnd {
      let name = try reader.read(4)
      let count = Int(try reader.u32())
      let chunk = try reader.read(count)
      guard Array(name) == Array("EDIT".utf8) else { continue }
      var tree = EffekseerTree(
        try Zlib.inflate(Array(chunk), limit: limits.fileBytes, rule: .emitterRoot),
        most: limits.objects)
      return try tree.root()
    }
    throw Diagnostic(
      .emitterRoot, expected: "a chunk EDIT", found: "a container without one",
      hint: "save the project in Effekseer as .efkproj or .efkefc")
  }
}

private struct EffekseerTree {
  private var reader: ByteReader
  private var names: [Int: String] = [:]
  private var texts: [Int: String] = [:]
  private let most: Int
  private var count = 0

  init(_ bytes: [UInt8], most: Int) {
    reader = ByteReader(bytes, rule: .emitterRoot)
    self.most = most
  }

  mutating func root() throws -> XMLElement {
    names = try table()
    texts = try table()
    let roots = try elements(depth: 0)
    guard let root = roots.first, roots.count == 1 else {
      throw Diagnostic(.emitterRoot, expected: "one root element", found: "\(roots.count)")
    }
    return root
  }

  private mutating func half() throws -> Int {
    let (low, high) = (try reader.byte(), try reader.byte())
    return Int(low) | Int(high) << 8
  }

  private mutating func table() throws -> [Int: String] {
    var table: [Int: String] = [:]
    for _ in 0..<(try half()) {
      let length = try half()
      let text = String(decoding: try reader.read(length), as: UTF8.self)
      table[try half()] = text
    }
    return table
  }

  private mutating func elements(depth: Int) throws -> [XMLElement] {
    guard depth < 64 else {
      throw Diagnostic(.emitterRoot, expected: "elements nested up to 64 levels", found: "more")
    }
    var elements: [XMLElement] = []
    for _ in 0..<(try half()) {
      count += 1
      guard count <= most else {
        throw Diagnostic(.emitterRoot, expected: "up to \(most) elements", found: "more")
      }
      let key = try half()
      guard let name = names[key] else {
        throw Diagnostic(.emitterRoot, expected: "the index of a name", found: "\(key)")
      }
      var element = XMLElement(name)
      if try reader.u32() != 0 { element.text = texts[try half()] ?? "" }
      if try reader.u32() != 0 { element.children = try self.elements(depth: depth + 1) }
      elements.append(element)
    }
    return elements
  }
}
