internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesRender
internal import ParticlesSimulation

// Answers about an effect, as JSON.

/// The kinds of reports; see `Spec/player.md`.
enum ReportKind: Int32 {
  case failure = 0
  case diagnostics, statistics, document, view
}

extension PlayedEffect {
  func report(_ kind: ReportKind) throws(Diagnostic) -> JSONValue {
    switch kind {
    case .failure: .null
    case .diagnostics: .array(problems.map { $0.json })
    case .statistics: statistics
    case .document: document
    case .view: try shownView()
    }
  }

  private var statistics: JSONValue {
    var (living, emitted) = (0, 0)
    let emitters: [JSONValue] = system.emitters.indices.map { index in
      let all = shown.map { $0.population(ofEmitter: index) }
      let alive = all.reduce(0) { $0 + $1.alive }
      let born = all.reduce(0) { $0 + $1.emitted }
      living += alive
      emitted += born
      return [
        "name": .string(system.emitters[index].name), "alive": .int(alive), "emitted": .int(born),
      ]
    }
    return [
      "time": .finite(time), "alive": .int(living), "emitted": .int(emitted),
      "over": .bool(simulation.isOver), "quads": .int(records.quadCount),
      "painted": .int(painted.sprites), "omitted": .int(painted.omitted),
      "emitters": .array(emitters),
    ]
  }

  private func shownView() throws(Diagnostic) -> JSONValue {
    let renderer = try renderer()
    let isLinear = simulation.profile.drawing.space == .linear
    let background: JSONValue =
      renderer.background.map { color in
        .array([color.red, color.green, color.blue, color.alpha].map { .finite($0) })
      } ?? .null
    return [
      "width": .int(renderer.settings.width), "height": .int(renderer.settings.height),
      "linear": .bool(isLinear), "background": background, "camera": renderer.camera.report,
    ]
  }
}

extension Camera {
  /// The camera as in a document. The module has no code that writes documents.
  fileprivate var report: JSONValue {
    var object: JSONObject = [
      "position": .array([position.x, position.y, position.z].map { .finite($0) }),
      "target": .array([target.x, target.y, target.z].map { .finite($0) }),
    ]
    object["fov"] = fov.map { .finite($0) }
    object["orthoHeight"] = orthoHeight.map { .finite($0) }
    return .object(object)
  }
}
