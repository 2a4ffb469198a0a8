public import ParticlesCore

extension ParticleSystem {
  /// All problems of the effect, and its unknown properties. Every location is a key path. Image
  /// files are not opened.
  public func diagnostics() -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    check(nil, at: .root, into: &diagnostics)
    checkReferences(into: &diagnostics)
    checkCycles(into: &diagnostics)
    return diagnostics
  }

  private func checkReferences(into diagnostics: inout [Diagnostic]) {
    func check(_ index: Int, of count: Int, _ what: String, at path: JSONPath) {
      guard index < 0 || index >= count else { return }
      let range =
        switch count {
        case 0: "no \(what): there is none"
        case 1: "0: there is only one"
        default: "an index from 0 to \(count - 1)"
        }
      diagnostics.add(.reference, at: path.location, what, expected: range, found: "\(index)")
    }
    for (index, sprite) in sprites.enumerated() {
      let path = JSONPath.root.appending("sprites").appending(index)
      check(sprite.image, of: images.count, "image", at: path.appending("image"))
      checkRegion(of: sprite, at: path.appending("region"), into: &diagnostics)
    }
    for (index, emitter) in emitters.enumerated() {
      let path = JSONPath.root.appending("emitters").appending(index)
      for (index, sprite) in emitter.sprites.enumerated() {
        check(
          sprite, of: sprites.count, "sprite", at: path.appending("sprites").appending(index))
      }
      for (index, trigger) in emitter.triggers.enumerated() {
        let place = path.appending("triggers").appending(index).appending("emitter")
        check(trigger.emitter, of: emitters.count, "emitter", at: place)
      }
      if let mesh = emitter.shape.mesh {
        check(mesh, of: meshes.count, "mesh", at: path.appending("shape").appending("mesh"))
      }
    }
    for (index, root) in (roots ?? []).enumerated() {
      check(
        root, of: emitters.count, "emitter", at: .root.appending("roots").appending(index))
    }
  }

  /// Checks that the region of a sprite is inside its image, if the size of the image is known.
  func checkRegion(
    of sprite: Sprite, at path: JSONPath, into diagnostics: inout [Diagnostic]
  ) {
    guard let region = sprite.region, region.isPartOfSomeImage,
      images.indices.contains(sprite.image), let width = images[sprite.image].width,
      let height = images[sprite.image].height,
      region.x + region.width > Double(width) || region.y + region.height > Double(height)
    else { return }
    diagnostics.add(
      .range, at: path.location, expected: "a region inside the image (\(width) × \(height))",
      found: region.json.line)
  }

  private func checkCycles(into diagnostics: inout [Diagnostic]) {
    for (emitter, trigger) in closingTriggers {
      let path = JSONPath.root.appending("emitters").appending(emitter)
        .appending("triggers").appending(trigger).appending("emitter")
      diagnostics.add(
        .reference, at: path.location, "the emitters trigger each other in a cycle",
        expected: "an emitter that does not lead back here",
        found: "\(emitters[emitter].triggers[trigger].emitter)")
    }
  }

  /// The triggers that close a cycle of emitters: without them there is none.
  package var closingTriggers: [(emitter: Int, trigger: Int)] {
    enum State { case new, open, done }
    var closing: [(emitter: Int, trigger: Int)] = []
    var states = [State](repeating: .new, count: emitters.count)
    for start in emitters.indices where states[start] == .new {
      // No recursion: a long chain of emitters would overflow the stack.
      var stack = [(emitter: start, next: 0)]
      states[start] = .open
      while let (emitter, next) = stack.last {
        guard next < emitters[emitter].triggers.count else {
          states[emitter] = .done
          stack.removeLast()
          continue
        }
        stack[stack.count - 1].next += 1
        let target = emitters[emitter].triggers[next].emitter
        guard emitters.indices.contains(target) else { continue }
        switch states[target] {
        case .done: break
        case .new:
          states[target] = .open
          stack.append((target, 0))
        case .open: closing.append((emitter, next))
        }
      }
    }
    return closing
  }
}
