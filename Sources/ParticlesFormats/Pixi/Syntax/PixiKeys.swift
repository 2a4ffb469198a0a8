internal import ParticlesCore

/// The spelling of keys in both generations of configurations.
///
/// Rows name a key of a behaviour by `behavior/key`, and its whole configuration by `behavior/`. The data of
/// a shape are those of the behaviours `rect`, `circle` and `polygonalChain`, because the older generation has a
/// key for each of these. All other paths are the same in both generations.
struct PixiKeys: Sendable {
  let isFlat: Bool

  /// The keys of the older generation, in its order. Of several spellings the first is the usual one.
  private static let flat: KeyValuePairs<String, [String]> = [
    "moveSpeed/speed": ["speed"],
    "moveSpeed/minMult": ["speed.minimumSpeedMultiplier", "minimumSpeedMultiplier"],
    "moveAcceleration/accel": ["acceleration"],
    "moveAcceleration/maxSpeed": ["maxSpeed"],
    "movePath/path": ["extraData.path"],
    "rotation/minStart": ["startRotation.min", "angle.min"],
    "rotation/maxStart": ["startRotation.max", "angle.max"],
    "rotation/minSpeed": ["rotationSpeed.min"],
    "rotation/maxSpeed": ["rotationSpeed.max"],
    "rotation/accel": ["rotationAcceleration"],
    "noRotation/": ["noRotation"],
    "spawnShape/type": ["spawnType"],
    "rect/": ["spawnRect"],
    "circle/": ["spawnCircle"],
    "circle/radius": ["spawnCircle.r"],
    "circle/innerRadius": ["spawnCircle.minR"],
    "polygonalChain/": ["spawnPolygon"],
    "spawnBurst/spacing": ["particleSpacing"],
    "spawnBurst/start": ["angleStart"],
    "scale/scale": ["scale"],
    "scale/minMult": ["scale.minimumScaleMultiplier", "minimumScaleMultiplier"],
    "alpha/alpha": ["alpha"],
    "color/color": ["color"],
    "blendMode/blendMode": ["blendMode"],
  ]

  private static let spellings = Dictionary(uniqueKeysWithValues: flat.map { ($0.key, $0.value) })

  /// The spelling of a path: of several, the one that is in the file.
  /// - Returns: nil for a key that the generation does not have.
  func spelling(of path: String, in file: JSONValue?) -> String? {
    guard let slash = path.firstIndex(of: "/") else { return path }
    let (behavior, key) = (path[..<slash], path[path.index(after: slash)...])
    guard isFlat else {
      let isShape = ["rect", "circle", "polygonalChain"].contains(behavior)
      let place = isShape ? "behaviors[spawnShape].config.data" : "behaviors[\(behavior)].config"
      return key.isEmpty ? place : "\(place).\(key)"
    }
    let end = key.firstIndex(of: ".") ?? key.endIndex
    var found = Self.spellings[String(path[..<end])]?.map { $0 + key[end...] }
    if found == nil { found = Self.spellings["\(behavior)/"]?.map { "\($0).\(key)" } }
    return found?.first { file?[$0] != nil } ?? found?.first
  }

  /// The keys of a row in files of the generation.
  func listed(_ paths: [String]) -> [String] {
    var known: Set<String> = []
    let all =
      isFlat
      ? paths.filter { !$0.contains("/") }
        + Self.flat.filter { paths.contains($0.key) }.flatMap(\.value).map(Self.root)
      : paths.compactMap { spelling(of: $0, in: nil) }
    return all.filter { known.insert($0).inserted }
  }

  /// The key that contains another one, except in the data of the program.
  private static func root(of key: String) -> String {
    key.hasPrefix("extraData") ? key : String(key.prefix { $0 != "." })
  }

  /// A file with a configuration for each behaviour, even if that is empty.
  func completed(_ root: JSONValue) -> JSONValue {
    guard !isFlat, case .object(var object) = root else { return root }
    object["behaviors"] = .array(
      (object["behaviors"]?.array ?? []).map { behavior in
        var behavior = behavior.object ?? JSONObject()
        if behavior["config"] == nil { behavior["config"] = .object(JSONObject()) }
        return .object(behavior)
      })
    return .object(object)
  }
}
