/// Runs work that takes long beside the tasks of Swift, of which there are as few as processors. The cancellation of the
/// task that waits for it stops it, where it looks.
package actor Workbench {
  private let queue = FileQueue()

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    queue.asUnownedSerialExecutor()
  }

  package init() {}

  package func run<Value: Sendable>(_ body: @Sendable () throws -> Value) throws -> Value {
    try body()
  }
}
