import CParticlesInterface
import ParticlesC
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Calls of effects: where images come from, and what the lists have.
@Suite("Calls of effects in C")
struct EffectCallTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// What `find` is asked for, and what it gives.
  private final class Finder {
    var asked: [String] = []
    private let bytes: UnsafeMutableBufferPointer<UInt8>?

    init(_ bytes: [UInt8]?) {
      self.bytes = bytes.map { .allocate(capacity: $0.count) }
      _ = self.bytes?.initialize(from: bytes ?? [])
    }

    deinit { bytes?.deallocate() }

    func options() -> particles_open_options {
      var options = particles_open_options()
      options.size = MemoryLayout<particles_open_options>.size
      options.context = Unmanaged.passUnretained(self).toOpaque()
      options.find = { context, name, out in
        guard let context, let out else { return 1 }
        let finder = Unmanaged<Finder>.fromOpaque(context).takeUnretainedValue()
        finder.asked.append(name.map { String(cString: $0) } ?? "")
        out.pointee.bytes = UnsafeRawPointer(finder.bytes?.baseAddress)
        out.pointee.count = finder.bytes?.count ?? 0
        return 0
      }
      return options
    }
  }

  /// The effect as a Starling file with an image beside it, and the bytes of the image.
  private func exported() throws -> (path: String, image: [UInt8]) {
    var effect: OpaquePointer?
    var export: OpaquePointer?
    #expect(particles_effect_template("fire", &effect) == PARTICLES_OK)
    var options = particles_export_options()
    options.size = MemoryLayout<particles_export_options>.size
    options.images = CInt(PARTICLES_BESIDE)
    #expect(
      particles_effect_export(effect, "starling", "a.pex", &options, &export) == PARTICLES_OK)
    particles_effect_close(effect)
    defer { particles_export_close(export) }
    #expect(particles_export_write(export, scratch.path, CInt(PARTICLES_OVERWRITE)) == PARTICLES_OK)
    let names = try Files.list(scratch.path)
    let image = try #require(names.first { $0.hasSuffix(".png") })
    let effectName = try #require(names.first { $0.hasSuffix(".pex") })
    return (scratch.file(effectName), try Files.read(scratch.file(image)))
  }

  /// The images in the package of an effect.
  private func images(_ effect: OpaquePointer?) throws -> [[UInt8]] {
    var package: OpaquePointer?
    var iterator: OpaquePointer?
    #expect(particles_effect_package(effect, &package) == PARTICLES_OK)
    defer { particles_package_close(package) }
    #expect(particles_package_list(package, nil, 1, &iterator) == PARTICLES_OK)
    defer { particles_iterator_close(iterator) }
    var (entry, found) = (particles_entry(), [[UInt8]]())
    entry.size = MemoryLayout<particles_entry>.size
    while particles_iterator_next(iterator, &entry) == PARTICLES_ROW {
      guard let path = entry.path, String(cString: path).hasSuffix(".png") else { continue }
      var (bytes, count): (UnsafeMutableRawPointer?, Int) = (nil, 0)
      #expect(particles_package_read(package, path, &bytes, &count) == PARTICLES_OK)
      found.append(Array(UnsafeRawBufferPointer(start: bytes, count: count)))
      particles_free(bytes)
    }
    return found
  }

  /// The findings of an effect, as lines.
  private func findings(_ effect: OpaquePointer?) -> [String] {
    final class Lines { var all: [String] = [] }
    let lines = Lines()
    #expect(
      particles_effect_findings(
        effect,
        { context, finding in
          guard let context else { return 1 }
          let lines = Unmanaged<Lines>.fromOpaque(context).takeUnretainedValue()
          lines.all.append(finding?.pointee.code.map { String(cString: $0) } ?? "")
          return 0
        }, Unmanaged.passUnretained(lines).toOpaque()) == PARTICLES_OK)
    return lines.all
  }

  @Test("a callback finds the images of a file, also where others are beside the file")
  func finding() throws {
    let (path, image) = try exported()
    var beside: OpaquePointer?
    #expect(particles_effect_open(path, nil, &beside) == PARTICLES_OK)
    defer { particles_effect_close(beside) }
    #expect(try images(beside) == [image])
    let other = try Fixture.read("effects/plist/ember.png")
    let finder = Finder(other)
    var options = finder.options()
    var effect: OpaquePointer?
    #expect(particles_effect_open(path, &options, &effect) == PARTICLES_OK)
    defer { particles_effect_close(effect) }
    #expect(finder.asked.count == 1 && finder.asked.first?.hasSuffix(".png") == true)
    #expect(try images(effect) == [other])
  }

  @Test("an image without bytes or address is not found; a single byte is a damaged image")
  func missing() throws {
    let path = try exported().path
    let found = ([nil, [], [7]] as [[UInt8]?]).map { bytes in
      let finder = Finder(bytes)
      var options = finder.options()
      var effect: OpaquePointer?
      let status = particles_effect_open(path, &options, &effect)
      defer { particles_effect_close(effect) }
      return status == PARTICLES_OK ? findings(effect) : ["\(status)"]
    }
    #expect(!found[0].isEmpty && found[0] == found[1] && found[1] != found[2], "\(found)")
  }

  @Test("a folder is opened as it is; its images need no callback")
  func folders() throws {
    var saved: OpaquePointer?
    #expect(particles_effect_template("fire", &saved) == PARTICLES_OK)
    var form = particles_save_options()
    form.size = MemoryLayout<particles_save_options>.size
    form.form = CInt(PARTICLES_FOLDER)
    #expect(particles_effect_save(saved, scratch.file("b.particles"), &form) == PARTICLES_OK)
    particles_effect_close(saved)
    let finder = Finder([7])
    var options = finder.options()
    var effect: OpaquePointer?
    #expect(
      particles_effect_open(scratch.file("b.particles"), &options, &effect) == PARTICLES_OK)
    #expect(finder.asked == [] && String(cString: particles_effect_kind(effect)) == "particles")
    particles_effect_close(effect)
  }

  @Test("an embedded image is in the package, whether its path is wanted or not")
  func embedding() throws {
    var effect: OpaquePointer?
    #expect(particles_effect_template("fire", &effect) == PARTICLES_OK)
    defer { particles_effect_close(effect) }
    let before = try images(effect)
    let image = try Fixture.read("effects/plist/ember.png")
    var path: UnsafeMutablePointer<CChar>?
    #expect(
      particles_effect_embed(effect, image, image.count, "own.png", "0", &path) == PARTICLES_OK)
    #expect(path.map { String(cString: $0) }?.hasSuffix("own.png") == true)
    particles_free(path)
    #expect(try images(effect).contains(image) && !before.contains(image))
    #expect(
      particles_effect_embed(effect, image, image.count, "own.png", nil, nil) == PARTICLES_OK)
  }

  @Test("the list of formats begins with packages, which are read and written")
  func formats() throws {
    var json: UnsafeMutablePointer<CChar>?
    #expect(particles_formats_json(&json) == PARTICLES_OK)
    let text = json.map { String(cString: $0) } ?? ""
    particles_free(json)
    let rows = try #require(JSONValue(parsing: Array(text.utf8)).array)
    let first = try #require(rows.first?.object)
    #expect(first["name"] == .string("particles"))
    #expect(first["extensions"] == .array([.string("particles")]))
    #expect(first["canRead"] == .bool(true) && first["canWrite"] == .bool(true))
    let names = rows.compactMap { $0.object?["name"]?.string }
    #expect(Set(names).count == rows.count && names.contains("starling"))
    #expect(rows.contains { $0.object?["canWrite"] == .bool(false) })
  }
}
