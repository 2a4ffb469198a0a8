internal import ParticlesCore

// Mending of what `checkWhole` checks: values that have to be in an order, or have to go together.

extension Value.Uniform {
  package mutating func mendWhole(at path: JSONPath, by mender: inout Mender) {
    guard min > max else { return }
    mender.note(
      .order, .range, at: path.appending("max"), "exchanged min \(min.plain) and max \(max.plain)")
    (min, max) = (max, min)
  }
}

extension Value.Choice {
  package mutating func mendWhole(at path: JSONPath, by mender: inout Mender) {
    mendWeights(&weights, of: numbers.count, at: path, by: &mender)
  }
}

extension ColorValue.Choice {
  package mutating func mendWhole(at path: JSONPath, by mender: inout Mender) {
    mendWeights(&weights, of: colors.count, at: path, by: &mender)
  }
}

/// Makes weights equal that do not fit the elements of a choice.
private func mendWeights(
  _ weights: inout [Double], of count: Int, at path: JSONPath, by mender: inout Mender
) {
  guard count > 0 else { return mender.loseIncomplete() }
  guard !weights.isEmpty else { return }
  let isComplete = weights.count == count
  guard isComplete ? !weights.contains(where: { $0 > 0 }) : mender.extent == .all else { return }
  mender.note(
    .replacement, .range, at: path.appending("weights"), "made all elements equally likely")
  weights = []
}

extension Track {
  package mutating func mendWhole(at path: JSONPath, by mender: inout Mender) {
    guard let domain, domain.lower == domain.upper else { return }
    mender.note(
      .replacement, .range, at: path.appending("domain"),
      "removed the empty domain \(domain.json.line)")
    self.domain = nil
  }
}

extension Curve {
  package mutating func mendWhole(at path: JSONPath, by mender: inout Mender) {
    guard !keys.isEmpty else { return mender.loseIncomplete() }
    keys.sortByTime({ $0.time }, at: path.appending("keys"), by: &mender)
  }
}

extension Gradient {
  package mutating func mendWhole(at path: JSONPath, by mender: inout Mender) {
    guard !keys.isEmpty || red != nil || green != nil || blue != nil || alpha != nil else {
      return mender.loseIncomplete()
    }
    keys.sortByTime({ $0.time }, at: path.appending("keys"), by: &mender)
  }
}

extension Array {
  fileprivate mutating func sortByTime(
    _ time: (Element) -> Double, at path: JSONPath, by mender: inout Mender
  ) {
    let times = map(time)
    guard zip(times, times.dropFirst()).contains(where: { $1 < $0 }) else { return }
    // The sort is stable.
    sort { time($0) < time($1) }
    mender.note(.order, .keys, at: path, "sorted the keys by time")
  }
}

extension SpriteGrid {
  package mutating func mendWhole(at path: JSONPath, by mender: inout Mender) {
    let (places, isTooMany) = columns.multipliedReportingOverflow(by: rows)
    guard let count, columns > 0, rows > 0, !isTooMany, count > places else { return }
    mender.note(
      .bound, .range, at: path.appending("count"), "limited \(count) to \(places)",
      (Double(count), Double(places)))
    self.count = places
  }
}

extension ParticleSystem {
  /// Cuts regions of sprites to images of a known size.
  mutating func mendRegions(by mender: inout Mender) {
    for index in sprites.indices {
      guard let region = sprites[index].region, images.indices.contains(sprites[index].image),
        let width = images[sprites[index].image].width.map({ Double($0) }),
        let height = images[sprites[index].image].height.map({ Double($0) }),
        region.x + region.width > width || region.y + region.height > height
      else { continue }
      let path = JSONPath.root.appending("sprites").appending(index).appending("region")
      var inside = region
      (inside.width, inside.height) = (
        min(region.width, width - region.x), min(region.height, height - region.y)
      )
      // A difference may be too exact to be added again.
      let isPart =
        inside.isPartOfSomeImage && inside.x + inside.width <= width
        && inside.y + inside.height <= height
      mender.note(
        .replacement, .range, at: path,
        "cut the region \(region.json.line) to the image of \(width.plain) × \(height.plain)")
      sprites[index].region = isPart ? inside : nil
    }
  }
}

extension ImageReference {
  package mutating func mendWhole(at path: JSONPath, by mender: inout Mender) {
    guard let sha256, !Self.isChecksum(sha256), mender.extent == .all else { return }
    mender.note(.replacement, .range, at: path.appending("sha256"), "removed the digest")
    self.sha256 = nil
  }
}

extension Mesh {
  package mutating func mendWhole(at path: JSONPath, by mender: inout Mender) {
    guard uri == nil, primitive == nil, mender.extent == .all else { return }
    mender.note(.replacement, .range, at: path, "made the name the name of a primitive")
    primitive = name
  }
}

extension Softness {
  package mutating func mendWhole(at path: JSONPath, by mender: inout Mender) {
    guard far < near else { return }
    mender.note(
      .order, .range, at: path.appending("far"),
      "exchanged near \(near.plain) and far \(far.plain)")
    (near, far) = (far, near)
  }
}

extension Direction {
  package mutating func mendWhole(at path: JSONPath, by mender: inout Mender) {
    if mode == .vector, vector == .zero { mender.loseNumber() }
  }
}

extension Blend {
  package mutating func mendWhole(at path: JSONPath, by mender: inout Mender) {
    if mode == .custom, source == nil || destination == nil { mender.loseIncomplete() }
  }
}

extension Shape {
  package mutating func mendWhole(at path: JSONPath, by mender: inout Mender) {
    guard mender.extent == .all else { return }
    let isEmpty =
      switch kind {
      case .mesh: mesh == nil
      case .points: positions.isEmpty
      case .polyline: points.allSatisfy { $0.isEmpty }
      default: false
      }
    if isEmpty {
      mender.note(
        .replacement, .range, at: path.appending("type"),
        "replaced the empty shape \(kind.rawValue) by a point")
      kind = .point
    }
    if !normals.isEmpty, normals.count != positions.count {
      mender.note(.replacement, .range, at: path.appending("normals"), "removed the normals")
      normals = []
    }
    if !colors.isEmpty, colors.count != positions.count {
      mender.note(.replacement, .range, at: path.appending("colors"), "removed the colours")
      colors = []
    }
  }
}
