// libparticles for C++17: owners of handles, exceptions, and containers of the standard library.
#ifndef PARTICLES_HPP
#define PARTICLES_HPP

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "particles.h"

namespace particles {

using Bytes = std::vector<std::uint8_t>;

// A fault: what() has place, severity, message and code.
class Error : public std::runtime_error {
 public:
  Error(int result, const void *source) : std::runtime_error(text(result, source)), status(result) {
    particles_finding finding{};
    finding.size = sizeof finding;
    if (particles_error(source, &finding) || finding.status != result || !finding.code) return;
    code = finding.code;
    if (finding.file) file = finding.file;
    if (finding.entry) entry = finding.entry;
    if (finding.key) key = finding.key;
  }
  int status;
  std::string code, file, entry, key;

 private:
  // The text of the status alone if the last call on the handle was a different call, or there is no handle.
  static const char *text(int result, const void *source) {
    particles_finding finding{};
    finding.size = sizeof finding;
    bool is_known = !particles_error(source, &finding) && finding.status == result && finding.text;
    return is_known ? finding.text : particles_status_text(result);
  }
};

struct Finding {
  std::string code, text, json;
  int severity;
};

// The owner of a handle. Moved, never copied.
template <typename Kind, void (*close)(Kind *)>
class Owner {
 public:
  Owner() = default;
  explicit Owner(Kind *made) : handle(made) {}
  Owner(Owner &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
  Owner &operator=(Owner other) noexcept { return std::swap(handle, other.handle), *this; }
  ~Owner() { close(handle); }
  Kind *get() const { return handle; }

 protected:
  Kind *handle = nullptr;
  Kind **out() { return &handle; }
  void check(int status) const { if (status != PARTICLES_OK) throw Error(status, handle); }
};

// Exceptions, such as bad_alloc, must not pass through C.
namespace detail {
inline int finding(void *context, const particles_finding *f) try {
  static_cast<std::vector<Finding> *>(context)->push_back({f->code, f->text, f->json, f->severity});
  return 0;
} catch (...) {
  return 1;
}
inline int write(void *context, const void *bytes, size_t count) try {
  auto &to = *static_cast<Bytes *>(context);
  auto *from = static_cast<const std::uint8_t *>(bytes);
  to.insert(to.end(), from, from + count);
  return 0;
} catch (...) {
  return 1;
}
inline std::string taken(char *text) {
  std::string copy = text ? text : "";
  particles_free(text);
  return copy;
}
}  // namespace detail

class Package : public Owner<particles_package, particles_package_close> {
 public:
  Package() { check(particles_package_new(out())); }
  explicit Package(const char *path, const particles_limits *limits = nullptr) {
    check(particles_package_open(path, limits, out()));
  }
  explicit Package(const Bytes &bytes, const particles_limits *limits = nullptr) {
    check(particles_package_open_memory(bytes.data(), bytes.size(), limits, out()));
  }
  explicit Package(particles_package *made) : Owner(made) {}
  Package copy() const {
    particles_package *made = nullptr;
    check(particles_package_copy(handle, &made));
    return Package(made);
  }
  Bytes read(const char *path) const {
    void *bytes = nullptr;
    size_t count = 0;
    check(particles_package_read(handle, path, &bytes, &count));
    auto *start = static_cast<std::uint8_t *>(bytes);
    Bytes copy(start, start + count);
    particles_free(bytes);
    return copy;
  }
  void put(const char *path, std::string_view bytes, int flags = 0) {
    check(particles_package_put(handle, path, bytes.data(), bytes.size(), flags));
  }
  void remove(const char *path) { check(particles_package_remove(handle, path)); }
  std::vector<std::string> list(const char *below = "", bool recursive = true) const {
    particles_iterator *iterator = nullptr;
    check(particles_package_list(handle, below, recursive, &iterator));
    std::vector<std::string> paths;
    particles_entry entry{};
    entry.size = sizeof entry;
    while (particles_iterator_next(iterator, &entry) == PARTICLES_ROW) paths.emplace_back(entry.path);
    particles_iterator_close(iterator);
    return paths;
  }
  void save(int level = PARTICLES_STANDARD) { store(nullptr, 0, level, 0); }
  void save_as(const char *path, int form = PARTICLES_FLAT, int flags = 0) { store(path, form, 0, flags); }
  Bytes encode(int level = PARTICLES_STANDARD) const {
    Bytes bytes;
    check(particles_package_encode(handle, level, detail::write, &bytes));
    return bytes;
  }

 private:
  void store(const char *path, int form, int level, int flags) {
    particles_save_options options{sizeof options, form, 0, level, flags, nullptr, nullptr};
    check(particles_package_save(handle, path, &options));
  }
};

class Effect : public Owner<particles_effect, particles_effect_close> {
 public:
  explicit Effect(const char *path, const particles_open_options *options = nullptr) {
    check(particles_effect_open(path, options, out()));
  }
  static Effect of_template(const char *name) {
    particles_effect *made = nullptr;
    int status = particles_effect_template(name, &made);
    Effect effect(made);
    effect.check(status);
    return effect;
  }
  explicit Effect(particles_effect *made) : Owner(made) {}
  std::string get(const char *key) const {
    char *json = nullptr;
    check(particles_effect_get(handle, key, &json));
    return detail::taken(json);
  }
  void set(const char *key, const char *value) { check(particles_effect_set(handle, key, value)); }
  void allow_out_of_range(bool allows) { check(particles_effect_allow_out_of_range(handle, allows)); }
  std::vector<Finding> validate() const {
    std::vector<Finding> findings;
    check(particles_effect_validate(handle, detail::finding, &findings));
    return findings;
  }
  // The files of a conversion by name, the effect first, and its losses.
  std::vector<std::pair<std::string, Bytes>> convert(const char *format, const char *name,
                                                     std::vector<Finding> *losses = nullptr) const;
  Bytes thumbnail(int size) const {
    Bytes rgba(static_cast<size_t>(size > 0 ? size : 0) * static_cast<size_t>(size > 0 ? size : 0) * 4);
    check(particles_effect_thumbnail(handle, size, rgba.data(), static_cast<size_t>(size) * 4));
    return rgba;
  }
};

using Export = Owner<particles_export, particles_export_close>;

inline std::vector<std::pair<std::string, Bytes>> Effect::convert(const char *format, const char *name,
                                                                  std::vector<Finding> *losses) const {
  particles_export *made = nullptr;
  int status = particles_effect_export(handle, format, name, nullptr, &made);
  Export result(made);
  if (status != PARTICLES_OK) throw Error(status, made);
  std::vector<std::pair<std::string, Bytes>> files;
  const char *file = nullptr;
  const void *bytes = nullptr;
  size_t count = 0;
  for (int64_t index = 0; (status = particles_export_file(made, index, &file, &bytes, &count)) == PARTICLES_OK; index++) {
    auto *start = static_cast<const std::uint8_t *>(bytes);
    files.emplace_back(file, Bytes(start, start + count));
  }
  if (status != PARTICLES_DONE) throw Error(status, made);
  if (losses) particles_export_losses(made, detail::finding, losses);
  return files;
}

}  // namespace particles

#endif
