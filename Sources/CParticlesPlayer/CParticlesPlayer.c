// The files of the player are in the executable, not beside it. A test compares the table with the folder.

#include "CParticlesPlayer.h"

#if defined(__has_embed)

#pragma clang diagnostic ignored "-Wc23-extensions"

// A zero behind each, so that none is empty.
#define START(name) static const unsigned char name[] = {
#define END ,0 };

START(LICENSE)
#embed "../../LICENSE"
END

START(README_md)
#embed "../ParticlesWeb/Player/README.md"
END

START(atlas_js)
#embed "../ParticlesWeb/Player/atlas.js"
END

START(blending_js)
#embed "../ParticlesWeb/Player/blending.js"
END

START(bundle_txt)
#embed "../ParticlesWeb/Player/bundle.txt"
END

START(bytes_js)
#embed "../ParticlesWeb/Player/bytes.js"
END

START(canvas2d_js)
#embed "../ParticlesWeb/Player/canvas2d.js"
END

START(catalog_js)
#embed "../ParticlesWeb/Player/catalog.js"
END

START(diagnostic_js)
#embed "../ParticlesWeb/Player/diagnostic.js"
END

START(document_js)
#embed "../ParticlesWeb/Player/document.js"
END

START(drawer_js)
#embed "../ParticlesWeb/Player/drawer.js"
END

START(element_d_ts)
#embed "../ParticlesWeb/Player/element.d.ts"
END

START(element_js)
#embed "../ParticlesWeb/Player/element.js"
END

START(example_html)
#embed "../ParticlesWeb/Player/example.html"
END

START(frames_js)
#embed "../ParticlesWeb/Player/frames.js"
END

START(host_js)
#embed "../ParticlesWeb/Player/host.js"
END

START(image_js)
#embed "../ParticlesWeb/Player/image.js"
END

START(index_d_ts)
#embed "../ParticlesWeb/Player/index.d.ts"
END

START(index_js)
#embed "../ParticlesWeb/Player/index.js"
END

START(loader_js)
#embed "../ParticlesWeb/Player/loader.js"
END

START(module_js)
#embed "../ParticlesWeb/Player/module.js"
END

START(names_js)
#embed "../ParticlesWeb/Player/names.js"
END

START(package_js)
#embed "../ParticlesWeb/Player/package.js"
END

START(package_json)
#embed "../ParticlesWeb/Player/package.json"
END

START(page_css)
#embed "../ParticlesWeb/Player/page.css"
END

START(page_html)
#embed "../ParticlesWeb/Player/page.html"
END

START(page_js)
#embed "../ParticlesWeb/Player/page.js"
END

START(painting_js)
#embed "../ParticlesWeb/Player/painting.js"
END

START(playback_js)
#embed "../ParticlesWeb/Player/playback.js"
END

START(service_js)
#embed "../ParticlesWeb/Player/service.js"
END

START(shaders_js)
#embed "../ParticlesWeb/Player/shaders.js"
END

START(stage_js)
#embed "../ParticlesWeb/Player/stage.js"
END

START(texels_js)
#embed "../ParticlesWeb/Player/texels.js"
END

START(thinning_js)
#embed "../ParticlesWeb/Player/thinning.js"
END

START(tiff_js)
#embed "../ParticlesWeb/Player/tiff.js"
END

START(tree_js)
#embed "../ParticlesWeb/Player/tree.js"
END

START(worker_js)
#embed "../ParticlesWeb/Player/worker.js"
END

START(write_js)
#embed "../ParticlesWeb/Player/write.js"
END

#if __has_embed("../../.build/web/particles.wasm.gz")
START(module)
#embed "../../.build/web/particles.wasm.gz"
END
#define HAS_MODULE 1
#endif

#define FILE(name, bytes) {name, bytes, sizeof(bytes) - 1},

static const particles_player_file files[] = {
    FILE("LICENSE", LICENSE)
    FILE("README.md", README_md)
    FILE("atlas.js", atlas_js)
    FILE("blending.js", blending_js)
    FILE("bundle.txt", bundle_txt)
    FILE("bytes.js", bytes_js)
    FILE("canvas2d.js", canvas2d_js)
    FILE("catalog.js", catalog_js)
    FILE("diagnostic.js", diagnostic_js)
    FILE("document.js", document_js)
    FILE("drawer.js", drawer_js)
    FILE("element.d.ts", element_d_ts)
    FILE("element.js", element_js)
    FILE("example.html", example_html)
    FILE("frames.js", frames_js)
    FILE("host.js", host_js)
    FILE("image.js", image_js)
    FILE("index.d.ts", index_d_ts)
    FILE("index.js", index_js)
    FILE("loader.js", loader_js)
    FILE("module.js", module_js)
    FILE("names.js", names_js)
    FILE("package.js", package_js)
    FILE("package.json", package_json)
    FILE("page.css", page_css)
    FILE("page.html", page_html)
    FILE("page.js", page_js)
    FILE("painting.js", painting_js)
    FILE("playback.js", playback_js)
    FILE("service.js", service_js)
    FILE("shaders.js", shaders_js)
    FILE("stage.js", stage_js)
    FILE("texels.js", texels_js)
    FILE("thinning.js", thinning_js)
    FILE("tiff.js", tiff_js)
    FILE("tree.js", tree_js)
    FILE("worker.js", worker_js)
    FILE("write.js", write_js)
#ifdef HAS_MODULE
    FILE("particles.wasm.gz", module)
#endif
};

const particles_player_file *particles_player_file_at(size_t index) {
  return index < sizeof(files) / sizeof(files[0]) ? &files[index] : NULL;
}

#else

// A compiler that cannot embed files makes a tool whose pages have drawn frames.
const particles_player_file *particles_player_file_at(size_t index) {
  (void)index;
  return NULL;
}

#endif
