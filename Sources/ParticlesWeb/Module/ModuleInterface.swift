internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel
internal import ParticlesRender
internal import ParticlesSimulation

// The functions of the module, as `Spec/player.md` states. No parameters make a call trap.

/// The effects by their numbers, and what the last calls left.
private struct Table {
  var effects: [PlayedEffect?] = []
  var failure: Diagnostic?
  var text: [UInt8] = []
}

// One thread calls.
nonisolated(unsafe) private var table = Table()

private func effect(_ number: Int32) -> PlayedEffect? {
  let place = Int(number) - 1
  guard table.effects.indices.contains(place), let effect = table.effects[place] else {
    table.failure = Diagnostic(
      .range, "the number of an effect", expected: "one that was created and not destroyed",
      found: "\(number)")
    return nil
  }
  return effect
}

/// Calls `body` with an effect.
/// - Returns: the result, or nil after a failure. The failure is kept.
private func attempt<Result>(
  _ number: Int32, _ body: (PlayedEffect) throws(Diagnostic) -> Result
) -> Result? {
  guard let effect = effect(number) else { return nil }
  do throws(Diagnostic) {
    return try body(effect)
  } catch {
    table.failure = error
    return nil
  }
}

private func bytes(_ start: UnsafePointer<UInt8>?, _ count: Int32) -> [UInt8] {
  guard let start, count > 0 else { return [] }
  return [UInt8](UnsafeBufferPointer(start: start, count: Int(count)))
}

@_cdecl("particles_module_version")
package func particlesVersion() -> Int32 { 1 }

@_cdecl("particles_allocate")
package func particlesAllocate(_ count: Int32) -> UnsafeMutableRawPointer? {
  guard count >= 0 else { return nil }
  return UnsafeMutableRawPointer.allocate(byteCount: max(16, Int(count)), alignment: 16)
}

@_cdecl("particles_release")
package func particlesFree(_ start: UnsafeMutableRawPointer?) { start?.deallocate() }

@_cdecl("particles_create")
package func particlesCreate(
  _ document: UnsafePointer<UInt8>?, _ documentCount: Int32, _ options: UnsafePointer<UInt8>?,
  _ optionCount: Int32
) -> Int32 {
  do throws(Diagnostic) {
    let options = try PlayedEffect.Options(bytes(options, optionCount))
    let effect = try PlayedEffect(bytes(document, documentCount), options)
    let free = table.effects.firstIndex { $0 == nil }
    guard let free else {
      table.effects.append(effect)
      return Int32(table.effects.count)
    }
    table.effects[free] = effect
    return Int32(free + 1)
  } catch {
    table.failure = error
    return 0
  }
}

@_cdecl("particles_destroy")
package func particlesDestroy(_ number: Int32) {
  guard effect(number) != nil else { return }
  table.effects[Int(number) - 1] = nil
}

@_cdecl("particles_image")
package func particlesImage(
  _ number: Int32, _ index: Int32, _ width: Int32, _ height: Int32, _ pixels: UnsafePointer<UInt8>?
) -> Int32 {
  status(
    attempt(number) { effect throws(Diagnostic) in
      guard width > 0, height > 0, let pixels else {
        throw Diagnostic(
          .range, "the size of an image", expected: "more than 0", found: "\(width) × \(height)")
      }
      let (count, isTooLarge) = Int(width).multipliedReportingOverflow(by: Int(height))
      try Limits.untrusted.checkImage(isTooLarge ? .max : count)
      let bitmap = Bitmap(
        width: Int(width), height: Int(height), pixels: bytes(pixels, Int32(count * 4)))
      try effect.setImage(Int(index), bitmap)
    })
}

private func status(_ result: Void?) -> Int32 { result == nil ? -1 : 0 }

@_cdecl("particles_advance")
package func particlesAdvance(
  _ number: Int32, _ seconds: Double, _ x: Double, _ y: Double, _ z: Double
) -> Int32 {
  status(
    attempt(number) { effect throws(Diagnostic) in
      guard seconds >= 0, seconds.isFinite, x.isFinite, y.isFinite, z.isFinite else {
        throw Diagnostic(
          .range, "a step", expected: "seconds of at least 0, and a finite place",
          found: "\(seconds) s")
      }
      effect.advance(by: seconds, to: ParticleSystem.Vector(x, y, z))
    })
}

@_cdecl("particles_restart")
package func particlesRestart(_ number: Int32) -> Int32 {
  status(attempt(number) { effect throws(Diagnostic) in effect.restart() })
}

@_cdecl("particles_seek")
package func particlesSeek(_ number: Int32, _ seconds: Double, _ most: Int32) -> Int32 {
  let isReached = attempt(number) { effect throws(Diagnostic) in
    effect.seek(seconds, most: Int(most))
  }
  return isReached.map { $0 ? 0 : 1 } ?? -1
}

@_cdecl("particles_loop")
package func particlesLoop(_ number: Int32, _ seconds: Double) -> Int32 {
  status(
    attempt(number) { effect throws(Diagnostic) in
      let lengths = SeamlessLoop.lengths
      guard seconds == 0 || lengths.contains(seconds) else {
        throw Diagnostic(
          .range, "a round of a loop",
          expected:
            "0, or seconds of \(lengths.lowerBound) to \(Int(saturating: lengths.upperBound))",
          found: "\(seconds) s")
      }
      effect.repeatSeamlessly(every: seconds)
    })
}

