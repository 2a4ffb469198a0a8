import CParticlesInterface
import ParticlesC
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Numbers that the functions of `particles.h` cannot take: each is refused by a status and a message.
@Suite("Numbers for C")
struct NumberTests {
  /// Open handles, and memory for results.
  private final class Target {
    var package, effect, blob, export, simulation, document, session: OpaquePointer?
    let scratch: Scratch
    let pixels = UnsafeMutablePointer<UInt8>.allocate(capacity: 16 * 16 * 4)
    var json: UnsafeMutablePointer<CChar>?
    var made: OpaquePointer?

    init() throws {
      scratch = try Scratch()
      var options = particles_document_options()
      options.size = MemoryLayout<particles_document_options>.size
      #expect(particles_package_new(&package) == PARTICLES_OK)
      #expect(particles_package_put(package, "a", "hello", 5, 0) == PARTICLES_OK)
      #expect(particles_blob_open(package, "a", &blob, nil) == PARTICLES_OK)
      #expect(particles_effect_template("fire", &effect) == PARTICLES_OK)
      #expect(particles_effect_export(effect, "pixi", "a.json", nil, &export) == PARTICLES_OK)
      #expect(particles_simulation_new(effect, nil, nil, &simulation) == PARTICLES_OK)
      #expect(particles_session_new(effect, &session) == PARTICLES_OK)
      #expect(particles_effect_save(effect, scratch.file("a.particles"), nil) == PARTICLES_OK)
      "".withCString { none in
        options.data_folder = none
        #expect(
          particles_document_open(scratch.file("a.particles"), &options, &document) == PARTICLES_OK)
      }
    }

    deinit {
      particles_document_close(document)
      particles_session_close(session)
      particles_simulation_close(simulation)
      particles_export_close(export)
      particles_blob_close(blob)
      particles_effect_close(effect)
      particles_package_close(package)
      particles_free(json)
      pixels.deallocate()
    }

    func plan(_ change: (inout particles_plan) -> Void) -> particles_plan {
      var plan = particles_plan()
      particles_plan_init(&plan, MemoryLayout<particles_plan>.size)
      (plan.width, plan.height) = (16, 16)
      change(&plan)
      return plan
    }

    func draw(_ change: (inout particles_plan) -> Void, stride: Int = 64) -> CInt {
      var plan = plan(change)
      return particles_effect_draw(effect, &plan, pixels, stride)
    }

    /// Draws nothing, so that the memory is not too small.
    func animate(_ change: (inout particles_plan) -> Void) -> CInt {
      var plan = plan(change)
      return particles_effect_animate(effect, &plan, { _, _, _, _, _ in 1 }, nil)
    }

    func open(_ change: (inout particles_document_options) -> Void) -> CInt {
      var options = particles_document_options()
      options.size = MemoryLayout<particles_document_options>.size
      change(&options)
      return particles_document_open(scratch.file("a.particles"), &options, &made)
    }

    func save(_ change: (inout particles_save_options) -> Void) -> CInt {
      var options = particles_save_options()
      options.size = MemoryLayout<particles_save_options>.size
      change(&options)
      return particles_package_save(package, scratch.file("b.particles"), &options)
    }

    func convert(_ change: (inout particles_export_options) -> Void) -> CInt {
      var options = particles_export_options()
      options.size = MemoryLayout<particles_export_options>.size
      change(&options)
      return particles_effect_export(effect, "pixi", "a.json", &options, &made)
    }

