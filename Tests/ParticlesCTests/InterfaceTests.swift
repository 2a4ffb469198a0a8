import CParticlesInterface
import ParticlesC
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// The functions of `particles.h`, called as C does. `make test-lib` runs programs in C against the library itself.
@Suite("The interface for C")
struct InterfaceTests {
  /// The names of the functions in the header.
  private func declared() throws -> [String] {
    let header = try Files.read(
      Repository.path("Sources/CParticlesInterface/include/particles.h"))
    return String(decoding: header, as: UTF8.self)
      .matches(of: /\n(?:const )?\w+ \*? *(particles_\w+)\(/).map { String($0.output.1) }.sorted()
  }

  @Test("every function of the header is defined once, and no other")
  func names() throws {
    let declared = try declared()
    #expect(declared.count == Set(declared).count && (60...120).contains(declared.count))
    let files = try SourcesOfC.all()
    let defined = files.flatMap { text in
      text.matches(of: #/@_cdecl\("(particles_\w+)"\)\npublic func /#).map { String($0.output.1) }
    }
    #expect(defined.sorted() == declared)
  }

  @Test("the Python package has the functions of the header")
  func python() throws {
    let table = try Files.read(Repository.path("Sources/Python/particlekit/_library.py"))
    let text = String(decoding: table, as: UTF8.self)
    let functions = try #require(text.firstMatch(of: /FUNCTIONS = \{([^}]*)\}/)).output.1
    let names = functions.matches(of: /"(\w+)": "\w+"/).map { "particles_\($0.output.1)" }
    #expect(names.sorted() == (try declared()))
  }

  @Test("the version is that of the tool")
  func version() throws {
    let catalog = try Files.read(Repository.path("Sources/ParticlesCLI/Commands/Catalog.swift"))
    let version = String(cString: particles_version())
    #expect(String(decoding: catalog, as: UTF8.self).contains("version: \"\(version)\""))
    #expect(particles_api_version() == PARTICLES_API_VERSION)
  }

  @Test("a package is written, read and closed; a handle that is closed is found out")
  func packages() throws {
    var package: OpaquePointer?
    #expect(particles_package_new(&package) == PARTICLES_OK)
    #expect(particles_package_put(package, "a/b", "hello", 5, 0) == PARTICLES_OK)
    #expect(particles_package_put(package, "../c", "", 0, 0) == PARTICLES_NAME)
    #expect(
      String(cString: particles_error_text(UnsafeRawPointer(package))).hasSuffix("[tree/name]"))
    var bytes: UnsafeMutableRawPointer?
    var count = 0
    #expect(particles_package_read(package, "a/b", &bytes, &count) == PARTICLES_OK)
    #expect(count == 5)
    particles_free(bytes)
    var copy: OpaquePointer?
    #expect(particles_package_copy(package, &copy) == PARTICLES_OK)
    for into in ["a/b", "a/c/d"] {
      #expect(particles_package_rename(package, "a", into) == PARTICLES_NAME)
      #expect(
        String(cString: particles_error_text(UnsafeRawPointer(package)))
          == "a: error: the parent of an entry is not a directory: it cannot be moved into itself "
          + "(expected a path that is not below 'a', found '\(into)') [tree/parent]")
    }
    #expect(particles_package_remove(package, "a") == PARTICLES_OK)
    var state = particles_package_state()
    #expect(particles_package_describe(copy, &state) == PARTICLES_MISUSE)
    state.size = MemoryLayout<particles_package_state>.size
    #expect(particles_package_describe(copy, &state) == PARTICLES_OK)
    #expect(state.entries == 2 && state.path == nil && state.form == PARTICLES_MEMORY)
    particles_package_close(copy)
    particles_package_close(package)
    particles_package_close(package)
    #expect(particles_package_describe(package, &state) == PARTICLES_MISUSE)
    #expect(particles_package_describe(nil, &state) == PARTICLES_MISUSE)
    // An effect is no package.
    var effect: OpaquePointer?
    #expect(particles_effect_template("fire", &effect) == PARTICLES_OK)
    #expect(particles_package_describe(effect, &state) == PARTICLES_MISUSE)
    particles_effect_close(effect)
  }

