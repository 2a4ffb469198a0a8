// The owners of particles.hpp.
#include <cassert>
#include <iostream>

#include "particles.hpp"

int main() {
  {
    particles::Package package;
    package.put("a/b.txt", "hello");
    auto copy = package.copy();
    package.remove("a");
    if (copy.read("a/b.txt").size() != 5 || copy.list().size() != 2 || !package.list().empty()) return 1;
    particles::Package again(copy.encode());
    auto moved = std::move(again);
    if (moved.list() != copy.list()) return 2;
    try {
      particles::Package none("/no such file");
      return 3;
    } catch (const particles::Error &error) {
      if (error.status != PARTICLES_NOTFOUND || error.code != "file/not-found" || error.file.empty()) return 4;
    }
    auto effect = particles::Effect::of_template("snow");
    effect.set("emitters[0].emission.rate", "12");
    if (effect.get("emitters[0].emission.rate") != "12" || !effect.validate().empty()) return 5;
    std::vector<particles::Finding> losses;
    if (effect.convert("starling", "snow.pex", &losses).empty() || losses.empty()) return 6;
    if (effect.thumbnail(16).size() != 1024) return 7;
    try {
      effect.set("emitters[0].emission.rate", "-1");
      return 8;
    } catch (const particles::Error &error) {
      if (error.status != PARTICLES_VALUE || error.key.empty()) return 9;
    }
  }
  return particles_open_handles() == 0 ? 0 : 10;
}
