import CParticlesInterface
import ParticlesC
import ParticlesCore
import ParticlesTestSupport
import Testing

/// Calls of edits in memory, and of the file with the edits.
@Suite("Calls of sessions in C")
struct SessionCallTests {
  private let rate = "emitters[0].emission.rate"

  /// An effect of a file in memory.
  private func effect(_ bytes: [UInt8], _ name: String) throws -> OpaquePointer {
    var effect: OpaquePointer?
    #expect(
      bytes.withUnsafeBytes {
        particles_effect_open_memory($0.baseAddress, $0.count, name, nil, &effect)
      } == PARTICLES_OK)
    return try #require(effect)
  }

  private func starling() throws -> [UInt8] { try Fixture.read("effects/pex/snow.pex") }

  /// Runs `body` with a session of the Starling file.
  private func withSession(_ body: (OpaquePointer?) throws -> Void) throws {
    let effect = try effect(starling(), "snow.pex")
    defer { particles_effect_close(effect) }
    var session: OpaquePointer?
    #expect(particles_session_new(effect, &session) == PARTICLES_OK)
    defer { particles_session_close(session) }
    try body(session)
  }

  private func value(_ session: OpaquePointer?, _ key: String) -> String? {
    var json: UnsafeMutablePointer<CChar>?
    guard particles_session_get(session, key, &json) == PARTICLES_OK else { return nil }
    defer { particles_free(json) }
    return json.map { String(cString: $0) }
  }

  private func set(_ session: OpaquePointer?, _ key: String, _ value: String, _ gesture: Int64 = 0)
    -> Int
  {
    Int(particles_session_set(session, key, value, "Slide", gesture))
  }

  private func undo(_ session: OpaquePointer?, _ count: Int) -> Int {
    var done: CInt = -1
    #expect(particles_session_undo(session, CInt(count), &done) == PARTICLES_OK)
    return Int(done)
  }

  /// The names of the edits to undo and redo, and the states.
  private func state(_ session: OpaquePointer?) -> (undo: String?, redo: String?, states: Int) {
    var state = particles_session_state()
    state.size = MemoryLayout<particles_session_state>.size
    #expect(particles_session_stat(session, &state) == PARTICLES_OK)
    return (
      state.undo_name.map { String(cString: $0) }, state.redo_name.map { String(cString: $0) },
      Int(state.states)
    )
  }

  /// The files of an export without a format, and the number of losses.
  private func files(_ effect: OpaquePointer?, _ name: String? = nil) throws -> (
    names: [String], first: [UInt8], losses: Int
  ) {
    var export: OpaquePointer?
    #expect(particles_effect_export(effect, nil, name, nil, &export) == PARTICLES_OK)
    defer { particles_export_close(export) }
    var (names, first): ([String], [UInt8]) = ([], [])
    var (text, bytes, count): (UnsafePointer<CChar>?, UnsafeRawPointer?, Int) = (nil, nil, 0)
    while particles_export_file(export, Int64(names.count), &text, &bytes, &count) == PARTICLES_OK {
      if names.isEmpty { first = Array(UnsafeRawBufferPointer(start: bytes, count: count)) }
      names.append(text.map { String(cString: $0) } ?? "")
    }
    final class Count { var value = 0 }
    let losses = Count()
    #expect(
      particles_export_losses(
        export,
        { context, _ in
          guard let context else { return 1 }
          Unmanaged<Count>.fromOpaque(context).takeUnretainedValue().value += 1
          return 0
        }, Unmanaged.passUnretained(losses).toOpaque()) == PARTICLES_OK)
    return (names, first, losses.value)
  }

  private func files(of session: OpaquePointer?) throws -> (
    names: [String], first: [UInt8], losses: Int
  ) {
    var effect: OpaquePointer?
    #expect(particles_session_effect(session, &effect) == PARTICLES_OK)
    defer { particles_effect_close(effect) }
    return try files(effect)
  }

  private func lines(_ bytes: [UInt8]) -> [Substring] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test("an edit is undone, redone, and written as one line of the file")
  func edits() throws {
    try withSession { session in
      let (original, before) = (try starling(), value(session, rate))
      #expect(try files(of: session).first == original)
      #expect(state(session) == (nil, nil, 0))
      #expect(set(session, rate, "30") == PARTICLES_OK)
      #expect(state(session) == ("Slide", nil, PARTICLES_STATE_CHANGED))
      let written = try files(of: session)
      #expect(written.names == ["snow.pex"] && written.losses == 0)
      let (old, new) = (lines(original), lines(written.first))
      try #require(old.count == new.count)
      let changed = old.indices.filter { old[$0] != new[$0] }
      #expect(changed.count == 1, "\(changed.map { new[$0] })")
      #expect(undo(session, 5) == 1 && state(session) == (nil, "Slide", 0))
      #expect(try files(of: session).first == original)
      #expect(value(session, rate) == before)
      #expect(undo(session, Int(Int32.min)) == 1 && value(session, rate) == "30")
      #expect(particles_session_saved(session) == PARTICLES_OK)
      #expect(state(session) == ("Slide", nil, 0))
      #expect(undo(session, 1) == 1 && state(session).states == PARTICLES_STATE_CHANGED)
    }
  }

  @Test("a gesture is one edit, or none if it is cancelled; a wrong value leaves it as it was")
  func gestures() throws {
    try withSession { session in
      let before = value(session, rate)
      for (gesture, isCancelled) in [(7, false), (8, true)] as [(Int64, Bool)] {
        for number in 1...3 {
          #expect(set(session, rate, "\(gesture)\(number)", gesture) == PARTICLES_OK)
        }
        #expect(set(session, rate, "\"fast\"", gesture) == PARTICLES_VALUE)
        #expect(value(session, rate) == "\(gesture)3")
        let end = particles_session_end_gesture(session, gesture, isCancelled ? 1 : 0)
        #expect(end == PARTICLES_OK && value(session, rate) == "73")
        #expect(particles_session_end_gesture(session, gesture, 0) == PARTICLES_MISUSE)
        #expect(state(session).undo == "Slide" && state(session).redo == nil)
      }
      // One that begins with a wrong value has not begun.
      #expect(set(session, rate, "\"fast\"", 9) == PARTICLES_VALUE)
      #expect(particles_session_end_gesture(session, 9, 0) == PARTICLES_MISUSE)
      #expect(undo(session, 9) == 1 && value(session, rate) == before)
    }
  }

  @Test("all that a callback does is one edit; one that fails changes nothing")
  func callbacks() throws {
    try withSession { session in
      let edit: particles_edit_fn = { context, effect in
        #expect(particles_effect_set(effect, "emitters[0].emission.rate", "40") == PARTICLES_OK)
        #expect(particles_effect_set(effect, "asset.name", "Edited") == PARTICLES_OK)
        return context == nil ? 0 : 3
      }
      let context = UnsafeMutableRawPointer(session)
      #expect(particles_session_edit(session, "Both", edit, context) == PARTICLES_CALLBACK)
      #expect(value(session, "asset.name") != "\"Edited\"" && state(session) == (nil, nil, 0))
      #expect(particles_session_edit(session, "Both", edit, nil) == PARTICLES_OK)
      #expect(value(session, rate) == "40" && value(session, "asset.name") == "\"Edited\"")
      #expect(state(session).undo == "Both")
      #expect(particles_session_edit(session, "Both", nil, nil) == PARTICLES_MISUSE)
      #expect(undo(session, 1) == 1 && state(session).states == 0)
    }
  }

  /// Takes what another program has stored, with these properties.
  private func merge(_ session: OpaquePointer?, _ changes: [(String, String)]) throws -> String {
    let theirs = try effect(starling(), "snow.pex")
    defer { particles_effect_close(theirs) }
    for (key, value) in changes {
      #expect(particles_effect_set(theirs, key, value) == PARTICLES_OK)
    }
    var json: UnsafeMutablePointer<CChar>?
    #expect(particles_session_merge(session, theirs, &json) == PARTICLES_OK)
    defer { particles_free(json) }
    return json.map { String(cString: $0) } ?? ""
  }

  @Test("changes of another program are merged, or a conflict that ends by a choice")
  func merges() throws {
    try withSession { session in
      #expect(try merge(session, []) == #"{"kind":"nothing","clashes":[]}"#)
      let theirs = ("asset.name", "\"Theirs\"")
      #expect(try merge(session, [theirs]) == #"{"kind":"reloaded","clashes":[]}"#)
      #expect(value(session, theirs.0) == theirs.1 && state(session).states == 0)
      #expect(set(session, rate, "30") == PARTICLES_OK)
      let both = [theirs, ("asset.author", "\"They\"")]
      #expect(try merge(session, both) == #"{"kind":"merged","clashes":[]}"#)
      #expect(value(session, rate) == "30" && value(session, "asset.author") == "\"They\"")
      let clash = try merge(session, both + [(rate, "31")])
      #expect(clash == #"{"kind":"conflict","clashes":["\#(rate)"]}"#)
      #expect(state(session).states & PARTICLES_STATE_CONFLICT != 0)
      for side in [PARTICLES_BOTH, 4, -1] {
        #expect(particles_session_resolve(session, CInt(side)) == PARTICLES_MISUSE)
      }
      #expect(particles_session_resolve(session, CInt(PARTICLES_THEIRS)) == PARTICLES_OK)
      #expect(value(session, rate) == "31" && state(session).states == 0)
      #expect(undo(session, 1) == 1 && value(session, rate) == "30")
      // Without a conflict, there is nothing to do.
      #expect(particles_session_resolve(session, CInt(PARTICLES_OURS)) == PARTICLES_OK)
      #expect(value(session, rate) == "30")
      #expect(particles_session_merge(session, nil, nil) == PARTICLES_MISUSE)
    }
  }

  @Test("a second change during a conflict counts, and gestures end with the conflict")
  func longConflict() throws {
    try withSession { session in
      #expect(set(session, rate, "30") == PARTICLES_OK)
      let first = try merge(session, [(rate, "31")])
      #expect(first.contains("conflict"))
      #expect(particles_session_saved(session) == PARTICLES_CHANGED)
      #expect(set(session, "emitters[0].lifetime", "3", 5) == PARTICLES_OK)
      let second = try merge(session, [(rate, "32"), ("asset.author", "\"They\"")])
      #expect(second.contains("conflict"))
      #expect(particles_session_resolve(session, CInt(PARTICLES_MERGED)) == PARTICLES_OK)
      #expect(value(session, rate) == "30" && value(session, "asset.author") == "\"They\"")
      #expect(value(session, "emitters[0].lifetime") == "3")
      #expect(particles_session_end_gesture(session, 5, 0) == PARTICLES_MISUSE)
      #expect(state(session).states == PARTICLES_STATE_CHANGED)
      #expect(particles_session_saved(session) == PARTICLES_OK && state(session).states == 0)
    }
  }

  @Test("a file without a name gets the extension of its format; the written file is measured")
  func names() throws {
    let file = try effect(starling(), "")
    defer { particles_effect_close(file) }
    let names = try files(file).names
    #expect(names == ["effect.pex"])
    var options = particles_export_options()
    options.size = MemoryLayout<particles_export_options>.size
    options.measure = 1
    for (value, isEqual) in [(nil, true), ("30", false)] as [(String?, Bool)] {
      if let value { #expect(particles_effect_set(file, rate, value) == PARTICLES_OK) }
      var export: OpaquePointer?
      var difference = -1.0
      #expect(particles_effect_export(file, nil, nil, &options, &export) == PARTICLES_OK)
      defer { particles_export_close(export) }
      #expect(particles_export_difference(export, &difference, nil) == PARTICLES_OK)
      #expect(isEqual ? difference == 0 : (0..<0.05).contains(difference), "\(difference)")
    }
  }

  @Test("the effect of a callback has the file of the session")
  func callbackFile() throws {
    try withSession { session in
      let edit: particles_edit_fn = { _, effect in
        #expect(particles_effect_kind(effect).map { String(cString: $0) } == "starling")
        return 0
      }
      #expect(particles_session_edit(session, "Nothing", edit, nil) == PARTICLES_OK)
      #expect(state(session).states == 0)
    }
  }

  @Test("a package is written as a package; what its format cannot hold is a loss")
  func ownFile() throws {
    var template: OpaquePointer?
    #expect(particles_effect_template("fire", &template) == PARTICLES_OK)
    let package = try files(template)
    particles_effect_close(template)
    #expect(package.names == ["effect.particles"])
    let again = try effect(package.first, "fire.particles")
    #expect(try files(again).names == ["fire.particles"])
    particles_effect_close(again)
    let file = try effect(starling(), "snow.pex")
    defer { particles_effect_close(file) }
    // Starling has no name of an author.
    #expect(particles_effect_set(file, "asset.author", "\"Me\"") == PARTICLES_OK)
    let lost = try files(file, "other.pex")
    let original = try starling()
    #expect(lost.names == ["other.pex"] && lost.first == original && lost.losses > 0)
    var export: OpaquePointer?
    for name in ["", "a/b"] {
      #expect(particles_effect_export(file, nil, name, nil, &export) == PARTICLES_MISUSE)
    }
    #expect(particles_effect_export(file, "starling", nil, nil, &export) == PARTICLES_MISUSE)
  }
}
