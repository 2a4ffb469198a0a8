import ParticlesCore
import ParticlesModel
import ParticlesTestSupport
import Testing

@testable import ParticlesFormats

/// Images in addresses that hold them.
struct DataAddressTests {
  private static let pixel = """
    iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==
    """

  private static func imported(_ source: String) throws -> Imported {
    let text = """
      {"particles": {"number": {"value": 5}, "move": {"enable": true},
        "shape": {"type": "image", "image": {"src": "\(source)"}}}}
      """
    return try ParticleFormat.tsParticles.decode(
      Array(text.utf8), DecodingContext(fileName: "a.json"))
  }

  @Test(
    "the image is in the package",
    arguments: [
      ("data:image/png;base64,\(pixel)", "Images/image.png", 1),
      ("data:IMAGE/PNG;charset=x;Base64,\(pixel)", "Images/image.png", 1),
      ("data:image/svg+xml;base64,PHN2Zy8+", "Images/image.svg", nil),
    ])
  func held(_ address: String, _ path: String, _ width: Int?) throws {
    let imported = try Self.imported(address)
    #expect(imported.system.images.map(\.uri) == [path])
    #expect(imported.system.images.first?.width == width)
    #expect(imported.images[path]?.isEmpty == false)
    #expect(!imported.diagnostics.contains { $0.rule == .missingImage })
  }

  @Test(
    "an image that cannot be decoded has a name, and not its contents for one",
    arguments: [
      "data:image/png;base64,%%%/a", "data:image/png,abc/def", "data:,a/b", "data:;base64,",
    ])
  func broken(_ address: String) throws {
    let imported = try Self.imported(address)
    #expect(imported.system.images.map(\.uri) == ["Images/image.png"])
  }

  @Test("other addresses stay names", arguments: ["data/a.png", "https://example.org/data:a.png"])
  func names(_ address: String) throws {
    #expect(DataAddress(address) == nil)
  }
}
