import CParticlesInterface
import ParticlesC
import ParticlesCore
import ParticlesTestSupport
import Testing

/// Calls of documents: what an edit changes, what is undone, and what is kept for the next opening.
@Suite("Calls of documents in C")
struct DocumentCallTests {
  private let scratch: Scratch
  private let rate = "emitters[0].emission.rate"

  init() throws {
    scratch = try Scratch()
    var effect: OpaquePointer?
    #expect(particles_effect_template("fire", &effect) == PARTICLES_OK)
    #expect(particles_effect_set(effect, rate, "10") == PARTICLES_OK)
    #expect(particles_effect_save(effect, scratch.file("a.particles"), nil) == PARTICLES_OK)
    particles_effect_close(effect)
  }

  /// Opens the document, runs `body`, and closes the document.
  private func opened(
    _ change: (inout particles_document_options) -> Void = { _ in },
    _ body: (OpaquePointer?) throws -> Void
  ) rethrows {
    var options = particles_document_options()
    options.size = MemoryLayout<particles_document_options>.size
    options.autosave = CInt(PARTICLES_AUTOSAVE_OFF)
    change(&options)
    try scratch.file("data").withCString { folder in
      options.data_folder = folder
      var document: OpaquePointer?
      #expect(
        particles_document_open(scratch.file("a.particles"), &options, &document) == PARTICLES_OK)
      defer { particles_document_close(document) }
      try body(document)
    }
  }

  private func value(_ document: OpaquePointer?, _ key: String) -> String? {
    var json: UnsafeMutablePointer<CChar>?
    guard particles_document_get(document, key, &json) == PARTICLES_OK else { return nil }
    defer { particles_free(json) }
    return json.map { String(cString: $0) }
  }

  /// The names of the next edits to undo and to redo.
  private func names(_ document: OpaquePointer?) -> [String?] {
    var state = particles_document_state()
    state.size = MemoryLayout<particles_document_state>.size
    #expect(particles_document_stat(document, &state) == PARTICLES_OK)
    return [state.undo_name, state.redo_name].map { $0.map { String(cString: $0) } }
  }

  private func undo(_ document: OpaquePointer?, _ count: CInt) -> CInt {
    var done: CInt = -1
    #expect(particles_document_undo(document, count, &done) == PARTICLES_OK)
    return done
  }

  @Test("a property is set as one edit with its name, undone and redone")
  func set() {
    opened { document in
      #expect(value(document, rate) == "10" && names(document) == [nil, nil])
      #expect(particles_document_set(document, rate, "20", nil, 0) == PARTICLES_OK)
      #expect(particles_document_set(document, rate, "30", "Faster", 0) == PARTICLES_OK)
      #expect(value(document, rate) == "30" && names(document) == ["Faster", nil])
      #expect(undo(document, 1) == 1)
      #expect(value(document, rate) == "20")
      #expect(names(document) == ["Change \(rate)", "Faster"])
      #expect(undo(document, 5) == 1)
      #expect(value(document, rate) == "10")
      #expect(undo(document, -5) == 2)
      #expect(value(document, rate) == "30" && names(document) == ["Faster", nil])
      #expect(particles_document_set(document, rate, "x", nil, 0) == PARTICLES_VALUE)
      #expect(value(document, rate) == "30" && names(document) == ["Faster", nil])
    }
  }

  @Test("a gesture is one edit, or none if it is cancelled")
  func gestures() {
    opened { document in
      for (gesture, isCancelled) in [(7, false), (8, true)] {
        for value in 1...3 {
          #expect(
            particles_document_set(document, rate, "\(gesture)\(value)", "Slide", Int64(gesture))
              == PARTICLES_OK)
        }
        #expect(value(document, rate) == "\(gesture)3")
        #expect(
          particles_document_end_gesture(document, Int64(gesture), isCancelled ? 1 : 0)
            == PARTICLES_OK)
        #expect(
          particles_document_end_gesture(document, Int64(gesture), 0) == PARTICLES_MISUSE)
        #expect(value(document, rate) == "73" && names(document) == ["Slide", nil])
      }
      #expect(undo(document, 9) == 1 && value(document, rate) == "10")
    }
  }

  @Test("all that a callback does is one edit; one that fails changes nothing")
  func edits() {
    opened { document in
      let edit: particles_edit_fn = { context, effect in
        #expect(particles_effect_set(effect, "emitters[0].emission.rate", "40") == PARTICLES_OK)
        #expect(particles_effect_set(effect, "asset.name", "Edited") == PARTICLES_OK)
        return context == nil ? 0 : 3
      }
      #expect(
        particles_document_edit(document, "Both", edit, UnsafeMutableRawPointer(document))
          == PARTICLES_CALLBACK)
      #expect(value(document, rate) == "10" && names(document) == [nil, nil])
      #expect(particles_document_edit(document, "Both", edit, nil) == PARTICLES_OK)
      #expect(value(document, rate) == "40" && value(document, "asset.name") == "\"Edited\"")
      #expect(names(document) == ["Both", nil])
      #expect(particles_document_edit(document, "Both", nil, nil) == PARTICLES_MISUSE)
      var effect: OpaquePointer?
      #expect(particles_document_effect(document, &effect) == PARTICLES_OK)
      #expect(undo(document, 1) == 1 && value(document, rate) == "10")
      // A copy stays as it is.
      var json: UnsafeMutablePointer<CChar>?
      #expect(particles_effect_get(effect, rate, &json) == PARTICLES_OK)
      #expect(json.map { String(cString: $0) } == "40")
      particles_free(json)
      particles_effect_close(effect)
    }
  }

  @Test("edits can be undone after the document was opened again, if they are kept")
  func keptEdits() {
    for keeps in [false, true] {
      let rates = keeps ? ["60", "70"] : ["40", "50"]
      opened({ $0.keep_edits = keeps ? 1 : 0 }) { document in
        for rate in rates {
          #expect(particles_document_set(document, self.rate, rate, nil, 0) == PARTICLES_OK)
        }
        #expect(particles_document_save(document, 0) == PARTICLES_OK)
      }
      opened({ $0.keep_edits = keeps ? 1 : 0 }) { document in
        #expect(value(document, rate) == rates[1])
        #expect(undo(document, 1) == (keeps ? 1 : 0))
        #expect(value(document, rate) == rates[keeps ? 0 : 1])
      }
    }
  }

  @Test("unsaved contents are kept for the next opening, and recovered as an edit if it asks")
  func recovery() {
    func recoverable(_ document: OpaquePointer?) -> CInt {
      var state = particles_document_state()
      state.size = MemoryLayout<particles_document_state>.size
      #expect(particles_document_stat(document, &state) == PARTICLES_OK)
      return state.recoverable
    }
    opened { document in
      #expect(recoverable(document) == 0)
      #expect(particles_document_set(document, rate, "20", nil, 0) == PARTICLES_OK)
    }
    opened { document in
      #expect(recoverable(document) == 1 && value(document, rate) == "10")
    }
    opened({ $0.recover = 1 }) { document in
      #expect(value(document, rate) == "20")
      #expect(undo(document, 1) == 1 && value(document, rate) == "10")
    }
  }

  @Test("a document that is viewed is not changed")
  func viewing() {
    opened({ $0.viewing = 1 }) { document in
      #expect(particles_document_set(document, rate, "20", nil, 0) == PARTICLES_READONLY)
      #expect(value(document, rate) == "10")
    }
  }

  @Test("unsaved edits are dropped by reverting, which can be undone")
  func reverting() {
    opened { document in
      #expect(particles_document_set(document, rate, "20", nil, 0) == PARTICLES_OK)
      #expect(particles_document_revert(document) == PARTICLES_OK)
      #expect(value(document, rate) == "10")
      #expect(undo(document, 1) == 1 && value(document, rate) == "20")
    }
  }
}
