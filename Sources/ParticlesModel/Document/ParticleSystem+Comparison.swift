internal import ParticlesCore

// Normalises effects before they are compared: the same content in another order or under another
// name becomes equal.

extension ParticleSystem {
  /// Puts sprites and images in the order in which emitters use them, each once.
  package mutating func keepShownSprites() {
    var (shown, shownImages) = (Places<Sprite>(), Places<ImageReference>())
    for emitter in emitters.indices {
      for place in emitters[emitter].sprites.indices {
        let index = emitters[emitter].sprites[place]
        guard sprites.indices.contains(index) else { continue }
        var sprite = sprites[index]
        if images.indices.contains(sprite.image) {
          sprite.image = shownImages.place(of: images[sprite.image])
        }
        emitters[emitter].sprites[place] = shown.place(of: sprite)
      }
    }
    (sprites, images) = (shown.elements, shownImages.elements)
  }

  /// Removes the angles and vectors that the modes of directions do not use, here and in `read`.
  /// - Returns: the paths of the values that were removed or changed.
  package mutating func forgetUnusedDirections(alsoOf read: inout ParticleSystem) -> [String] {
    var places: [String] = []
    for index in emitters.indices where read.emitters.indices.contains(index) {
      let direction = emitters[index].launch.direction
      var changes: [PropertyDifference] = []
      direction.compare(read.emitters[index].launch.direction, at: .root, into: &changes)
      places += direction.unusedKeys
        .filter { key in changes.contains { $0.path.isPath(at: key) } }
        .map { "emitters[\(index)].launch.direction.\($0)" }
    }
    for index in emitters.indices { emitters[index].launch.direction.forgetUnused() }
    for index in read.emitters.indices { read.emitters[index].launch.direction.forgetUnused() }
    return places
  }

  /// Adds the emitters of another effect, which shares this one's settings.
  package mutating func append(_ other: ParticleSystem) {
    let (firstEmitter, firstSprite) = (emitters.count, sprites.count)
    for var sprite in other.sprites {
      sprite.image += images.count
      sprites.append(sprite)
    }
    images += other.images
    for var emitter in other.emitters {
      emitter.sprites = emitter.sprites.map { $0 + firstSprite }
      for index in emitter.triggers.indices { emitter.triggers[index].emitter += firstEmitter }
      emitters.append(emitter)
    }
  }

  /// Restores the order that emitters had in the document that they were exported from, by their
  /// indices. Of several copies of one emitter the first counts.
  package mutating func arrangeEmitters(_ places: [Int]) {
    guard places.count == emitters.count else { return }
    var chosen: [Int: Int] = [:]
    for (index, place) in places.enumerated() where chosen[place] == nil { chosen[place] = index }
    let order = chosen.keys.sorted()
    let positions = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
    emitters = order.compactMap { chosen[$0].map { emitters[$0] } }
    for emitter in emitters.indices {
      for index in emitters[emitter].triggers.indices {
        let target = emitters[emitter].triggers[index].emitter
        guard places.indices.contains(target), let place = positions[places[target]] else {
          continue
        }
        emitters[emitter].triggers[index].emitter = place
      }
    }
  }
}

/// Elements in order of insertion, each once.
private struct Places<Element: Hashable> {
  private(set) var elements: [Element] = []
  private var places: [Element: Int] = [:]

  /// Returns the index of an element; adds the element if it is new.
  mutating func place(of element: Element) -> Int {
    if let known = places[element] { return known }
    elements.append(element)
    places[element] = elements.count - 1
    return elements.count - 1
  }
}

extension Direction {
  /// Stated properties that the mode does not use.
  fileprivate var unusedKeys: [String] {
    (mode != .angle && angle != Direction().angle ? ["angle"] : [])
      + (mode != .vector && vector != Direction().vector ? ["vector"] : [])
  }

  fileprivate mutating func forgetUnused() {
    if mode != .angle { angle = Direction().angle }
    if mode != .vector { vector = Direction().vector }
  }
}
