import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite("Packages that end too early in a pipe")
struct SequentialMutationTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func unpack(_ bytes: [UInt8]) throws -> FileNode {
    var rest = bytes[...]
    try Container.unpack(name: "-", toDirectory: scratch.file("out"), replacing: true) { count in
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
    return try Container(contentsOf: scratch.file("out")).root
  }

  @Test("a package must not end before all of it is there")
  func early() throws {
    let page = TreePage.encode([.file("a", size: 2)])
    for kinds in [[FrameKind.done], [.data, .done], [.data, .blocks, .done], [.root, .done]] {
      var forge = PackageForge()
      let frame = forge.frame(.tree, page)
      var root = Root()
      root.pages = [.init(firstPath: "a", frame: frame, entries: 1)]
      for kind in kinds {
        switch kind {
        case .data: forge.frame(.data, [1, 2], place: 0)
        case .blocks:
          let block = Block(offset: 0, rawLength: 2, frame: .init(position: 0, length: 26))
          forge.frame(.blocks, BlockTable.encode([block]))
        case .root: forge.frame(.root, root.encode())
        default:
          let end = forge.bytes.count
          forge.append(Footer(position: end, generation: 1, root: 16, previous: 0).encode())
        }
      }
      #expect(throws: Diagnostic.self) { try unpack(forge.bytes) }
    }
  }
}
