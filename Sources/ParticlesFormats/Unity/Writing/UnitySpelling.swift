internal import ParticlesCore
internal import ParticlesPropertyLists

/// The forms that older versions of Unity have for values and keys.
enum UnitySpelling {
  /// The values of a writer in the form of a file.
  static func fitted(_ tree: JSONValue, to source: JSONValue) -> JSONValue {
    guard case .object(var object) = tree, let old = source.object else { return tree }
    renameKeys(of: &object, as: old)
    return .object(
      JSONObject(
        members: object.members.map {
          .init(key: $0.key, value: value($0.value, like: old[$0.key]))
        }))
  }

  private static func value(_ value: JSONValue, like source: JSONValue?) -> JSONValue {
    guard case .object(let object) = value, let source else {
      if case .array(let elements) = value, let old = source?.array, old.count == elements.count {
        return .array(zip(elements, old).map { self.value($0, like: $1) })
      }
      return value
    }
    guard let old = source.object else {
      // Older files have a number where later ones have a curve or an object.
      return source.string == nil ? value : object["scalar"] ?? object["value"] ?? value
    }
    if old["rgba"] != nil, let red = object["r"]?.double {
      let parts = [red] + ["g", "b", "a"].map { object[$0]?.double ?? 1 }
      let bytes = parts.map { min(max(Int(saturating: ($0 * 255).rounded()), 0), 255) }
      let number = bytes.enumerated().reduce(0) { $0 | $1.element << (8 * $1.offset) }
      return ["rgba": .int(Int(number))]
    }
    if object["minMaxState"]?.int == 3, old["serializedVersion"] == nil {
      return shares(object, like: old)
    }
    var fitted = object
    // Constants of the first version have no second number.
    if old["serializedVersion"] == nil, object["minMaxState"] != nil {
      fitted["serializedVersion"] = nil
      fitted["minScalar"] = nil
    }
    return self.fitted(.object(fitted), to: source)
  }

  /// A range of the first version: both numbers are shares of the scalar, the values of the keys of two curves.
  private static func shares(_ range: JSONObject, like old: JSONObject) -> JSONValue {
    let (low, high) = (range["minScalar"]?.double ?? 0, range["scalar"]?.double ?? 0)
    let stated = old["scalar"]?.string?.double ?? 0
    let unit = stated != 0 ? stated : high != 0 ? high : 1
    func curve(_ key: String, _ number: Double) -> JSONValue {
      let count = max(old[key]?["m_Curve"]?.array?.count ?? 0, 1)
      let value: JSONValue = ["value": .real(number / unit)]
      return ["m_Curve": .array(Array(repeating: value, count: min(count, 16)))]
    }
    return [
      "minMaxState": .int(3), "scalar": .real(unit), "maxCurve": curve("maxCurve", high),
      "minCurve": curve("minCurve", low),
    ]
  }

  private static func renameKeys(of object: inout JSONObject, as old: JSONObject) {
    // Emission by time or by distance was one number with a type, bursts were four.
    if object["rateOverTime"] != nil, old["rateOverTime"] == nil, old["rate"] != nil {
      let isByDistance = old["m_Type"]?.string == "1"
      let rate = object[isByDistance ? "rateOverDistance" : "rateOverTime"]
      (object["rateOverTime"], object["rateOverDistance"], object["rate"]) = (nil, nil, rate)
    }
    guard let bursts = object["m_Bursts"]?.array, old["m_Bursts"] == nil, old["cnt0"] != nil else {
      return
    }
    object["m_Bursts"] = nil
    for (index, burst) in bursts.prefix(4).enumerated() {
      let count = burst["countCurve"]
      let most = count?["scalar"]
      object["time\(index)"] = burst["time"]
      object["cntmax\(index)"] = most
      object["cnt\(index)"] = count?["minScalar"] ?? most
    }
  }
}
