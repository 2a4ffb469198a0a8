public import ParticlesCore

/// A command on documents in menus and bars, as a value.
///
///     let action = BrowserAction(
///       "com.example.count", title: "Count Emitters", types: ["org.particles-format.particles"]
///     ) { request in
///       .message("\(request.paths.count) documents")
///     }
public struct BrowserAction: Sendable {
  /// Where an action is offered.
  public struct Availability: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: Int
    /// Creates a set.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// In the menu of an item.
    public static let menu = Availability(rawValue: 1)
    /// In the bar, for the selected items.
    public static let bar = Availability(rawValue: 2)
  }

  /// The identifier, in reverse-DNS form, unique in a browser.
  public var identifier: String
  /// The title in menus.
  public var title: String
  /// Where it is offered; in menu and bar by default.
  public var availability: Availability = [.menu, .bar]
  /// The identifiers of the types of documents that it is for, with their subtypes; empty for all.
  public var types: [String] = []
  /// Whether it takes several items; true by default.
  public var allowsMultiple = true
  /// Whether it changes or makes files, so that a browser that is read-only does not offer it; true by default.
  public var changesFiles = true
  /// The options that it takes, for a sheet: a name and a description each.
  public var options: [(name: String, summary: String)] = []
  /// Does it. Called on a task of its own; cancelling the task cancels the action.
  public var perform: @Sendable (BrowserActionRequest) async throws -> BrowserActionOutcome

  /// Creates an action.
  public init(
    _ identifier: String, title: String, types: [String] = [], allowsMultiple: Bool = true,
    changesFiles: Bool = true,
    perform: @escaping @Sendable (BrowserActionRequest) async throws -> BrowserActionOutcome
  ) {
    (self.identifier, self.title, self.types) = (identifier, title, types)
    (self.allowsMultiple, self.changesFiles) = (allowsMultiple, changesFiles)
    self.perform = perform
  }
}

/// The input of an action.
public struct BrowserActionRequest: Sendable {
  /// The documents, by their files on this machine, in the order of the selection.
  public var paths: [String]
  /// The options, an object.
  public var options: JSONValue
  /// Takes the part that is done, from 0 to 1.
  public var progress: @Sendable (Double) -> Void
}

/// The result of an action.
public struct BrowserActionOutcome: Sendable {
  /// The files that it made.
  public var created: [String] = []
  /// The documents that it changed.
  public var changed: [String] = []
  /// A line for the user.
  public var message: String?
  /// The findings for each document by its path.
  public var reports: [Diagnostic.Report.File] = []
  /// More results, for a sheet; nil for none.
  public var details: JSONValue?

  /// Creates an outcome.
  public init() {}

  /// The outcome as JSON.
  public var json: JSONValue {
    var object: JSONObject = [
      "created": .array(created.map(JSONValue.string)),
      "changed": .array(changed.map(JSONValue.string)),
    ]
    if !reports.isEmpty { object["report"] = Diagnostic.Report(files: reports).json }
    object["message"] = message.map(JSONValue.string)
    object["details"] = details
    return .object(object)
  }

  /// An outcome that is a line for the user.
  public static func message(_ text: String) -> BrowserActionOutcome {
    var outcome = BrowserActionOutcome()
    outcome.message = text
    return outcome
  }
}

/// An action as it is offered for some items.
public struct BrowserOffer: Sendable, Hashable {
  /// The identifier of the action.
  public var identifier: String
  /// Its title.
  public var title: String
  /// Whether it is in the menu of items.
  public var isInMenu: Bool
  /// Whether it is in the bar.
  public var isInBar: Bool
  /// Whether it can be done now.
  public var isEnabled: Bool
  /// Why it cannot be done, in words; nil if it can.
  public var reason: String?

  /// The offer as JSON.
  public var json: JSONValue {
    var object: JSONObject = [
      "id": .string(identifier), "title": .string(title), "menu": .bool(isInMenu),
      "bar": .bool(isInBar), "enabled": .bool(isEnabled),
    ]
    object["reason"] = reason.map(JSONValue.string)
    return .object(object)
  }
}
