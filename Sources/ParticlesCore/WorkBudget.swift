/// The work and the memory that one operation on untrusted input may take in all its parts: reading a
/// file, checking it, converting it, drawing a thumbnail.
///
/// Work is counted in steps, not timed, so that an input ends with equal results on every machine. A step
/// takes about a microsecond: reading a few values, or one property of an emitter, simulating a hundred
/// particles, painting two hundred pixels. Parts whose work grows with the number of values, bytes or
/// emitters pay before they begin. Paying throws if the task is cancelled.
///
/// An operation that is part of another shares its budget. The memory of a part is paid back at its end.
package final class WorkBudget: Sendable {
  private struct Spent {
    var work = 0
    var memory = 0
    /// Steps in addition to the limits.
    var granted = 0
  }

  private let limits: Limits
  private let spent = Lock(Spent())

  /// The next step if a limit is exceeded, or nil for the hint of the rule.
  private let hint: String?

  init(_ limits: Limits, hint: String? = nil) { (self.limits, self.hint) = (limits, hint) }

  /// The budget of the present operation, or, outside of one, a new one for an operation of several parts.
  /// - Parameter hint: what helps if a limit is exceeded, such as an option.
  package static func shared(_ limits: Limits, hint: String) -> WorkBudget {
    current ?? WorkBudget(limits, hint: hint)
  }

  /// Allows more steps, for pictures that have bounds of their own. A part of another operation has no more than
  /// that.
  package func grant(work: Int) {
    guard hint != nil else { return }
    spent.withLock { $0.granted = Self.sum($0.granted, work) }
  }

  /// Runs an operation within ``Limits/work`` and ``Limits/memory``. A part of another operation
  /// runs within the rest of that operation's budget.
  ///
  /// An operation that fails in a cancelled task throws `CancellationError`, because parsers that throw
  /// diagnostics only cannot throw it.
  package static func run<Value>(
    _ limits: Limits, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard let current else { return try WorkBudget(limits).run(body) }
    let before = memory
    defer { current.payBack(to: before) }
    return try body()
  }

  /// Pays back the memory of a part.
  /// - Parameter before: the bytes that were held before it.
  private func payBack(to before: Int) { spent.withLock { $0.memory = before } }

  /// Pays for a part of the operation that is about to begin. Outside of an operation nothing is counted.
  /// - Parameters:
  ///   - work: steps of about a microsecond.
  ///   - memory: the bytes that the part holds, estimated.
  ///   - what: the part, for the message: "emitters that are read".
  /// - Throws: a ``Diagnostic`` of ``Rule/limit`` that names the limit, or `CancellationError` if the
  ///   current task is cancelled.
  package static func spend(
    work: Int, memory: Int = 0, on what: @autoclosure () -> String,
    at location: @autoclosure () -> Diagnostic.Location = .unknown
  ) throws(Failure) {
    try checkCancellation()
    try pay(work, memory, what, location)
  }

  /// How many values a parser reads between two payments.
  package static let valuesOfPayment = 1024

  /// Pays for ``valuesOfPayment`` values that a parser is about to read.
  /// - Parameters:
  ///   - work: how many values take a step.
  ///   - memory: the bytes of a value in memory.
  /// - Throws: a ``Diagnostic`` of ``Rule/limit`` that names the limit, or states that the current task is
  ///   cancelled. See ``run(_:_:)``.
  package static func spend(
    onValues valuesOfStep: Int, memory: Int, at location: @autoclosure () -> Diagnostic.Location
  ) throws(Diagnostic) {
    try spendReading(
      work: valuesOfPayment / valuesOfStep, memory: valuesOfPayment * memory,
      on: "the values of a file", at: location())
  }

  /// Pays as ``spend(work:memory:on:at:)`` does, for parsers.
  /// - Throws: a ``Diagnostic`` of ``Rule/limit`` that names the limit, or states that the current task is
  ///   cancelled. See ``run(_:_:)``.
  package static func spendReading(
    work: Int, memory: Int, on what: @autoclosure () -> String,
    at location: @autoclosure () -> Diagnostic.Location
  ) throws(Diagnostic) {
    if isCancelled {
      throw Diagnostic(.limit, at: location(), "reading is stopped, because its task is cancelled")
    }
    try pay(work, memory, what, location)
  }

  /// How many particle steps take a step, and how many painted samples.
  package static let (particlesOfStep, samplesOfStep) = (160, 200)

  /// Pays for particles that were simulated.
  package static func spend(particleSteps count: Int) throws(Failure) {
    try spend(work: count / particlesOfStep, on: "the particles that are simulated")
  }

  /// Pays for samples that particles are about to paint.
  package static func spend(paintedSamples count: Int) throws(Failure) {
    try spend(work: count / samplesOfStep, on: "the particles that are painted")
  }

  private static func pay(
    _ work: Int, _ memory: Int, _ what: () -> String, _ location: () -> Diagnostic.Location
  ) throws(Diagnostic) {
    guard let current else { return }
    let limits = current.limits
    let spent = current.spent.withLock { spent in
      spent.work = sum(spent.work, work)
      spent.memory = sum(spent.memory, memory)
      return spent
    }
    let allowed = sum(limits.work, spent.granted)
    if spent.work > allowed {
      throw current.excess(
        spent.work, over: allowed, "steps of work, with those for \(what()) (limit 'work')",
        location())
    }
    if spent.memory > limits.memory {
      throw current.excess(
        spent.memory, over: limits.memory,
        "bytes of memory, with those for \(what()) (limit 'memory')", location())
    }
  }

  private func excess(
    _ value: Int, over limit: Int, _ what: String, _ location: Diagnostic.Location
  ) -> Diagnostic {
    var fault = Limits.excess(value, over: limit, what, location)
    if let hint { fault.hint = hint }
    return fault
  }

  /// The steps that the current operation may still take, or nil outside of an operation.
  package static var left: Int? {
    current.map { current in
      current.spent.withLock { max(0, sum(current.limits.work, $0.granted) - $0.work) }
    }
  }

  /// The steps that the current operation has taken so far, or 0 outside of an operation.
  package static var work: Int { current?.spent.withLock { $0.work } ?? 0 }

  /// The bytes that the current operation holds, or 0 outside of an operation.
  package static var memory: Int { current?.spent.withLock { $0.memory } ?? 0 }

  private static func sum(_ a: Int, _ b: Int) -> Int {
    let (sum, isTooMuch) = a.addingReportingOverflow(max(0, b))
    return isTooMuch ? .max : sum
  }
}
