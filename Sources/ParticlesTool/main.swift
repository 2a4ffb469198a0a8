internal import CParticlesStart
internal import ParticlesCLI
internal import ParticlesPlatform

// On Linux, CommandLine reads /proc/self/maps, and is empty where that is missing.
var next = particles_arguments() ?? UnsafePointer(CommandLine.unsafeArgv)
var words: [[UInt8]] = []
while let word = next.pointee {
  words.append(Array(UnsafeRawBufferPointer(start: word, count: strlen(word))))
  next += 1
}
let status = Tool.particles.run(bytes: Array(words.dropFirst()), console: .process())
exit(status.rawValue)