  @Test("a file of another kind: the status is that of formats, with the kind and the next step")
  func otherKinds() {
    var effect: OpaquePointer?
    let bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
    #expect(
      particles_effect_open_memory(bytes, bytes.count, "photo.plist", nil, &effect)
        == PARTICLES_FORMAT)
    var finding = particles_finding()
    finding.size = MemoryLayout<particles_finding>.size
    #expect(particles_error(UnsafeRawPointer(effect), &finding) == PARTICLES_OK)
    #expect(finding.code.map { String(cString: $0) } == "convert/foreign")
    #expect(finding.found.map { String(cString: $0) } == "a JPEG picture")
    #expect(finding.hint.map { String(cString: $0) }?.hasPrefix("rename it to photo.jpg") == true)
    particles_effect_close(effect)
  }

  @Test("a handle whose opening failed keeps the fault")
  func failures() {
    var effect: OpaquePointer?
    #expect(particles_effect_open("/no such file", nil, &effect) == PARTICLES_NOTFOUND)
    var finding = particles_finding()
    finding.size = MemoryLayout<particles_finding>.size
    #expect(particles_error(UnsafeRawPointer(effect), &finding) == PARTICLES_OK)
    #expect(finding.code.map { String(cString: $0) } == "file/not-found")
    #expect(finding.file.map { String(cString: $0) } == "/no such file")
    var json: UnsafeMutablePointer<CChar>?
    #expect(particles_effect_get(effect, "asset", &json) == PARTICLES_NOTFOUND)
    finding.size = 8
    #expect(particles_error(UnsafeRawPointer(effect), &finding) == PARTICLES_MISUSE)
    particles_effect_close(effect)
  }

  @Test("a value with an error is refused, and an unknown property is not found")
  func values() {
    var effect: OpaquePointer?
    #expect(particles_effect_template("fire", &effect) == PARTICLES_OK)
    let rate = "emitters[0].emission.rate"
    #expect(particles_effect_set(effect, rate, "50") == PARTICLES_OK)
    #expect(particles_effect_set(effect, rate, "-50") == PARTICLES_VALUE)
    #expect(particles_effect_set(effect, "emitters[0].emission.speed", "1") == PARTICLES_NOTFOUND)
    #expect(particles_effect_apply(effect, "\(rate)*=2") == PARTICLES_OK)
    var json: UnsafeMutablePointer<CChar>?
    #expect(particles_effect_get(effect, rate, &json) == PARTICLES_OK)
    #expect(json.map { String(cString: $0) } == "100")
    particles_free(json)
    particles_effect_close(effect)
  }

  @Test("numbers out of range are refused unless they are allowed, and prevent no other change")
  func outOfRange() {
    var effect: OpaquePointer?
    #expect(particles_effect_template("fire", &effect) == PARTICLES_OK)
    defer { particles_effect_close(effect) }
    let (rate, spread) = ("emitters[0].emission.rate", "emitters[0].launch.spread")
    for change in ["\(rate)=-5", "\(spread)=200", "\(rate)-=1e6"] {
      #expect(particles_effect_apply(effect, change) == PARTICLES_VALUE)
    }
    #expect(particles_effect_allow_out_of_range(effect, 1) == PARTICLES_OK)
    for change in ["\(rate)=-5", "\(spread)=200", "\(rate)*=2"] {
      #expect(particles_effect_apply(effect, change) == PARTICLES_OK)
    }
    #expect(particles_effect_set(effect, "emitters[0].sprites[0]", "99") == PARTICLES_VALUE)
    #expect(particles_effect_allow_out_of_range(effect, 0) == PARTICLES_OK)
    #expect(particles_effect_set(effect, rate, "-6") == PARTICLES_VALUE)
    #expect(particles_effect_set(effect, "asset.name", "Other") == PARTICLES_OK)
    #expect(particles_effect_allow_out_of_range(nil, 1) == PARTICLES_MISUSE)
  }

  @Test("a document with a new error is refused, and the one before stays")
  func documents() {
    var effect: OpaquePointer?
    #expect(particles_effect_template("fire", &effect) == PARTICLES_OK)
    defer { particles_effect_close(effect) }
    var json: UnsafeMutablePointer<CChar>?
    #expect(particles_effect_document(effect, &json, nil) == PARTICLES_OK)
    let before = json.map { String(cString: $0) } ?? ""
    particles_free(json)
    let unsound = before.replacing("\"emission\": {", with: "\"emission\": {\"jitter\": 9, ")
    #expect(unsound != before)
    #expect(
      particles_effect_set_document(effect, unsound, unsound.utf8.count) == PARTICLES_DAMAGED)
    #expect(particles_effect_document(effect, &json, nil) == PARTICLES_OK)
    #expect(json.map { String(cString: $0) } == before)
    particles_free(json)
    let sound = before.replacing("\"emission\": {", with: "\"emission\": {\"jitter\": 1, ")
    #expect(particles_effect_set_document(effect, sound, sound.utf8.count) == PARTICLES_OK)
  }

  @Test("the files of an export are written, or none: what was in the folder stays")
  func exports() throws {
    let scratch = try Scratch()
    var effect: OpaquePointer?
    var export: OpaquePointer?
    #expect(particles_effect_template("fire", &effect) == PARTICLES_OK)
    #expect(particles_effect_export(effect, "starling", "a.pex", nil, &export) == PARTICLES_OK)
    particles_effect_close(effect)
    defer { particles_export_close(export) }
    var names: [String] = []
    var name: UnsafePointer<CChar>?
    while particles_export_file(export, Int64(names.count), &name, nil, nil) == PARTICLES_OK {
      names.append(name.map { String(cString: $0) } ?? "")
    }
    #expect(names.count > 1)
    for wrong in names {
      let kept = try #require(names.first { $0 != wrong })
      try Files.makeDirectory(scratch.file(wrong))
      try Files.create(scratch.file(kept), [9])
      for flags in [0, CInt(PARTICLES_OVERWRITE)] {
        #expect(particles_export_write(export, scratch.path, flags) == PARTICLES_EXISTS)
        let text = String(cString: particles_error_text(UnsafeRawPointer(export)))
        #expect(text.contains(scratch.path) && text.hasSuffix("[file/exists]"))
        #expect(try Files.list(scratch.path).sorted() == [wrong, kept].sorted())
        #expect(try Files.read(scratch.file(kept)) == [9])
      }
      try Files.removeAll(scratch.file(wrong))
      #expect(
        particles_export_write(export, scratch.path, CInt(PARTICLES_OVERWRITE)) == PARTICLES_OK)
      #expect(try Files.list(scratch.path).sorted() == names.sorted())
      #expect(try Files.read(scratch.file(kept)) != [9])
      for name in names { try Files.removeAll(scratch.file(name)) }
    }
  }

  @Test("a progress callback cancels, and a failing one is told from it")
  func callbacks() {
    var effect: OpaquePointer?
    #expect(particles_effect_template("fire", &effect) == PARTICLES_OK)
    var plan = particles_plan()
    particles_plan_init(&plan, MemoryLayout<particles_plan>.size)
    (plan.width, plan.height, plan.duration) = (16, 16, 0.5)
    let status = particles_effect_render(
      effect, &plan, "gif", { _, _, _ in 0 }, { _, done, _ in done > 2 ? 1 : 0 }, nil, nil)
    #expect(status == PARTICLES_CANCELLED)
    #expect(
      particles_effect_render(effect, &plan, "gif", { _, _, _ in 4 }, nil, nil, nil)
        == PARTICLES_CALLBACK)
    #expect(
      particles_effect_render(effect, &plan, "gif", { _, _, _ in 0 }, nil, nil, nil)
        == PARTICLES_OK)
    particles_effect_close(effect)
  }

  @Test("columns keep their memory when the simulation goes on and ends")
  func columns() {
    var effect: OpaquePointer?
    var simulation: OpaquePointer?
    var columns: OpaquePointer?
    #expect(particles_effect_template("fire", &effect) == PARTICLES_OK)
    #expect(particles_simulation_new(effect, nil, nil, &simulation) == PARTICLES_OK)
    particles_effect_close(effect)
    #expect(particles_simulation_advance(simulation, 0.1) == PARTICLES_OK)
    #expect(particles_simulation_columns(simulation, 0, &columns) == PARTICLES_OK)
    var number: Int64 = 0
    var x: UnsafePointer<Float>?
    #expect(particles_columns_get(columns, "x", &x, &number) == PARTICLES_OK)
    let count = Int(number)
    // More particles than there was memory for.
    for _ in 0..<40 { #expect(particles_simulation_advance(simulation, 0.1) == PARTICLES_OK) }
    particles_simulation_close(simulation)
    let sum = UnsafeBufferPointer(start: x, count: count).reduce(0, +)
    #expect(count > 0 && sum.isFinite)
    particles_columns_close(columns)
  }
}

/// The Swift files of the interface.
private enum SourcesOfC {
  static func all(below folder: String = "Sources/ParticlesC") throws -> [String] {
    try Files.list(Repository.path(folder)).flatMap { name -> [String] in
      let path = "\(folder)/\(name)"
      if name.hasSuffix(".swift") {
        return [String(decoding: try Files.read(Repository.path(path)), as: UTF8.self)]
      }
      let isFolder = try Files.status(Repository.path(path))?.kind == .directory
      return isFolder ? try all(below: path) : []
    }
  }
}
