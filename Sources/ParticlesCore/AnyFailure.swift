#if hasFeature(Embedded)
  /// The error of functions that may be stopped. In the module for web pages, whose tasks cannot be
  /// cancelled, a ``Diagnostic``.
  public typealias AnyFailure = Diagnostic
#else
  /// The error of functions that may be stopped: a ``Diagnostic``, or `CancellationError` if the task is cancelled.
  public typealias AnyFailure = any Error
#endif
