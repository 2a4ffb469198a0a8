public import CParticlesInterface
internal import ParticlesCore
internal import ParticlesEffects
internal import ParticlesImages
internal import ParticlesModel
internal import ParticlesRender
internal import ParticlesSimulation

// The functions of `particles.h` that run effects.

/// A running effect behind a handle.
final class SimulationHandle: Handle, HandleKind {
  static var kind: UInt32 { 6 }

  var simulation: Simulation?
  fileprivate var package: EffectPackage?
  fileprivate var limits = Limits.standard
  private var renderer: EffectRenderer?

  /// The simulation of an open handle.
  func running() throws(Failure) -> Simulation {
    guard let simulation else { throw Diagnostic(.misuse, "there is no simulation") }
    return simulation
  }

  /// Draws the particles by the size and the view of the first plan.
  fileprivate func draw(_ plan: EffectAnimation.Plan) throws(Failure) -> Bitmap {
    let (simulation, package) = (try running(), package)
    if renderer == nil, let package {
      var settings = EffectRenderer.Settings(width: plan.width, height: plan.height)
      switch plan.background {
      case .automatic:
        settings.background = simulation.system.preview.background ?? EffectAnimation.darkness
      case .transparent: settings.background = nil
      case .color(let color): settings.background = color
      }
      (settings.scale, settings.samples) = (plan.scale, plan.samples)
      renderer = try EffectRenderer(
        simulation.system,
        textures: EffectTextures.bitmaps(
          of: simulation.system, in: package, limits: limits),
        settings: settings, profile: simulation.profile, limits: limits)
    }
    guard let renderer else { throw Diagnostic(.misuse, "there is no simulation") }
    guard renderer.settings.width == plan.width, renderer.settings.height == plan.height else {
      throw Diagnostic.argument(
        "plan",
        expected: "the size of the first picture, \(renderer.settings.width) x "
          + "\(renderer.settings.height)", found: "\(plan.width) x \(plan.height)")
    }
    return try renderer.draw(simulation)
  }
}

/// See `particles_simulation_new` in `particles.h`.
@_cdecl("particles_simulation_new")
public func newSimulation(
  _ pointer: OpaquePointer?, _ seed: UnsafePointer<UInt64>?, _ engineName: UnsafePointer<CChar>?,
  _ out: PackageOut?
) -> CInt {
  making(out, SimulationHandle.self, from: pointer, EffectHandle.self) {
    effect, handle throws(Failure) in
    let system = try effect.system
    try effect.limits.checkEmitters(system.emitters.count)
    handle.simulation = Simulation(
      system, profile: try engine(engineName), seed: seed?.pointee,
      capacity: effect.limits.particles,
      team: .suited(to: system, capacity: effect.limits.particles))
    (handle.package, handle.limits) = (effect.package, effect.limits)
  }
}

/// See `particles_simulation_close` in `particles.h`.
@_cdecl("particles_simulation_close")
public func closeSimulation(_ pointer: OpaquePointer?) { SimulationHandle.close(pointer) }

/// Seconds after which a long advance looks whether it is cancelled.
private let part = 0.25

/// See `particles_simulation_advance` in `particles.h`.
@_cdecl("particles_simulation_advance")
public func advanceSimulation(_ pointer: OpaquePointer?, _ seconds: Double) -> CInt {
  call(pointer, SimulationHandle.self) { handle throws(Failure) in
    guard seconds >= 0, seconds <= 3600 else {
      throw Diagnostic.argument("seconds", expected: "0 to 3600", found: "\(seconds)")
    }
    let simulation = try handle.running()
    guard seconds > part else { return simulation.advance(by: seconds) }
    try handle.cancellable { () throws(Failure) in
      // In whole steps, so that the particles are equal to the result of a single advance.
      let count = Int(saturating: (seconds / part).rounded(.up))
      for index in 0..<count {
        try handle.checkCancellation()
        let (from, to) = (Double(index) * part, min(Double(index + 1) * part, seconds))
        simulation.advance(by: to - from)
      }
    }
  }
}

/// See `particles_simulation_stop` in `particles.h`.
@_cdecl("particles_simulation_stop")
public func stopSimulation(_ pointer: OpaquePointer?) -> CInt {
  call(pointer, SimulationHandle.self) { handle throws(Failure) in
    try handle.running().stopEmitting()
  }
}

