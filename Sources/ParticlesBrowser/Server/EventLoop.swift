// Imported for its library alone. CParticlesLoop declares the functions.
internal import CParticlesEvent
internal import CParticlesLoop
internal import ParticlesCore
internal import ParticlesPlatform

/// Gets the events of a connection of an ``EventLoop``, on its thread. No function may wait.
protocol ConnectionOwning: AnyObject {
  /// Bytes have come.
  func came(_ bytes: UnsafeRawBufferPointer)
  /// All that was to be sent is sent.
  func sent()
  /// The peer sends no more. If `isBroken`, nothing can be sent either.
  func ended(isBroken: Bool)
  /// The time is over.
  func late()
}

/// A thread that waits for connections to a port of 127.0.0.1, for their bytes, and for orders of other threads.
final class EventLoop: Sendable {
  /// The functions that a loop calls, on its thread. They must not wait.
  struct Calls: Sendable {
    /// A program has connected from a port of this machine. No byte was read. Returns the owner, or nil to close it.
    var connected: @Sendable (Stream, _ port: Int) -> (any ConnectionOwning)?
    /// The user wants the program to end. Nil if signals are not caught.
    var interrupted: (@Sendable () -> Void)?
  }

  /// A connection, for the thread of its loop and for any after the end of the loop.
  final class Stream {
    private let connection: OpaquePointer
    /// Retained until the connection is closed.
    fileprivate var owner: (any ConnectionOwning)?

    fileprivate init(_ connection: OpaquePointer) { self.connection = connection }

    fileprivate static func of(_ owner: UnsafeMutableRawPointer) -> Stream {
      Unmanaged<Stream>.fromOpaque(owner).takeUnretainedValue()
    }

    func send(_ bytes: [UInt8]) {
      bytes.withUnsafeBytes { buffer in
        guard let start = buffer.baseAddress else { return }
        particles_connection_send(connection, start, buffer.count)
      }
    }

    /// Whether bytes are waiting to be sent.
    var isSending: Bool { particles_connection_is_sending(connection) != 0 }

    /// Reads, or leaves further bytes with the sender.
    func read(_ isReading: Bool) { particles_connection_read(connection, isReading ? 1 : 0) }

    /// Sets the timeout in seconds. 0 means no timeout.
    func wait(_ seconds: Double) {
      particles_connection_wait(connection, CInt(clamping: Int(saturating: seconds * 1000)))
    }

    /// Tells the peer that all data was sent.
    func finish() { particles_connection_finish(connection) }

    /// Closes the connection. This object must not be used any more.
    func close() {
      particles_connection_close(connection)
      owner = nil
      Unmanaged.passUnretained(self).release()
    }
  }

  private final class Context: Sendable {
    let calls: Calls
    let orders = Lock<[@Sendable () -> Void]>([])

    init(_ calls: Calls) { self.calls = calls }

    static func of(_ context: UnsafeMutableRawPointer) -> Context {
      Unmanaged<Context>.fromOpaque(context).takeUnretainedValue()
    }
  }

  private struct Handle: @unchecked Sendable { var loop: OpaquePointer? }

  private let handle: Lock<Handle>
  private let context: Context

  let port: Int

  /// Binds 127.0.0.1.
  /// - Parameter port: the port, or 0 for a free port.
  /// - Throws: ``ParticlesCore/Rule/fileUnreadable`` if it is in use or not permitted.
  init(port: Int, calls: Calls) throws {
    let context = Context(calls)
    let functions = particles_loop_calls(
      context: Unmanaged.passUnretained(context).toOpaque(),
      connected: { context, connection, port in
        let stream = Stream(connection)
        stream.owner = Context.of(context).calls.connected(stream, Int(port))
        // Released by the stream when it is closed.
        return stream.owner == nil ? nil : Unmanaged.passRetained(stream).toOpaque()
      },
      came: { Stream.of($0).owner?.came(UnsafeRawBufferPointer(start: $1, count: $2)) },
      sent: { Stream.of($0).owner?.sent() },
      ended: { Stream.of($0).owner?.ended(isBroken: $1 != 0) },
      late: { Stream.of($0).owner?.late() },
      woken: { context in
        let orders = Context.of(context).orders.withLock { orders in
          defer { orders = [] }
          return orders
        }
        for order in orders { order() }
      },
      interrupted: { Context.of($0).calls.interrupted?() })
    var failure: CInt = 0
    guard
      let loop = particles_loop_start(
        CInt(port), functions, calls.interrupted == nil ? 0 : 1, &failure)
    else {
      throw Diagnostic(
        .fileUnreadable, at: Location(file: "127.0.0.1:\(port)"),
        "the server cannot use this port: \(String(cString: strerror(failure)).lowercased())",
        hint: "leave out --port, or name another one")
    }
    self.context = context
    self.port = Int(particles_loop_port(loop))
    handle = Lock(Handle(loop: loop))
  }

  /// Runs a closure on the thread of the loop. After the end of the loop, nothing happens.
  func order(_ order: @escaping @Sendable () -> Void) {
    handle.withLock { handle in
      guard let loop = handle.loop else { return }
      let isFirst = context.orders.withLock { orders in
        orders.append(order)
        return orders.count == 1
      }
      if isFirst { particles_loop_wake(loop) }
    }
  }

  /// Ends the thread, and waits for it.
  /// - Parameters:
  ///   - prepare: called on the thread with a function that ends it.
  ///   - finish: called afterwards to close the remaining connections.
  func stop(
    _ prepare: @escaping @Sendable (_ end: @escaping () -> Void) -> Void, finish: () -> Void
  ) {
    let handle = handle.withLock { handle in
      defer { handle.loop = nil }
      return Handle(loop: handle.loop)
    }
    guard let loop = handle.loop else { return }
    context.orders.withLock { orders in
      orders.append {
        guard let loop = handle.loop else { return }
        prepare { particles_loop_end(loop) }
      }
    }
    particles_loop_wake(loop)
    particles_loop_join(loop)
    finish()
    particles_loop_free(loop)
  }
}
