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

/// Particles that are emitted one after another in a step, each at its own moment.
struct SpawnSeries {
  let count: Int
  /// The ordinal of the first one.
  let ordinal: UInt64
  /// The place of their activation in `sources`.
  let source: Int
  /// The activation, whose progress is that of the start.
  let activation: Activation
  /// The start and the end of the step on its clock, and whether all begin at the start.
  let (start, step, isFrame): (Double, Double, Bool)
  /// The account of the emission: where it begins, the particles that it has counted already or leaves out, and how
  /// many it counts for each.
  let (from, account, skipped, stride, rate): (Double, Double, Double, Double, Double)
  /// The share of the period in which all are emitted.
  let factor: Double

  /// When a particle is emitted, on the clock of the activation.
  /// - Parameter number: from 1.
  func moment(_ number: Int) -> Double {
    let plain = from + (skipped + Double(number) * stride - account) / rate
    return activation.start + plain * factor
  }

  /// - Parameter index: from 0.
  subscript(index: Int) -> Spawn {
    let moment = moment(index + 1)
    return Spawn(
      ordinal: ordinal &+ UInt64(index), rest: isFrame ? step - start : max(0, step - moment),
      index: (0, of: 1), progress: activation.progress(at: moment), source: source)
  }
}

extension EmitterState {
  /// Gives the particles of a series their places.
  func append(_ series: SpawnSeries) {
    settleSeries()
    columns.append(series.count, from: series.ordinal, on: teamForMoving(columns.count))
    ordinal += UInt64(series.count)
    born += series.count
    self.series = series
  }

  /// Adds the particles of a series to `spawned`, before others that follow them.
  private func settleSeries() {
    guard let last = series else { return }
    series = nil
    for index in 0..<last.count { spawned.append(last[index]) }
  }

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
    settleSeries()
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
    if !spawned.isEmpty { settleSeries() }
    let count = series?.count ?? spawned.count
    guard count > 0 else { return }
    let first = columns.count - count
    let series = series
    let size = max(64, min(1_024, count / (2 * workspaces.threads)))
    let own = thread
    let travel = travel
    let team = count >= 4 * size ? team : nil
    plans.withUnsafeBufferPointer { plans in
      spawned.withUnsafeBufferPointer { spawned in
        sources.withUnsafeBufferPointer { sources in
          WorkerTeam.share((count + size - 1) / size, on: team) { share in
            let plan = plans[max(own, share.thread)]
            func sample(_ part: UnsafeBufferPointer<Spawn>, from start: Int) {
              plan.sample(
                SpawnBatch(
                  spawned: part, sources: sources, random: random, table: columns.table,
                  first: first + start, travel: travel))
            }
            while let number = share.next() {
              let places = number * size..<min(count, (number + 1) * size)
              guard let series else {
                sample(UnsafeBufferPointer(rebasing: spawned[places]), from: places.lowerBound)
                continue
              }
              withUnsafeTemporaryAllocation(of: Spawn.self, capacity: places.count) { part in
                for index in places {
                  part.initializeElement(at: index - places.lowerBound, to: series[index])
                }
                sample(UnsafeBufferPointer(part), from: places.lowerBound)
              }
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
          raise(trigger, place: first + index, rest: (series?[index] ?? spawned[index]).rest)
        }
      }
    }
    spawned.removeAll(keepingCapacity: true)
    self.series = nil
    sources.removeAll(keepingCapacity: true)
    lastSource = nil
  }
}
