// The files of the browser's pages are in the executable, not beside it. A test compares the table with the folder.

#include "CParticlesBrowserPages.h"

#if defined(__has_embed)

#pragma clang diagnostic ignored "-Wc23-extensions"

// A zero behind each, so that none is empty.
#define START(name) static const unsigned char name[] = {
#define END ,0 };

START(actions_js)
#embed "../ParticlesBrowser/Pages/actions.js"
END

START(browser_css)
#embed "../ParticlesBrowser/Pages/browser.css"
END

START(collection_js)
#embed "../ParticlesBrowser/Pages/collection.js"
END

START(editor_js)
#embed "../ParticlesBrowser/Pages/editor.js"
END

START(events_js)
#embed "../ParticlesBrowser/Pages/events.js"
END

START(icon_svg)
#embed "../ParticlesBrowser/Pages/icon.svg"
END

START(icons_js)
#embed "../ParticlesBrowser/Pages/icons.js"
END

START(index_html)
#embed "../ParticlesBrowser/Pages/index.html"
END

START(main_js)
#embed "../ParticlesBrowser/Pages/main.js"
END

START(model_js)
#embed "../ParticlesBrowser/Pages/model.js"
END

START(moving_js)
#embed "../ParticlesBrowser/Pages/moving.js"
END

START(server_js)
#embed "../ParticlesBrowser/Pages/server.js"
END

START(sheets_css)
#embed "../ParticlesBrowser/Pages/sheets.css"
END

START(sheets_js)
#embed "../ParticlesBrowser/Pages/sheets.js"
END

START(strings_js)
#embed "../ParticlesBrowser/Pages/strings.js"
END

START(viewer_js)
#embed "../ParticlesBrowser/Pages/viewer.js"
END

#define FILE(name, bytes) {name, bytes, sizeof(bytes) - 1},

static const particles_browser_page pages[] = {
    FILE("actions.js", actions_js)
    FILE("browser.css", browser_css)
    FILE("collection.js", collection_js)
    FILE("editor.js", editor_js)
    FILE("events.js", events_js)
    FILE("icon.svg", icon_svg)
    FILE("icons.js", icons_js)
    FILE("index.html", index_html)
    FILE("main.js", main_js)
    FILE("model.js", model_js)
    FILE("moving.js", moving_js)
    FILE("server.js", server_js)
    FILE("sheets.css", sheets_css)
    FILE("sheets.js", sheets_js)
    FILE("strings.js", strings_js)
    FILE("viewer.js", viewer_js)
};

const particles_browser_page *particles_browser_page_at(size_t index) {
  return index < sizeof(pages) / sizeof(pages[0]) ? &pages[index] : NULL;
}

#else

// A compiler that cannot embed files makes a tool without pages.
const particles_browser_page *particles_browser_page_at(size_t index) {
  (void)index;
  return NULL;
}

#endif
