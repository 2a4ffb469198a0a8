internal import ParticlesCore
internal import ParticlesModel

/// A particle that is emitted in this step.
struct Spawn {
  let ordinal: UInt64
  /// Seconds from its emission to the end of the step.
  let rest: Double
  /// Its number among those emitted at the same time, and how many these are.
  let index: (Int, of: Int)
  /// How far the emission of the period is, 0…1.
  let progress: Double
  /// The place of its activation in `sources`.
  let source: Int
}

extension EmitterState {
  /// Gives a particle its place, if it comes to life.
  /// - Returns: whether it does.
  func add(rest: Double, index: (Int, of: Int), _ activation: Activation) -> Bool {
    // Where particles are emitted first, one that lives no time takes up room until it is moved.
    if !plan.isSurelyLiving, plan.law.order == .motionFirst {
      let draws = Draws(
        random: random, emitter: plan.index, particle: ordinal, period: activation.period,
        progress: activation.progress)
      guard plan.lifetime(draws, index.0) > plan.startAge.sample(draws) else {
        ordinal += 1
        return false
      }
    }
    append(rest: rest, index: index, source(of: activation), progress: activation.progress)
    return true
  }

  /// Gives the next particle its place.
  func append(rest: Double, index: (Int, of: Int), _ source: Int, progress: Double) {
    _ = columns.append(ordinal: ordinal)
    spawned.append(
      Spawn(ordinal: ordinal, rest: rest, index: index, progress: progress, source: source))
    ordinal += 1
    born += 1
  }

  /// The place of an activation in `sources`.
  func source(of activation: Activation) -> Int {
    let moment = (activation.clock, activation.period)
    if let last = lastSource, last == moment { return sources.count - 1 }
    sources.append(activation)
    lastSource = moment
    return sources.count - 1
  }

  /// Samples the numbers of the particles that have a place only.
  func sampleSpawned() {
    guard !spawned.isEmpty else { return }
    let (count, first) = (spawned.count, columns.count - spawned.count)
    let size = max(64, min(1_024, count / (2 * workspaces.threads)))
    let own = thread
    let travel = travel
    let team = count >= 4 * size ? team : nil
    plans.withUnsafeBufferPointer { plans in
      spawned.withUnsafeBufferPointer { spawned in
        sources.withUnsafeBufferPointer { sources in
          WorkerTeam.share((count + size - 1) / size, on: team) { share in
            let plan = plans[max(own, share.thread)]
            while let number = share.next() {
              let start = number * size
              plan.sample(
                SpawnBatch(
                  spawned: UnsafeBufferPointer(
                    rebasing: spawned[start..<min(count, start + size)]),
                  sources: sources, random: random, table: columns.table, first: first + start,
                  travel: travel))
            }
          }
        }
      }
    }
    if !columns.hasDepth {
      columns.hasDepth = (first..<columns.count).contains {
        columns[Fixed.z][$0] != 0 || columns[Fixed.vz][$0] != 0
      }
    }
    if plan.canBeginLater { suspect(first..<columns.count) }
    if plan.isTriggeringOnEmission {
      for index in 0..<count {
        for trigger in plan.emitter.triggers where [.birth, .living].contains(trigger.event) {
          raise(trigger, place: first + index, rest: spawned[index].rest)
        }
      }
    }
    spawned.removeAll(keepingCapacity: true)
    sources.removeAll(keepingCapacity: true)
    lastSource = nil
  }
}
