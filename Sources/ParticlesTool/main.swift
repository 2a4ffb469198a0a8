internal import ParticlesCLI

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

let status = Tool.particles.run(Array(CommandLine.arguments.dropFirst()), console: .process())
exit(status.rawValue)
