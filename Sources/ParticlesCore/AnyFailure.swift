#if hasFeature(Embedded)
  /// What functions throw that may be stopped: in the module for web pages, which has no tasks to cancel, a
  /// ``Diagnostic``.
  public typealias AnyFailure = Diagnostic
#else
  /// What functions throw that may be stopped: a ``Diagnostic``, or `CancellationError` if the task is cancelled.
  public typealias AnyFailure = any Error
#endif
