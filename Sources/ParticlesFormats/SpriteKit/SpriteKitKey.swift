// The keys of an archived `SKEmitterNode`.

enum SpriteKitKey {
  /// The properties of SpriteKit that the keys of an archive stand for, where programs other than
  /// Apple's have used those as keys.
  static let propertyNames: [String: String] = [
    "_birthrate": "particleBirthRate", "_numParticlesToEmit": "numParticlesToEmit",
    "_lifetime": "particleLifetime", "_lifetimeVariance": "particleLifetimeRange",
    "_startPosition": "particlePosition", "_startPositionVariance": "particlePositionRange",
    "_startZPosition": "particleZPosition", "_startZPositionVariance": "particleZPositionRange",
    "_zPositionSpeed": "particleZPositionSpeed", "_startSpeed": "particleSpeed",
    "_startSpeedVariance": "particleSpeedRange", "_emissionAngle": "emissionAngle",
    "_emissionAngleVariance": "emissionAngleRange", "_startRotation": "particleRotation",
    "_startRotationVariance": "particleRotationRange",
    "_rotationSpeed": "particleRotationSpeed", "_startScale": "particleScale",
    "_startScaleVariance": "particleScaleRange", "_scaleSpeed": "particleScaleSpeed",
    "_startSize": "particleSize", "_startOpacity": "particleAlpha",
    "_startOpacityVariance": "particleAlphaRange", "_opacitySpeed": "particleAlphaSpeed",
    "_startColorVarianceR": "particleColorRedRange",
    "_startColorVarianceG": "particleColorGreenRange",
    "_startColorVarianceB": "particleColorBlueRange",
    "_startColorVarianceA": "particleColorAlphaRange", "_colorSpeedR": "particleColorRedSpeed",
    "_colorSpeedG": "particleColorGreenSpeed", "_colorSpeedB": "particleColorBlueSpeed",
    "_colorSpeedA": "particleColorAlphaSpeed", "_startColorMix": "particleColorBlendFactor",
    "_startColorBlendVariance": "particleColorBlendFactorRange",
    "_colorBlendSpeed": "particleColorBlendFactorSpeed",
    "_particleBlendMode": "particleBlendMode", "_particleRenderOrder": "particleRenderOrder",
    "_fieldBitMask": "fieldBitMask", "_particleTexture": "particleTexture",
    "_particleColorSequence": "particleColorSequence",
    "_particleColorBlendFactorSequence": "particleColorBlendFactorSequence",
    "_particleAlphaSequence": "particleAlphaSequence",
    "_particleScaleSequence": "particleScaleSequence",
    "_particleRotationSequence": "particleRotationSequence",
    "_particleSpeedSequence": "particleSpeedSequence",
  ]

  /// Whether a key is one that the importer reads. If it did not, a sequence stands in its place.
  static func isKnown(_ key: String) -> Bool {
    propertyNames[key] != nil || key.hasPrefix("_startColor")
  }

  /// Numbers without a home in the model that say nothing if they are not zero but this.
  static let plainNumbers: [String: Double] = ["_opacity": 1]

  /// What says nothing of particles: the state of the editor, that of the node, and what older
  /// versions left behind when an emitter still was a sprite.
  static let passedOver: Set<String> = [
    "_info", "_version", "_originalClass", "_paused", "_skcPaused", "_keyedSubSprites",
    "_reachConstraints", "_texture", "_anchorPoint", "_bounds", "_centerRect", "_colorMix",
    "_baseColorR", "_baseColorG", "_baseColorB", "_baseColorA", "_blendMode", "_repeatTexture",
    "_repeatTextureSize", "_orderAdded", "_wantsPerPixelCollisionDetection", "_parent",
  ]
}