/// Checks the number of an emitter.
private func index(_ emitter: Int64, of simulation: Simulation) throws(Failure) -> Int {
  let count = simulation.system.emitters.count
  guard emitter >= 0, emitter < count else {
    throw Diagnostic.argument("emitter", expected: "0 to \(count - 1)", found: "\(emitter)")
  }
  return Int(emitter)
}

/// See `particles_simulation_describe` in `particles.h`.
@_cdecl("particles_simulation_describe")
public func simulationState(
  _ pointer: OpaquePointer?, _ emitter: Int64,
  _ out: UnsafeMutablePointer<particles_simulation_state>?
) -> CInt {
  call(pointer, SimulationHandle.self) { handle throws(Failure) in
    let simulation = try handle.running()
    let all = simulation.system.emitters.indices
    let first = emitter == -1 ? 0 : try index(emitter, of: simulation)
    let counted = emitter == -1 ? all : first..<first + 1
    try set(out, "out") {
      var state = particles_simulation_state()
      (state.time, state.emitters) = (simulation.time, Int64(all.count))
      for emitter in counted {
        let count = simulation.population(ofEmitter: emitter)
        state.alive += Int64(count.alive)
        state.emitted += Int64(count.emitted)
      }
      return state
    }
  }
}

/// The particles of an emitter at a moment.
final class ColumnsHandle: Handle, HandleKind {
  static var kind: UInt32 { 7 }

  let look = Appearance()

  /// The column with a name. Nil for other names.
  func column(_ name: String) -> AppearanceColumn<Float>? {
    switch name {
    case "x": look.x
    case "y": look.y
    case "z": look.z
    case "velocity_x": look.velocityX
    case "velocity_y": look.velocityY
    case "velocity_z": look.velocityZ
    case "width": look.width
    case "height": look.height
    case "angle": look.angle
    case "red": look.red
    case "green": look.green
    case "blue": look.blue
    case "alpha": look.alpha
    case "intensity": look.intensity
    case "mix": look.mix
    case "age": look.age
    case "life": look.life
    default: nil
    }
  }
}

/// See `particles_simulation_columns` in `particles.h`.
@_cdecl("particles_simulation_columns")
public func simulationColumns(_ pointer: OpaquePointer?, _ emitter: Int64, _ out: PackageOut?)
  -> CInt
{
  giving(out, by: pointer, SimulationHandle.self) { handle throws(Failure) in
    let simulation = try handle.running()
    let columns = ColumnsHandle()
    simulation.appearance(
      ofEmitter: try index(emitter, of: simulation), into: columns.look)
    return columns
  }
}

/// See `particles_columns_get` in `particles.h`.
@_cdecl("particles_columns_get")
public func column(
  _ pointer: OpaquePointer?, _ name: UnsafePointer<CChar>?,
  _ out: UnsafeMutablePointer<UnsafePointer<Float>?>?, _ count: UnsafeMutablePointer<Int64>?
) -> CInt {
  call(pointer, ColumnsHandle.self) { columns throws(Failure) in
    let (out, name) = (try required(out, "numbers"), try text(name, "name"))
    guard let column = columns.column(name) else {
      throw Diagnostic(.absentName, "no column is called '\(name)'")
    }
    out.pointee = column.numbers.isEmpty ? nil : column.numbers.baseAddress
    count?.pointee = Int64(columns.look.count)
  }
}

/// See `particles_columns_ordinals` in `particles.h`.
@_cdecl("particles_columns_ordinals")
public func ordinals(
  _ pointer: OpaquePointer?, _ out: UnsafeMutablePointer<UnsafePointer<UInt64>?>?
) -> CInt {
  call(pointer, ColumnsHandle.self) { columns throws(Failure) in
    let column = columns.look.ordinal
    try required(out, "numbers").pointee =
      column.numbers.isEmpty ? nil : column.numbers.baseAddress
  }
}

/// See `particles_columns_close` in `particles.h`.
@_cdecl("particles_columns_close")
public func closeColumns(_ pointer: OpaquePointer?) { ColumnsHandle.close(pointer) }

/// See `particles_simulation_draw` in `particles.h`.
@_cdecl("particles_simulation_draw")
public func drawSimulation(
  _ pointer: OpaquePointer?, _ plan: UnsafePointer<particles_plan>?,
  _ rgba: UnsafeMutablePointer<UInt8>?, _ stride: Int
) -> CInt {
  drawing(pointer, SimulationHandle.self, plan, rgba, stride) {
    handle, plan, take throws(Failure) in
    try take(handle.draw(plan))
  }
}
