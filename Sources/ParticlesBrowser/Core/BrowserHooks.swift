public import ParticlesCore

/// Functions that an application adds to a browser, or replaces in it. Each has a default, so that a browser needs none.
///
///     var hooks = BrowserHooks()
///     hooks.sharing = { items in items.count == 1 ? [publish] : [] }
///     hooks.willOpen = { item in if item.tags.contains("locked") { throw Locked() } }
///     let browser = try Browser(providers: [provider], hooks: hooks)
public struct BrowserHooks: Sendable {
  /// More ways to share documents than those of the front end, as actions, for the selected items in the order of their
  /// selection; none by default.
  public var sharing: @Sendable ([BrowserItem]) -> [BrowserAction] = { _ in [] }

  /// Called before a document is opened. An error that it throws is the reason why it stays closed. Does nothing by default.
  public var willOpen: @Sendable (BrowserItem) async throws -> Void = { _ in }

  /// Chooses the templates that are offered, and their order; all by default.
  public var templates: @Sendable ([BrowserTemplate]) -> [BrowserTemplate] = { $0 }

  /// The questions that are asked once, in this order; none by default.
  public var questions: [BrowserQuestion] = []

  /// Creates the defaults.
  public init() {}
}

/// A question that a front end asks the user once. The answer is a setting, which can be changed later.
///
///     let question = BrowserQuestion(
///       "place", "Where are new documents kept?", choices: [("cloud", "In the cloud"), ("here", "On this machine")])
public struct BrowserQuestion: Sendable {
  /// The identifier, unique in a browser.
  public var identifier: String
  /// The question, for users.
  public var text: String
  /// The answers: a value that is stored, and its title, for users.
  public var choices: [(value: String, title: String)]

  /// Creates a question.
  public init(_ identifier: String, _ text: String, choices: [(value: String, title: String)]) {
    (self.identifier, self.text, self.choices) = (identifier, text, choices)
  }

  /// The name of the setting with the answer.
  var setting: String { "answer.\(identifier)" }

  /// The question as JSON.
  public var json: JSONValue {
    [
      "id": .string(identifier), "text": .string(text),
      "choices": .array(
        choices.map { ["value": .string($0.value), "title": .string($0.title)] }),
    ]
  }
}

extension Browser {
  /// The answer to a question that was asked; nil if it was not answered yet.
  public func answer(to question: String) -> String? {
    guard let question = hooks.questions.first(where: { $0.identifier == question }) else {
      return nil
    }
    let value = settingValues[question.setting]?.string
    // An answer that is not offered any more is none.
    return question.choices.contains { $0.value == value } ? value : nil
  }

  /// The questions that were not answered yet, in the order in which they are asked.
  public var openQuestions: [BrowserQuestion] {
    hooks.questions.filter { answer(to: $0.identifier) == nil }
  }

  /// Answers a question, also one that was answered before. The answer is kept among the settings.
  /// - Throws: ``ParticlesCore/Rule/range`` for an unknown question or an answer that is not offered; errors of writing.
  public func answer(_ question: String, with value: String) async throws {
    guard let known = hooks.questions.first(where: { $0.identifier == question }) else {
      throw Diagnostic(
        .range, "the question", expected: "the identifier of a question",
        found: "'\(question.excerpt)'")
    }
    guard known.choices.contains(where: { $0.value == value }) else {
      let values = known.choices.map { "'\($0.value)'" }.joined(separator: ", ")
      throw Diagnostic(
        .range, "the answer", expected: "one of \(values)", found: "'\(value.excerpt)'")
    }
    try await set(known.setting, to: .string(value))
  }

  // MARK: Sharing

  /// The ways of ``BrowserHooks/sharing`` to share some items, as they are offered.
  public func sharingOffers(for ids: [BrowserItem.ID]) async -> [BrowserOffer] {
    await services(for: ids).map { offer($0, for: ids) }
  }

  /// Shares items by a service of ``BrowserHooks/sharing``.
  /// - Throws: ``ParticlesCore/Rule/range`` for a service that is not offered; its errors.
  public func share(
    _ service: String, _ ids: [BrowserItem.ID], job: String = ""
  ) async throws -> BrowserActionOutcome {
    let services = await services(for: ids)
    guard let action = services.first(where: { $0.identifier == service }) else {
      let names = services.map(\.identifier).joined(separator: ", ")
      throw Diagnostic(
        .range, "the service", expected: services.isEmpty ? "none: no service is offered" : names,
        found: "'\(service.excerpt)'")
    }
    return try await run(action, on: ids, options: [:], job: job)
  }

  private func services(for ids: [BrowserItem.ID]) async -> [BrowserAction] {
    var items: [BrowserItem] = []
    for id in ids { if let item = try? await item(id) { items.append(item) } }
    return items.count == ids.count ? hooks.sharing(items) : []
  }
}
