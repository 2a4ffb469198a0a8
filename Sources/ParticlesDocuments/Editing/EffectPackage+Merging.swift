internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesModel

extension EffectPackage {
  /// Adds the emitters of another effect, with their images and sprites. Images with equal contents are used together.
  /// - Throws: errors of reading the other effect; a ``ParticlesCore/Diagnostic`` of ``ParticlesCore/Rule/limit`` if it is
  ///   too large.
  mutating func merge(_ other: EffectPackage) throws {
    var system = try system()
    let added = try other.system(limits: .untrusted)
    let (firstEmitter, firstSprite) = (system.emitters.count, system.sprites.count)
    var places: [Int] = []
    for image in added.images {
      let bytes = try other.container.root[image.uri]?.contents?.bytes()
      if let known = try system.images.firstIndex(where: { old in
        guard let bytes else { return old.uri == image.uri }
        return try container.root[old.uri]?.contents?.bytes() == bytes
      }) {
        places.append(known)
        continue
      }
      var new = image
      let name = Files.lastComponent(of: image.uri)
      var number = 2
      while container.root[new.uri] != nil {
        let numbered = "\(Files.stem(of: name))-\(number).\(Files.pathExtension(of: name))"
        new.uri = "\(Self.imageDirectory)/\(numbered)"
        number += 1
      }
      if let bytes {
        try container.root.setFileNode(FileNode(regularFileWithContents: bytes), at: new.uri)
      }
      places.append(system.images.count)
      system.images.append(new)
    }
    for var sprite in added.sprites {
      if places.indices.contains(sprite.image) { sprite.image = places[sprite.image] }
      system.sprites.append(sprite)
    }
    let firstMesh = system.meshes.count
    system.meshes += added.meshes
    let names = Set(system.emitters.map(\.name))
    for var emitter in added.emitters {
      // Numbers of any size, which need not refer to anything.
      emitter.sprites = emitter.sprites.map { $0 &+ firstSprite }
      if let mesh = emitter.shape.mesh { emitter.shape.mesh = mesh &+ firstMesh }
      for index in emitter.triggers.indices { emitter.triggers[index].emitter &+= firstEmitter }
      let name = emitter.name
      var number = 2
      while names.contains(emitter.name) {
        emitter.name = "\(name) \(number)"
        number += 1
      }
      system.emitters.append(emitter)
    }
    if system.roots != nil {
      let roots = added.roots ?? Array(added.emitters.indices)
      system.roots? += roots.map { $0 &+ firstEmitter }
    }
    try setSystem(system)
  }
}
