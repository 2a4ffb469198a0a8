internal import ParticlesCore
internal import ParticlesPlatform
internal import ParticlesSystem

/// Prints progress on standard error. Results go to standard output.
func report(_ text: String) {
  try? OpenFile.standardError.write(Array("ParticlesBench: \(text)\n".utf8))
}

/// Runs the benchmark and returns the status of the process: 0, also where goals are missed, 2 if something could not
/// run, 64 for wrong usage, 130 when interrupted.
func run(_ words: [String]) -> CInt {
  do {
    let arguments = try Arguments(Array(words.dropFirst()))
    if arguments.help {
      print(Arguments.usage, terminator: "")
      return 0
    }
    if arguments.calls {
      print(try CallCosts.text(), terminator: "")
      return 0
    }
    Interruption.watch()
    var benchmark = try Benchmark(arguments, program: words.first ?? "")
    let summary = try benchmark.run(report: report)
    print(arguments.json ? summary.json.text : summary.text, terminator: "")
    return summary.failures.isEmpty ? 0 : 2
  } catch is Interruption {
    return 130
  } catch {
    report(error.text)
    return error is Arguments.Fault ? 64 : 2
  }
}

exit(run(CommandLine.arguments))
