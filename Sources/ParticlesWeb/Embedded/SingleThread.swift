// In place of threads, locks and the budget of an operation, in the module for web pages: there is one
// thread, and a page bounds the work by limits on particles and steps.

/// A team of one; see the file of this name of the native build.
public final class WorkerTeam: Sendable {
  /// One.
  public var threads: Int { 1 }

  /// Creates a team.
  public init(threads: Int? = nil) {}

  package static func share(
    _ count: Int, on team: WorkerTeam?, leavingLast: Bool = false,
    _ work: (inout WorkShare) -> Void
  ) {
    var share = WorkShare(count: count)
    work(&share)
  }

  package static func run(
    _ count: Int, on team: WorkerTeam?, _ work: (_ piece: Int, _ thread: Int) -> Void
  ) {
    for piece in 0..<count { work(piece, 0) }
  }
}

/// All pieces of a work.
package struct WorkShare {
  package let thread = 0
  private var rest: Range<Int>

  init(count: Int) { rest = 0..<count }

  package mutating func next() -> Int? {
    guard let piece = rest.first else { return nil }
    rest = piece + 1..<rest.upperBound
    return piece
  }
}

package enum Parallel {
  package static let defaultThreads = 1

  package static func forEach<State>(
    _ count: Int, threads: Int? = nil, state: () -> State,
    work: (Int, inout State) throws(Diagnostic) -> Void
  ) throws(Diagnostic) {
    var own = state()
    for index in 0..<count { try work(index, &own) }
  }
}

/// A value that one thread uses.
package final class Lock<Value>: @unchecked Sendable {
  private var value: Value

  package init(_ value: Value) { self.value = value }

  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(&value)
  }
}

package enum WorkBudget {
  package static let valuesOfPayment = 1024

  package static func spend(
    onValues valuesOfStep: Int, memory: Int, at location: @autoclosure () -> Diagnostic.Location
  ) throws(Diagnostic) {}

  package static func spend(
    work: Int, memory: Int = 0, on what: @autoclosure () -> String,
    at location: @autoclosure () -> Diagnostic.Location = .unknown
  ) throws(Diagnostic) {}

  package static func spend(particleSteps count: Int) throws(Diagnostic) {}

  package static func spend(paintedSamples count: Int) throws(Diagnostic) {}

  package static var left: Int? { nil }
}
