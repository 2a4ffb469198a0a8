/// Runs work that takes long beside the tasks of Swift, of which there are as few as processors. The cancellation of the
/// task that waits for it stops it, where it looks.
package actor Workbench {
  private let queue: FileQueue

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    queue.asUnownedSerialExecutor()
  }

  /// - Parameter places: the places that its work does not leave; nil if it is not bound.
  package init(within places: Places? = nil) { queue = FileQueue(within: places) }

  package func run<Value: Sendable>(_ body: @Sendable () throws -> Value) throws -> Value {
    try body()
  }
}
