#if canImport(Observation)
  public import Observation
  public import ParticlesDocuments
  public import ParticlesEffects

  /// The state of a ``ParticlesDocuments/Document`` for user interfaces: a copy on the main actor that
  /// Swift's Observation watches.
  ///
  ///     let model = ObservableDocument(document)
  ///     await model.follow()
  @MainActor @Observable
  public final class ObservableDocument<Content: DocumentContent> {
    /// The document.
    public let document: Document<Content>

    /// The contents. Nil while the document is closed.
    public private(set) var content: Content?

    /// The states of the document.
    public private(set) var states = DocumentStates.closed

    /// The name of the next edit to undo, or nil.
    public private(set) var undoName: String?

    /// The name of the next edit to redo, or nil.
    public private(set) var redoName: String?

    /// The path of the document, or nil.
    public private(set) var path: String?

    /// The progress of reading or writing, from 0 to 1.
    public private(set) var progress = 0.0

    /// The error of the last automatic save. Nil if it succeeded.
    public private(set) var failure: (any Error)?

    /// The next attempt to save automatically after failures. Nil if the last save succeeded.
    public private(set) var retry: AutosaveRetry?

    /// Creates the state of a document.
    public init(_ document: Document<Content>) {
      self.document = document
      path = document.path
    }

    @ObservationIgnored private var following: Task<Void, Never>?

    /// Begins to follow the document, and returns when its present state is shown. Following ends with
    /// ``unfollow()``, when the document is closed, and with this object, which it does not keep alive.
    public func follow() async {
      following?.cancel()
      let events = await document.events()
      following = Task { [weak self] in
        for await event in events {
          guard let self, !Task.isCancelled else { return }
          await self.handle(event)
        }
      }
      await update()
    }

    /// Ends following the document.
    public func unfollow() {
      following?.cancel()
      following = nil
    }

    private func handle(_ event: DocumentEvent) async {
      switch event {
      case .progress(let now): progress = now.fraction
      case .failed(let error): failure = error
      case .saved: failure = nil
      default: break
      }
      await update()
    }

    private func update() async {
      let now = await document.present
      (states, content) = (now.states, now.content)
      (undoName, redoName) = (now.undoName, now.redoName)
      retry = now.retry
      path = document.path
    }
  }
#endif
