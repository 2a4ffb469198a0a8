internal import ParticlesCore

/// A line of the table: our result beside that of one peer, or beside a goal only.
struct Line {
  let operation: Operation
  let shape: Shape
  let ours: Achievement
  let peer: Achievement?
  let goal: Goal?

  /// One line for each peer, and one more where a goal needs none.
  static func lines(of result: Contest.Result) -> [Line] {
    let (operation, shape) = (result.operation, result.shape)
    var lines = result.peers.map { peer in
      Line(
        operation: operation, shape: shape, ours: result.ours, peer: peer,
        goal: Goal.find(operation, shape, peer: peer.label))
    }
    let alone = Goal.find(operation, shape, peer: nil)
    if alone != nil || lines.isEmpty {
      lines.append(
        Line(operation: operation, shape: shape, ours: result.ours, peer: nil, goal: alone))
    }
    return lines
  }

  /// The sort key: shape, then operation; peers keep their order.
  var place: Int {
    let shapes = Shape.allCases.firstIndex(of: shape) ?? 0
    return shapes * Operation.allCases.count + (Operation.allCases.firstIndex(of: operation) ?? 0)
  }

  /// Our speed relative to the peer, per item where a run handles several.
  var ratio: Double? { peer.map { $0.each / ours.each } }

  /// The size of our package relative to that of the peer.
  var sizeRatio: Double? {
    guard let size = ours.size, let other = peer?.size, other > 0 else { return nil }
    return Double(size) / Double(other)
  }

  /// Whether the goal is reached; nil if there is none.
  var isMet: Bool? {
    goal?.isMet(ours: ours.each, theirs: peer?.each, sizeRatio: sizeRatio)
  }

  static let header = [
    "operation", "shape", "ours", "CPU", "memory", "peer", "", "ratio", "size", "pictures", "goal",
    "",
  ]

  var cells: [String] {
    [
      operation.rawValue, shape.rawValue, ours.time,
      Text.time(ours.sample.processor), ours.sample.memory.map(Text.memory) ?? "",
      peer?.label ?? "", peer.map(\.time) ?? "",
      ratio.map { "\(Text.significant($0))×" } ?? "",
      sizeRatio.map { Decimal.fixed($0, 3) } ?? "", pictures, goal?.text ?? "",
      isMet.map { $0 ? "met" : "MISSED" } ?? "",
    ]
  }

  /// Size and quality of our pictures and those of the peer.
  private var pictures: String {
    [ours, peer].compactMap { $0?.picture }.joined(separator: " : ")
  }

  var json: JSONValue {
    var object: JSONObject = [
      "operation": .string(operation.rawValue), "shape": .string(shape.rawValue),
      "ours": ours.json,
    ]
    object["peer"] = peer?.json
    object["ratio"] = ratio.map(JSONValue.double)
    object["sizeRatio"] = sizeRatio.map(JSONValue.double)
    object["goal"] = (goal?.text).map(JSONValue.string)
    object["met"] = isMet.map(JSONValue.bool)
    return .object(object)
  }
}

extension Achievement {
  /// The time of a run; of one item where a run handles several.
  var time: String { Text.time(each) + (count > 1 ? " each" : "") }

  /// Size and quality of its pictures, if there are any.
  var picture: String? {
    guard let quality, let size else { return nil }
    return "\(Text.bytes(size)) \(Decimal.fixed(quality, 1)) dB"
  }

  var json: JSONValue {
    var object: JSONObject = [
      "name": .string(label), "seconds": .double(sample.wall),
      "processorSeconds": .double(sample.processor),
    ]
    object["peakMemory"] = sample.memory.map(JSONValue.int)
    if count > 1 { object["count"] = .int(count) }
    object["bytes"] = size.map(JSONValue.int)
    object["decibels"] = quality.map(JSONValue.double)
    return .object(object)
  }
}
