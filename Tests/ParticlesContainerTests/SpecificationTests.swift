import ParticlesContainer
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("The specification")
struct SpecificationTests {
  @Test("the worked example is what we write")
  func workedExample() throws {
    let tree = try FileNode(directoryWithFileNodes: [
      "Images": .emptyDirectory,
      "document.json": FileNode(regularFileWithContents: Array("{}\n".utf8)),
    ])
    try Golden.checkSection(
      "worked example", of: "Spec/container.md", is: dump(Container(root: tree).encoded()))
  }

  @Test("the extensions of compressed files are those of the specification")
  func extensions() throws {
    #expect(StreamFile.compressedExtensions.allSatisfy { $0.utf8.count <= 9 }, "or it is not found")
    let list = StreamFile.compressedExtensions.sorted().joined(separator: " ")
    let text = String(decoding: try Files.read(Repository.path("Spec/container.md")), as: UTF8.self)
    #expect(text.contains("`\(list)`"))
  }

  /// A line for each field, with its meaning.
  private func dump(_ bytes: [UInt8]) throws -> String {
    var lines: [String] = []
    var position = 0
    func field(_ count: Int, _ meaning: String) {
      for start in stride(from: position, to: position + count, by: 16) {
        let row = bytes[start..<min(start + 16, position + count)]
        let hex = row.map { [$0].hexDigits }.joined(separator: " ")
        let offset = String(start, radix: 16)
        let text = start == position ? meaning : ""
        let pad = String(repeating: " ", count: 47 - hex.utf8.count)
        lines.append(
          "    \(String(repeating: "0", count: 4 - offset.utf8.count))\(offset)  \(hex)\(pad)  \(text)"
        )
      }
      position += count
    }
    field(9, "signature")
    field(3, "version to read 1, version to write 1, reserved")
    field(4, "checksum of the header")
    while position < bytes.count {
      let head = try FrameHeader(Array(bytes[position...].prefix(24)), at: position)
      field(4, head.kind.name)
      field(8, "raw length \(head.rawLength), stored length \(head.storedLength)")
      field(8, "place \(head.place)")
      field(4, "checksum")
      switch head.kind {
      case .tree:
        field(9, "shared 0, length 6, 'Images', kind 0")
        field(16, "shared 0, length 13, 'document.json', kind 1")
        field(2, "size 3, skip 0")
      case .data: field(3, "the stream: '{}', line feed")
      case .blocks: field(2, "one block: 3 bytes, stored in 3")
      case .root:
        field(1, "one page")
        field(8, "shared 0, length 6, 'Images'")
        field(3, "gap 0, length 51, 2 entries")
        field(1, "one table")
        field(3, "gap 27, length 26, 3 bytes")
      case .done:
        field(8, "generation 1")
        field(8, "position of the root")
        field(8, "no footer before")
      }
    }
    return (lines.map { $0.trimmingTrailingSpaces } + ["", "    \(bytes.count) bytes"])
      .joined(separator: "\n")
  }
}

extension String {
  fileprivate var trimmingTrailingSpaces: String {
    String(reversed().drop { $0 == " " }.reversed())
  }
}
