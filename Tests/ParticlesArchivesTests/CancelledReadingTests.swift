import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Reading ends with its task, in every format, under the limits for files of strangers.
@Suite("Cancelled reading")
struct CancelledReadingTests {
  /// Runs `body` in a task that is cancelled already.
  private func cancelled(_ name: String, _ body: @escaping @Sendable () throws -> Void) async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try body()
    }
    await #expect(throws: CancellationError.self, "\(name)") { try await task.value }
  }

  @Test("effects of every format, from bytes")
  func effects() async throws {
    let folder = Repository.path("Fixtures/effects")
    var formats: Set<String> = []
    for kind in try FolderListing(folder).entries where kind.kind == .folder {
      let files = try FolderListing("\(folder)/\(kind.name)").entries.filter { $0.kind == .file }
      for file in files.map({ "\(folder)/\(kind.name)/\($0.name)" }).sorted() {
        let bytes = try Files.read(file)
        let name = Files.lastComponent(of: file)
        guard let opened = try? OpenedEffect(bytes: bytes, name: name, limits: .untrusted) else {
          continue
        }
        formats.insert(opened.kindName)
        await cancelled(name) {
          _ = try OpenedEffect(bytes: bytes, name: name, limits: .untrusted)
        }
        break
      }
    }
    #expect(formats.count > 10, "\(formats.sorted())")
  }

  @Test("archives, with and without compression")
  func archives() async throws {
    let tree = try SampleTree.small()
    for format in [ParticleFormat.zip, .tar] {
      let bytes = try format.packed(tree).bytes
      let packed = format.name == "tar" ? [bytes, Deflate(level: 1).gzip(bytes)] : [bytes]
      for bytes in packed { await cancelled(format.name) { _ = try format.unpack(bytes) } }
    }
  }

  @Test("a stream that unpacks to more than its size")
  func stream() async {
    let bomb = Deflate(level: 9).gzip([UInt8](repeating: 0, count: 4 << 20))
    await cancelled("zlib") { _ = try Zlib.inflate(bomb, limit: 8 << 20, rule: .payload) }
  }
}
