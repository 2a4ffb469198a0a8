package import ParticlesModel

extension ParticleSystem {
  /// Places count from the first emitter: where a format keeps the place of an emitter in its shape, or the
  /// reverse, both are divided as in the source.
  package mutating func placeEmitters(as source: ParticleSystem, length: Double) {
    for (index, old) in zip(emitters.indices, source.emitters) {
      let new = emitters[index]
      guard new.transform.turnsNothing, old.transform.turnsNothing else { continue }
      let place = old.transform.translation.times(length)
      let whole = new.transform.translation.plus(new.shape.transform.translation)
      let expected = place.plus(old.shape.transform.translation.times(length))
      let error = expected.plus(whole.times(-1))
      guard error.greatest <= 1e-3 * (1 + whole.greatest), new.transform.translation != place else {
        continue
      }
      emitters[index].transform.translation = place
      emitters[index].shape.transform.translation = whole.plus(place.times(-1))
    }
  }
}

extension Emitter.Transform {
  fileprivate var turnsNothing: Bool { rotation == .identity && angle == 0 && scale == .one }
}

extension Vector {
  /// The greatest component.
  fileprivate var greatest: Double { max(x.magnitude, y.magnitude, z.magnitude) }
}
