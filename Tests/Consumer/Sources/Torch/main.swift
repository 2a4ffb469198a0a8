import Particles

// Imports an effect, changes it, saves it as a package, and exports it to another engine.
let (source, result) = (CommandLine.arguments[1], CommandLine.arguments[2])
var opened = try OpenedEffect(path: source)
var system = try opened.package.system()
system.emitters[0].emission.rate = 240
try opened.package.setSystem(system)
try opened.package.container.save(to: result, as: .flat)

let package = EffectPackage(try Container(contentsOf: result))
guard try package.system().emitters[0].emission.rate == 240 else {
  fatalError("\(result) does not have the new rate")
}
let exported = try package.exported(as: .starling, fileName: "torch.pex")
print("\(exported.parts[0].name): \(exported.parts[0].bytes.count > 200 ? "written" : "empty")")
for finding in try Validator().check(result).diagnostics { print(finding) }
