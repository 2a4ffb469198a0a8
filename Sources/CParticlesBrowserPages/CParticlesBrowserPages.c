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

START(appearance_js)
#embed "../ParticlesBrowser/Pages/appearance.js"
END

START(bar_js)
#embed "../ParticlesBrowser/Pages/bar.js"
END

START(browser_css)
#embed "../ParticlesBrowser/Pages/browser.css"
END

START(checking_js)
#embed "../ParticlesBrowser/Pages/checking.js"
END

START(collection_js)
#embed "../ParticlesBrowser/Pages/collection.js"
END

START(conflict_js)
#embed "../ParticlesBrowser/Pages/conflict.js"
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

START(importing_js)
#embed "../ParticlesBrowser/Pages/importing.js"
END

START(index_html)
#embed "../ParticlesBrowser/Pages/index.html"
END

START(jobs_js)
#embed "../ParticlesBrowser/Pages/jobs.js"
END

START(labels_js)
#embed "../ParticlesBrowser/Pages/labels.js"
END

START(main_js)
#embed "../ParticlesBrowser/Pages/main.js"
END

START(messages_js)
#embed "../ParticlesBrowser/Pages/messages.js"
END

START(model_js)
#embed "../ParticlesBrowser/Pages/model.js"
END

START(moving_js)
#embed "../ParticlesBrowser/Pages/moving.js"
END

START(pictures_js)
#embed "../ParticlesBrowser/Pages/pictures.js"
END

START(searching_js)
#embed "../ParticlesBrowser/Pages/searching.js"
END

START(server_js)
#embed "../ParticlesBrowser/Pages/server.js"
END

START(sharing_js)
#embed "../ParticlesBrowser/Pages/sharing.js"
END

START(sheet_js)
#embed "../ParticlesBrowser/Pages/sheet.js"
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

START(windows_js)
#embed "../ParticlesBrowser/Pages/windows.js"
END

#define FILE(name, bytes) {name, bytes, sizeof(bytes) - 1},

static const particles_browser_page pages[] = {
    FILE("actions.js", actions_js)
    FILE("appearance.js", appearance_js)
    FILE("bar.js", bar_js)
    FILE("browser.css", browser_css)
    FILE("checking.js", checking_js)
    FILE("collection.js", collection_js)
    FILE("conflict.js", conflict_js)
    FILE("editor.js", editor_js)
    FILE("events.js", events_js)
    FILE("icon.svg", icon_svg)
    FILE("icons.js", icons_js)
    FILE("importing.js", importing_js)
    FILE("index.html", index_html)
    FILE("jobs.js", jobs_js)
    FILE("labels.js", labels_js)
    FILE("main.js", main_js)
    FILE("messages.js", messages_js)
    FILE("model.js", model_js)
    FILE("moving.js", moving_js)
    FILE("pictures.js", pictures_js)
    FILE("searching.js", searching_js)
    FILE("server.js", server_js)
    FILE("sharing.js", sharing_js)
    FILE("sheet.js", sheet_js)
    FILE("sheets.css", sheets_css)
    FILE("sheets.js", sheets_js)
    FILE("strings.js", strings_js)
    FILE("viewer.js", viewer_js)
    FILE("windows.js", windows_js)
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