    /// Calls a function that makes a handle.
    func making(_ call: (inout OpaquePointer?) -> CInt) -> CInt { call(&made) }
  }

  /// A call with a wrong number.
  private struct Call {
    /// The function of the header, without `particles_`.
    let function: String
    /// The name of the wrong argument or field in the message.
    let argument: String
    /// The handle that has the message, or nil for functions without a handle.
    let owner: KeyPath<Target, OpaquePointer?>?
    var status = PARTICLES_MISUSE
    let run: (Target, Number) -> CInt

    init(
      _ function: String, _ argument: String, _ owner: KeyPath<Target, OpaquePointer?>?,
      _ status: Int = PARTICLES_MISUSE, _ run: @escaping (Target, Number) -> CInt
    ) {
      (self.function, self.argument, self.owner) = (function, argument, owner)
      (self.status, self.run) = (status, run)
    }
  }

  /// A wrong number of each type.
  private struct Number {
    var count = -1
    var int: CInt = -1
    var seconds = -1.0
  }

  private static var negative: [Call] {
    [
      Call("package_open_memory", "bytes", \.made) { target, number in
        target.making { particles_package_open_memory("x", number.count, nil, &$0) }
      },
      Call("package_open_source", "size", \.made) { target, number in
        target.making {
          particles_package_open_source(
            Int64(number.count), { _, _, _, _ in 0 }, nil, nil, nil, &$0)
        }
      },
      Call("package_put", "bytes", \.package) {
        particles_package_put($0.package, "x", "x", $1.count, 0)
      },
      Call("package_add", "bytes", \.package) {
        particles_package_add($0.package, "", "x", "x", $1.count, nil)
      },
      Call("package_put_source", "size", \.package) {
        particles_package_put_source(
          $0.package, "x", Int64($1.count), { _, _, _, _ in 0 }, nil, nil, 0)
      },
      Call("package_encode", "level", \.package) {
        particles_package_encode($0.package, $1.int, { _, _, _ in 0 }, nil)
      },
      Call("package_save", "level", \.package) { target, number in
        target.save { $0.level = number.int }
      },
      Call("package_save", "mode", \.package) { target, number in
        target.save { $0.mode = number.int }
      },
      Call("package_save", "form", \.package) { target, number in
        target.save { $0.form = number.int }
      },
      Call("blob_read", "offset", \.blob) {
        particles_blob_read($0.blob, Int64($1.count), $0.pixels, 1)
      },
      Call("blob_read", "count", \.blob) { particles_blob_read($0.blob, 0, $0.pixels, $1.count) },
      Call("effect_open_memory", "bytes", \.made) { target, number in
        target.making { particles_effect_open_memory("x", number.count, "x", nil, &$0) }
      },
      Call("effect_set_document", "json", \.effect) {
        particles_effect_set_document($0.effect, "{}", $1.count)
      },
      Call("effect_embed", "bytes", \.effect) {
        particles_effect_embed($0.effect, "x", $1.count, "x", nil, nil)
      },
      Call("effect_export", "measure", \.made) { target, number in
        target.convert { $0.measure = number.int }
      },
      Call("effect_export", "images", \.made) { target, number in
        target.convert { $0.images = number.int }
      },
      Call("export_file", "index", \.export) {
        particles_export_file($0.export, Int64($1.count), nil, nil, nil)
      },
      Call("effect_thumbnail", "size", \.effect, PARTICLES_VALUE) {
        particles_effect_thumbnail($0.effect, $1.int, $0.pixels, 64)
      },
      Call("effect_thumbnail", "stride", \.effect) {
        particles_effect_thumbnail($0.effect, 16, $0.pixels, $1.count)
      },
      Call("effect_draw", "stride", \.effect) { target, number in
        target.draw({ _ in }, stride: number.count)
      },
      Call("effect_draw", "width", \.effect) { target, number in
        target.draw { $0.width = number.int }
      },
      Call("effect_draw", "height", \.effect) { target, number in
        target.draw { $0.height = number.int }
      },
      Call("effect_draw", "samples", \.effect) { target, number in
        target.draw { $0.samples = number.int }
      },
      Call("effect_draw", "loop", \.effect) { target, number in
        target.draw { $0.loop = number.int }
      },
      Call("effect_draw", "background", \.effect) { target, number in
        target.draw { $0.background = number.int }
      },
      Call("effect_animate", "frames_per_second", \.effect) { target, number in
        target.animate { $0.frames_per_second = number.seconds }
      },
      Call("effect_animate", "scale", \.effect) { target, number in
        target.animate { $0.scale = number.seconds }
      },
      Call("effect_statistics_json", "frames", \.effect) {
        particles_effect_statistics_json($0.effect, $1.int, 1, 1, nil, &$0.json)
      },
      Call("effect_statistics_json", "seeds", \.effect) {
        particles_effect_statistics_json($0.effect, 1, $1.int, 1, nil, &$0.json)
      },
      Call("simulation_advance", "seconds", \.simulation) {
        particles_simulation_advance($0.simulation, $1.seconds)
      },
      Call("simulation_describe", "emitter", \.simulation) { target, number in
        var state = particles_simulation_state()
        state.size = MemoryLayout<particles_simulation_state>.size
        // -1 means all emitters.
        return particles_simulation_describe(
          target.simulation, Int64(number.count == -1 ? -2 : number.count), &state)
      },
      Call("simulation_columns", "emitter", \.simulation) { target, number in
        target.making { particles_simulation_columns(target.simulation, Int64(number.count), &$0) }
      },
      Call("simulation_draw", "stride", \.simulation) { target, number in
        var plan = target.plan { _ in }
        return particles_simulation_draw(target.simulation, &plan, target.pixels, number.count)
      },
      Call("document_open", "autosave_seconds", \.made) { target, number in
        target.open { $0.autosave_seconds = number.seconds }
      },
      Call("document_open", "timeout", \.made) { target, number in
        target.open { $0.timeout = number.seconds }
      },
      Call("document_open", "autosave", \.made) { target, number in
        target.open { $0.autosave = number.int }
      },
      Call("document_end_gesture", "gesture", \.document) {
        particles_document_end_gesture($0.document, Int64($1.count), 0)
      },
      Call("document_resolve", "side", \.document) {
        particles_document_resolve($0.document, $1.int, nil)
      },
      Call("session_end_gesture", "gesture", \.session) {
        particles_session_end_gesture($0.session, Int64($1.count), 0)
      },
      Call("session_resolve", "side", \.session) {
        particles_session_resolve($0.session, $1.int)
      },
      Call("type_of_bytes", "bytes", nil) {
        particles_type_of_bytes("x", $1.count, "x", &$0.json)
      },
      Call("plan_init", "plan", nil) { _, number in
        var plan = particles_plan()
        return particles_plan_init(&plan, number.count)
      },
      Call("limits_init", "limits", nil) { _, number in
        var limits = particles_limits()
        return particles_limits_init(&limits, number.count, 0)
      },
    ]
  }

  /// Functions for which each number is a valid one, and why.
  private static let any = [
    // The number of a new gesture.
    "document_set", "session_set",
    // Below 0, edits are redone.
    "document_undo", "session_undo",
  ]

  /// Checks status and message of a call.
  private func expect(
    _ call: Call, _ number: Number, status: Int? = nil, _ target: Target,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let found = call.run(target, number)
    #expect(
      found == status ?? call.status, "\(call.function), \(call.argument), \(number)",
      sourceLocation: sourceLocation)
    guard let owner = call.owner else { return }
    let handle = target[keyPath: owner]
    let text = String(cString: particles_error_text(UnsafeRawPointer(handle)))
    #expect(
      text.contains(call.argument) && text.contains("expected") && text.contains("found"),
      "\(call.function): \(text)", sourceLocation: sourceLocation)
    // Kinds of handles that this table makes.
    particles_package_close(target.made)
    particles_effect_close(target.made)
    particles_export_close(target.made)
    particles_columns_close(target.made)
    particles_document_close(target.made)
    target.made = nil
  }

  @Test("negative numbers are refused, with the name of the argument")
  func negatives() throws {
    let target = try Target()
    for call in Self.negative {
      expect(call, Number(), target)
      // A gesture of any number may have begun.
      let least = Number(count: .min, int: .min, seconds: -Double.infinity)
      expect(call, least, target)
    }
    var entry = particles_entry()
    entry.size = MemoryLayout<particles_entry>.size
    #expect(particles_package_stat(target.package, "x", &entry) == PARTICLES_NOTFOUND)
  }

  @Test("no number is refused, and no infinite one")
  func notFinite() throws {
    let target = try Target()
    let names = ["seconds", "autosave_seconds", "timeout", "frames_per_second", "scale"]
    for call in Self.negative where names.contains(call.argument) {
      for seconds in [Double.nan, .infinity, -.infinity] {
        expect(call, Number(seconds: seconds), target)
      }
    }
    for seconds in [Double.nan, .infinity, -.infinity, 1e300] {
      for field in [\particles_plan.start, \.duration, \.pause] {
        #expect(target.draw { $0[keyPath: field] = seconds } == PARTICLES_MISUSE)
        #expect(target.animate { $0[keyPath: field] = seconds } == PARTICLES_MISUSE)
      }
    }
  }

  @Test("huge numbers are refused, or stopped by a limit, before memory is taken")
  func huge() throws {
    let target = try Target()
    let statuses: [String: Int] = [
      "effect_statistics_json": PARTICLES_LIMIT, "package_put_source": PARTICLES_LIMIT,
      "package_open_source": PARTICLES_DAMAGED, "export_file": PARTICLES_DONE,
    ]
    // The size of memory of the caller is taken as it is stated.
    let stated = ["bytes", "json", "plan", "limits", "width", "height"]
    for call in Self.negative where !stated.contains(call.argument) {
      let number = Number(count: .max, int: .max, seconds: 1e300)
      guard let status = statuses[call.function] else {
        // A number of seconds, a picture or a place is refused. Any scale is allowed.
        if call.argument != "scale" { expect(call, number, target) }
        continue
      }
      #expect(call.run(target, number) == status, "\(call.function)")
      particles_package_close(target.made)
      target.made = nil
    }
    let most = CInt.max
    #expect(target.animate { ($0.width, $0.height) = (most, most) } == PARTICLES_LIMIT)
    #expect(
      target.animate { ($0.width, $0.height, $0.samples) = (most, most, 4) } == PARTICLES_LIMIT)
    #expect(target.animate { ($0.width, $0.height) = (1, most) } == PARTICLES_LIMIT)
    #expect(target.draw({ $0.width = most }) == PARTICLES_MISUSE, "the stride")
    #expect(
      target.animate { ($0.duration, $0.frames_per_second) = (1e6, 1000) } == PARTICLES_LIMIT)
  }

  @Test("each function of the header that takes a number is in the table")
  func complete() throws {
    let header = try Files.read(
      Repository.path("Sources/CParticlesInterface/include/particles.h"))
    let text = String(decoding: header, as: UTF8.self).replacing("\n", with: " ")
    let known = Set(Self.negative.map(\.function) + Self.any)
    // Flags and truth values have any number, or are checked by `flags`.
    let number =
      /(?:^|[(,] *)(?:double|size_t|int64_t) \w+|int (?:frames|seeds|size|count|level|side)\b/
    for declaration in text.matches(of: /int particles_(\w+)(\([^;]*\));/)
    where declaration.output.2.firstMatch(of: number) != nil {
      #expect(known.contains(String(declaration.output.1)), "\(declaration.output.1)")
    }
  }
}
