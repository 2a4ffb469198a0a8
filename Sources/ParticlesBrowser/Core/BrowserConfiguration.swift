public import ParticlesCore
package import ParticlesDocuments
internal import ParticlesModel

/// The features and the looks of a browser: a value, with a JSON form.
///
///     var configuration = BrowserConfiguration()
///     configuration.allowedTypes = ["org.particles-format.particles"]
///     configuration.allowsMultiple = false
public struct BrowserConfiguration: Sendable, Hashable {
  /// The colours of the pages.
  public enum Style: String, Sendable, CaseIterable {
    /// As the system.
    case automatic
    /// Dark text on a light background.
    case light
    /// Light text on a dark background.
    case dark
    /// Dark text on white.
    case white
  }

  /// The display of items that cannot be opened.
  public enum Others: String, Sendable, CaseIterable {
    /// They are shown, and cannot be selected.
    case dimmed
    /// They are left out.
    case hidden
  }

  /// The identifiers of the types that can be opened, with their subtypes; empty, the default, for effects
  /// of all formats and plain texts.
  public var allowedTypes: [String] = []

  /// The filename extensions that can be opened, besides ``allowedTypes``. If there are no types, only these.
  public var allowedExtensions: [String] = []

  /// Whether documents can be created; true by default.
  public var allowsCreation = true

  /// Whether several items can be selected; true by default. If not, the last one that is selected stays.
  public var allowsMultiple = true

  /// Whether nothing is changed: documents are viewed, and operations are refused; false by default.
  public var isReadOnly = false

  /// The display of items that cannot be opened; dimmed by default.
  public var others = Others.dimmed

  /// Whether names are shown with their extensions; true by default.
  public var showsExtensions = true

  /// Whether hidden files and folders are listed; false by default.
  public var showsHidden = false

  /// Whether opened documents are noted as recent ones; true by default.
  public var keepsRecents = true

  /// When documents are saved by themselves; programs that are measured save by their clock otherwise.
  package var autosave = DocumentConfiguration().autosave

  /// The colours.
  public var style = Style.automatic

  /// The colour of controls: a name of CSS such as `orange`, or `#RRGGBB`; nil for that of the system.
  public var tint: String?

  /// The title of the command that creates a document; nil for that of the front end.
  public var creationTitle: String?

  /// Creates the default configuration.
  public init() {}
}

extension BrowserConfiguration {
  /// The configuration as JSON.
  public var json: JSONValue {
    var object: JSONObject = [
      "allowedTypes": .array(allowedTypes.map(JSONValue.string)),
      "allowedExtensions": .array(allowedExtensions.map(JSONValue.string)),
      "allowsCreation": .bool(allowsCreation), "allowsMultiple": .bool(allowsMultiple),
      "readOnly": .bool(isReadOnly), "others": .string(others.rawValue),
      "showsExtensions": .bool(showsExtensions), "showsHidden": .bool(showsHidden),
      "keepsRecents": .bool(keepsRecents), "style": .string(style.rawValue),
    ]
    object["tint"] = tint.map(JSONValue.string)
    object["creationTitle"] = creationTitle.map(JSONValue.string)
    return .object(object)
  }

  /// Reads a configuration. Members that are missing have their defaults.
  /// - Throws: ``ParticlesCore/Rule/type`` or ``ParticlesCore/Rule/range`` for a member with another value, or
  ///   ``ParticlesCore/Rule/unknownKey`` for one of another name.
  public init(json: JSONValue) throws {
    self.init()
    let members = JSONMembers(json)
    try members.check(
      known: [
        "allowedTypes", "allowedExtensions", "allowsCreation", "allowsMultiple", "readOnly",
        "others",
        "showsExtensions", "showsHidden", "keepsRecents", "style", "tint", "creationTitle",
      ])
    allowedTypes = try members.strings("allowedTypes") ?? []
    allowedExtensions = try members.strings("allowedExtensions") ?? []
    allowsCreation = try members.bool("allowsCreation") ?? true
    allowsMultiple = try members.bool("allowsMultiple") ?? true
    isReadOnly = try members.bool("readOnly") ?? false
    others = try members.choice("others") ?? .dimmed
    showsExtensions = try members.bool("showsExtensions") ?? true
    showsHidden = try members.bool("showsHidden") ?? false
    keepsRecents = try members.bool("keepsRecents") ?? true
    style = try members.choice("style") ?? .automatic
    creationTitle = try members.string("creationTitle")
    tint = try members.string("tint")
    if let tint { try Self.check(tint: tint) }
  }

  /// Throws unless a tint is a colour.
  static func check(tint: String) throws(Diagnostic) {
    guard ParticleSystem.Color(text: tint) == nil else { return }
    throw Diagnostic(
      .range, at: .key("tint"), expected: "a colour: a name of CSS, or #RRGGBB",
      found: "'\(tint)'")
  }

  /// Whether listings have an item.
  func shows(_ item: BrowserItem) -> Bool {
    (showsHidden || !item.name.hasPrefix(".")) && (others == .dimmed || item.isSelectable)
  }
}
