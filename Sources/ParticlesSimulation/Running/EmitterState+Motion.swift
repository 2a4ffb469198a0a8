internal import ParticlesCore
internal import ParticlesModel

extension EmitterState {
  /// The time that a step gives to particles.
  enum StepTime {
    /// The same to all.
    case whole(Float)
    /// To each what is in the column `rest`.
    case rest
  }

  /// Fewer particles than this are not worth several threads.
  static let leastShared = 4 * Chunk.size

  /// The chunks of the particles from one on.
  func chunks(from first: Int) -> Chunk.Division {
    let places = first..<columns.count
    let threads = places.count >= Self.leastShared ? team?.threads ?? 1 : 1
    return Chunk.Division(places, of: columns, threads: threads)
  }

  /// Runs `body` for chunks, on several threads if there are many particles.
  /// - Parameter body: gets the plan of the thread and the number of the chunk, too.
  func forEach(
    _ chunks: Chunk.Division, progress: Double,
    _ body: (EmitterPlan, Chunk, _ number: Int) -> Void
  ) {
    let (table, own) = (columns.table, thread)
    let team = chunks.places.count >= Self.leastShared ? team : nil
    plans.withUnsafeBufferPointer { plans in
      WorkerTeam.share(chunks.count, on: team, leavingLast: true) { share in
        // A thread that steps an emitter of its own is alone here.
        let thread = max(own, share.thread)
        let (plan, scratch) = (plans[thread], workspaces[thread])
        while let number = share.next() {
          body(
            plan, Chunk(chunks[number], of: table, progress: progress, scratch: scratch), number)
        }
      }
    }
  }

  /// Moves particles by a step, in the order of the specification: age, forces, drag, speed, orbit
  /// velocity, place.
  /// - Parameter ageTime: what ages grow by, where that is not the time of the step.
  func move(
    from first: Int, time: StepTime, ageTime: Float? = nil, clock: Double, progress: Double
  ) {
    let count = columns.count
    guard first < count else { return }
    let chunks = chunks(from: first)
    let dead = deadPlaces(count)
    withUnsafeTemporaryAllocation(of: Int.self, capacity: chunks.count) { found in
      found.initialize(repeating: 0)
      forEach(chunks, progress: progress) { plan, chunk, number in
        if plan.move(chunk, time: time, ageTime: ageTime, clock: clock) {
          found[number] = chunk.age.dead(
            life: chunk.life, first: chunk.first, into: dead + chunk.first)
        }
      }
      // Each chunk has noted its own behind its first place.
      var total = 0
      for number in 0..<chunks.count where found[number] > 0 {
        (dead + total).update(from: dead + chunks[number].lowerBound, count: found[number])
        total += found[number]
      }
      guard total > 0 else { return }
      if suspects.isEmpty, first == 0 {
        suspects = 0..<count
        knownDead = total
      } else {
        suspect(dead[0]..<dead[total - 1] + 1)
      }
    }
  }

  /// Notes that there may be dead particles in a range.
  func suspect(_ places: Range<Int>) {
    knownDead = nil
    suspects =
      suspects.isEmpty
      ? places
      : min(suspects.lowerBound, places.lowerBound)..<max(suspects.upperBound, places.upperBound)
  }

  /// Runs `body` with the places of particles that have reached their lifetime, if there are any. The
  /// places are kept until particles are moved again.
  func withDead(_ body: (UnsafeBufferPointer<Int>) -> Void) {
    let range = suspects.clamped(to: 0..<columns.count)
    let places = deadPlaces(columns.count)
    let known = knownDead
    (suspects, knownDead) = (0..<0, nil)
    guard !range.isEmpty else { return }
    var dead = known ?? 0
    if known == nil {
      let age = Slice(base: columns[Fixed.age] + range.lowerBound, count: range.count)
      let life = Slice(base: columns[Fixed.life] + range.lowerBound, count: range.count)
      dead = age.dead(life: life, first: range.lowerBound, into: places)
    }
    if plan.law.death == .pastLifetime || plan.law.death == .nextStep {
      dead = keep(dead, of: places) { columns[Fixed.age][$0] > columns[Fixed.life][$0] }
    }
    if dead > 0 { body(UnsafeBufferPointer(start: places, count: dead)) }
  }

  /// Room for the places of so many dead particles, and one more.
  private func deadPlaces(_ count: Int) -> UnsafeMutablePointer<Int> {
    if count >= deadCapacity {
      knownDead = nil
      freeColumns(deadMemory)
      deadCapacity = 2 * count + Chunk.size
      deadMemory = allocateColumns(bytes: deadCapacity * MemoryLayout<Int>.stride)
    }
    return deadMemory.assumingMemoryBound(to: Int.self)
  }

  /// Moves the places that fulfil a condition to the front.
  /// - Returns: their number.
  private func keep(
    _ count: Int, of places: UnsafeMutablePointer<Int>, where isKept: (Int) -> Bool
  ) -> Int {
    var kept = 0
    for index in 0..<count where isKept(places[index]) {
      places[kept] = places[index]
      kept += 1
    }
    return kept
  }
}
