#if hasFeature(Embedded)
  /// The error of functions that may be stopped. In the module for web pages, whose tasks cannot be
  /// cancelled, a ``Diagnostic``.
  public typealias DiagnosticOrCancellation = Diagnostic
#else
  /// The error of functions that may be stopped: a ``Diagnostic``, or `CancellationError` if the task is cancelled.
  public typealias DiagnosticOrCancellation = any Error
#endif
