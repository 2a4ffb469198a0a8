// `import Particles` is all that an application needs.

@_exported public import ParticlesContainer
@_exported public import ParticlesCore
@_exported public import ParticlesDocuments
@_exported public import ParticlesEffects
@_exported public import ParticlesFormats
@_exported public import ParticlesImages
@_exported public import ParticlesModel
@_exported public import ParticlesPackages
@_exported public import ParticlesRender
@_exported public import ParticlesSimulation
@_exported public import ParticlesSystem
@_exported public import ParticlesTypes
