internal import ParticlesCore

/// A text file that an effect is read from: the scene itself, or one that it refers to.
struct GodotFile {
  let text: GodotText
  /// Its path in the project, such as `res://fire.tres`; nil for the scene itself, whose path is not known.
  let path: String?
  /// The number of its first section. Sections are counted through all files.
  let first: Int
  /// The index of the file that referred to it first; nil for the scene itself.
  let above: Int?
  /// The sections of the resources in it, and of those in other files, by their identifiers.
  private(set) var subResources: [String: Int] = [:]
  private(set) var externals: [String: Int] = [:]
  /// The section of the resource that it is; nil for a scene.
  private(set) var resource: Int?

  init(_ text: GodotText, path: String? = nil, first: Int = 0, above: Int? = nil) {
    (self.text, self.path, self.first, self.above) = (text, path, first, above)
    for (index, section) in text.sections.enumerated() {
      switch section.tag {
      case "sub_resource": if let id = section.id { subResources[id] = first + index }
      case "ext_resource": if let id = section.id { externals[id] = first + index }
      case "resource": resource = first + index
      default: break
      }
    }
  }

  /// The path that another one, of a file beside this one, is in the project. One that leaves the project stays as it is,
  /// and is found nowhere.
  func absolute(_ other: String) -> String {
    guard !other.contains("://"), !other.hasPrefix("/"), let path, path.hasPrefix("res://") else {
      return other
    }
    var steps = path.dropFirst("res://".count).split(separator: "/").dropLast().map(String.init)
    for step in other.split(separator: "/", omittingEmptySubsequences: false) {
      switch step {
      case ".": continue
      case "..":
        guard steps.popLast() != nil else { return "res://" + other }
      default: steps.append(String(step))
      }
    }
    return "res://" + steps.joined(separator: "/")
  }

  /// Whether a path is that of a resource, not of an image.
  static func isResource(_ path: String) -> Bool {
    let endings = [".tres", ".res", ".material", ".mesh"]
    let path = path.lowercased()
    return endings.contains { path.hasSuffix($0) }
  }
}

/// Why a resource in another file is not read.
struct GodotFileFault: Error {
  /// The fault of the file, as the end of a sentence: "is not found".
  let reason: String
  let hint: String
  /// Whether there is no such file.
  var isMissing = false

  static let missing = GodotFileFault(
    reason: "is not found",
    hint: "open the scene where it is in its project, or make the resource unique in Godot",
    isMissing: true)

  static func cycle(_ paths: [String]) -> GodotFileFault {
    GodotFileFault(
      reason: "refers to itself: \(paths.map(\.excerpt).joined(separator: ", then "))",
      hint: "remove one of the references")
  }

  static let binary = GodotFileFault(
    reason: "is binary", hint: "save it as text in Godot: .tscn for a scene, .tres for a resource")
}