@_cdecl("particles_set")
package func particlesSet(
  _ number: Int32, _ path: UnsafePointer<UInt8>?, _ pathCount: Int32,
  _ json: UnsafePointer<UInt8>?, _ jsonCount: Int32, _ beyond: Int32
) -> Int32 {
  status(
    attempt(number) { effect throws(Diagnostic) in
      let value = try JSONParser.parse(bytes(json, jsonCount), limits: .untrusted)
      let path = String(decoding: bytes(path, pathCount), as: UTF8.self)
      try effect.set(path, to: value, beyond: beyond != 0)
    })
}

@_cdecl("particles_replace")
package func particlesReplace(
  _ number: Int32, _ document: UnsafePointer<UInt8>?, _ count: Int32
) -> Int32 {
  status(
    attempt(number) { effect throws(Diagnostic) in try effect.replace(bytes(document, count)) })
}

@_cdecl("particles_stop")
package func particlesStop(_ number: Int32) -> Int32 {
  status(attempt(number) { effect throws(Diagnostic) in effect.stop() })
}

@_cdecl("particles_time")
package func particlesTime(_ number: Int32) -> Double { effect(number)?.time ?? 0 }

@_cdecl("particles_duration")
package func particlesDuration(_ number: Int32) -> Double { effect(number)?.duration ?? 0 }

@_cdecl("particles_over")
package func particlesOver(_ number: Int32) -> Int32 {
  effect(number).map { $0.loop.length == 0 && $0.simulation.isOver } == true ? 1 : 0
}

@_cdecl("particles_count")
package func particlesCount(_ number: Int32) -> Int32 {
  Int32(clamping: effect(number)?.shown.reduce(0) { $0 + $1.count } ?? 0)
}

@_cdecl("particles_emitters")
package func particlesEmitters(_ number: Int32) -> Int32 {
  Int32(clamping: effect(number)?.system.emitters.count ?? 0)
}

@_cdecl("particles_population")
package func particlesPopulation(_ number: Int32, _ emitter: Int32) -> Int32 {
  guard let effect = effect(number), effect.system.emitters.indices.contains(Int(emitter)) else {
    return 0
  }
  return Int32(clamping: effect.simulation.population(ofEmitter: Int(emitter)).alive)
}

@_cdecl("particles_column")
package func particlesColumn(
  _ number: Int32, _ emitter: Int32, _ column: Int32
) -> UnsafePointer<Float>? {
  guard let effect = effect(number), effect.system.emitters.indices.contains(Int(emitter)) else {
    return nil
  }
  return effect.column(Int(column), ofEmitter: Int(emitter))
}

@_cdecl("particles_view")
package func particlesView(
  _ number: Int32, _ width: Int32, _ height: Int32, _ options: UnsafePointer<UInt8>?,
  _ optionCount: Int32
) -> Int32 {
  status(
    attempt(number) { effect throws(Diagnostic) in
      try effect.view(
        EffectRenderer.Settings(
          width: Int(width), height: Int(height), bytes(options, optionCount)))
    })
}

@_cdecl("particles_compose")
package func particlesCompose(_ number: Int32) -> Int32 {
  let count = attempt(number) { effect throws(Diagnostic) in
    let renderer = try effect.renderer()
    let drawing = renderer.quads(of: effect.shown)
    effect.records.set(drawing, renderer.shownTextures)
    return Int32(clamping: drawing.quads.count)
  }
  return count ?? -1
}

@_cdecl("particles_quads")
package func particlesQuads(_ number: Int32) -> UnsafePointer<UInt32>? {
  effect(number).map { UnsafePointer($0.records.quads.start) }
}

@_cdecl("particles_states")
package func particlesStates(_ number: Int32) -> Int32 {
  Int32(clamping: effect(number)?.records.stateCount ?? 0)
}

@_cdecl("particles_state")
package func particlesState(_ number: Int32) -> UnsafePointer<UInt32>? {
  effect(number).map { UnsafePointer($0.records.states.start) }
}

@_cdecl("particles_textures")
package func particlesTextures(_ number: Int32) -> Int32 {
  Int32(clamping: effect(number)?.records.textureCount ?? 0)
}

@_cdecl("particles_texture")
package func particlesTexture(_ number: Int32) -> UnsafePointer<UInt32>? {
  effect(number).map { UnsafePointer($0.records.textures.start) }
}

@_cdecl("particles_paint")
package func particlesPaint(_ number: Int32) -> UnsafePointer<UInt8>? {
  attempt(number) { effect throws(Diagnostic) in try effect.paint() } ?? nil
}

@_cdecl("particles_report")
package func particlesReport(_ number: Int32, _ kind: Int32) -> Int32 {
  guard let kind = ReportKind(rawValue: kind) else {
    table.failure = Diagnostic(.range, "the kind of a report", found: "\(kind)")
    return -1
  }
  if kind == .failure {
    table.text = (table.failure?.json ?? .null).bytes
    return 0
  }
  return status(
    attempt(number) { effect throws(Diagnostic) in table.text = try effect.report(kind).bytes })
}

@_cdecl("particles_text")
package func particlesText() -> UnsafePointer<UInt8>? {
  table.text.withUnsafeBufferPointer { $0.baseAddress }
}

@_cdecl("particles_text_bytes")
package func particlesTextBytes() -> Int32 { Int32(clamping: table.text.count) }
