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

START(again_html)
#embed "../ParticlesBrowser/Pages/again.html"
END

START(again_js)
#embed "../ParticlesBrowser/Pages/again.js"
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

START(converting_js)
#embed "../ParticlesBrowser/Pages/converting.js"
END

START(de_json)
#embed "../ParticlesBrowser/Pages/de.json"
END

START(deferred_loading_js)
#embed "../ParticlesBrowser/Pages/deferred-loading.js"
END

START(deferred_parts_js)
#embed "../ParticlesBrowser/Pages/deferred-parts.js"
END

START(document_facts_js)
#embed "../ParticlesBrowser/Pages/document-facts.js"
END

START(editor_all_curves_js)
#embed "../ParticlesBrowser/Pages/editor/all-curves.js"
END

START(editor_base64_js)
#embed "../ParticlesBrowser/Pages/editor/base64.js"
END

START(editor_binding_js)
#embed "../ParticlesBrowser/Pages/editor/binding.js"
END

START(editor_card_list_js)
#embed "../ParticlesBrowser/Pages/editor/card-list.js"
END

START(editor_color_field_js)
#embed "../ParticlesBrowser/Pages/editor/color-field.js"
END

START(editor_color_value_field_js)
#embed "../ParticlesBrowser/Pages/editor/color-value-field.js"
END

START(editor_colors_js)
#embed "../ParticlesBrowser/Pages/editor/colors.js"
END

START(editor_control_keys_js)
#embed "../ParticlesBrowser/Pages/editor/control-keys.js"
END

START(editor_control_parts_js)
#embed "../ParticlesBrowser/Pages/editor/control-parts.js"
END

START(editor_controls_of_js)
#embed "../ParticlesBrowser/Pages/editor/controls-of.js"
END

START(editor_controls_css)
#embed "../ParticlesBrowser/Pages/editor/controls.css"
END

START(editor_curve_handles_js)
#embed "../ParticlesBrowser/Pages/editor/curve-handles.js"
END

START(editor_curve_keys_js)
#embed "../ParticlesBrowser/Pages/editor/curve-keys.js"
END

START(editor_curve_plot_js)
#embed "../ParticlesBrowser/Pages/editor/curve-plot.js"
END

START(editor_curve_js)
#embed "../ParticlesBrowser/Pages/editor/curve.js"
END

START(editor_curves_css)
#embed "../ParticlesBrowser/Pages/editor/curves.css"
END

START(editor_curves_js)
#embed "../ParticlesBrowser/Pages/editor/curves.js"
END

START(editor_document_js)
#embed "../ParticlesBrowser/Pages/editor/document.js"
END

START(editor_edit_names_js)
#embed "../ParticlesBrowser/Pages/editor/edit-names.js"
END

START(editor_editor_css)
#embed "../ParticlesBrowser/Pages/editor/editor.css"
END

START(editor_emitter_preset_js)
#embed "../ParticlesBrowser/Pages/editor/emitter-preset.js"
END

START(editor_emitters_js)
#embed "../ParticlesBrowser/Pages/editor/emitters.js"
END

START(editor_field_js)
#embed "../ParticlesBrowser/Pages/editor/field.js"
END

START(editor_finding_js)
#embed "../ParticlesBrowser/Pages/editor/finding.js"
END

START(editor_frame_rate_js)
#embed "../ParticlesBrowser/Pages/editor/frame-rate.js"
END

START(editor_gradient_js)
#embed "../ParticlesBrowser/Pages/editor/gradient.js"
END

START(editor_handles_js)
#embed "../ParticlesBrowser/Pages/editor/handles.js"
END

START(editor_images_js)
#embed "../ParticlesBrowser/Pages/editor/images.js"
END

START(editor_index_js)
#embed "../ParticlesBrowser/Pages/editor/index.js"
END

START(editor_inspector_js)
#embed "../ParticlesBrowser/Pages/editor/inspector.js"
END

START(editor_lists_css)
#embed "../ParticlesBrowser/Pages/editor/lists.css"
END

START(editor_mutation_js)
#embed "../ParticlesBrowser/Pages/editor/mutation.js"
END

START(editor_numbers_js)
#embed "../ParticlesBrowser/Pages/editor/numbers.js"
END

START(editor_outbox_js)
#embed "../ParticlesBrowser/Pages/editor/outbox.js"
END

START(editor_paths_js)
#embed "../ParticlesBrowser/Pages/editor/paths.js"
END

START(editor_plain_fields_js)
#embed "../ParticlesBrowser/Pages/editor/plain-fields.js"
END

START(editor_preset_menu_js)
#embed "../ParticlesBrowser/Pages/editor/preset-menu.js"
END

START(editor_presets_js)
#embed "../ParticlesBrowser/Pages/editor/presets.js"
END

START(editor_projection_js)
#embed "../ParticlesBrowser/Pages/editor/projection.js"
END

START(editor_property_remarks_js)
#embed "../ParticlesBrowser/Pages/editor/property-remarks.js"
END

START(editor_property_js)
#embed "../ParticlesBrowser/Pages/editor/property.js"
END

START(editor_queue_js)
#embed "../ParticlesBrowser/Pages/editor/queue.js"
END

START(editor_range_field_js)
#embed "../ParticlesBrowser/Pages/editor/range-field.js"
END

START(editor_rows_js)
#embed "../ParticlesBrowser/Pages/editor/rows.js"
END

START(editor_session_js)
#embed "../ParticlesBrowser/Pages/editor/session.js"
END

START(editor_soft_image_js)
#embed "../ParticlesBrowser/Pages/editor/soft-image.js"
END

START(editor_split_js)
#embed "../ParticlesBrowser/Pages/editor/split.js"
END

START(editor_sprite_editor_js)
#embed "../ParticlesBrowser/Pages/editor/sprite-editor.js"
END

START(editor_sprite_field_js)
#embed "../ParticlesBrowser/Pages/editor/sprite-field.js"
END

START(editor_stage_aim_js)
#embed "../ParticlesBrowser/Pages/editor/stage-aim.js"
END

START(editor_stage_count_js)
#embed "../ParticlesBrowser/Pages/editor/stage-count.js"
END

START(editor_stage_pictures_js)
#embed "../ParticlesBrowser/Pages/editor/stage-pictures.js"
END

START(editor_stage_js)
#embed "../ParticlesBrowser/Pages/editor/stage.js"
END

START(editor_time_js)
#embed "../ParticlesBrowser/Pages/editor/time.js"
END

START(editor_turning_js)
#embed "../ParticlesBrowser/Pages/editor/turning.js"
END

START(editor_value_field_js)
#embed "../ParticlesBrowser/Pages/editor/value-field.js"
END

START(editor_values_js)
#embed "../ParticlesBrowser/Pages/editor/values.js"
END

START(editor_variations_js)
#embed "../ParticlesBrowser/Pages/editor/variations.js"
END

START(editor_widths_js)
#embed "../ParticlesBrowser/Pages/editor/widths.js"
END

START(en_json)
#embed "../ParticlesBrowser/Pages/en.json"
END

START(events_js)
#embed "../ParticlesBrowser/Pages/events.js"
END

START(first_request_js)
#embed "../ParticlesBrowser/Pages/first-request.js"
END

START(folders_js)
#embed "../ParticlesBrowser/Pages/folders.js"
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

START(many_js)
#embed "../ParticlesBrowser/Pages/many.js"
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

START(offers_js)
#embed "../ParticlesBrowser/Pages/offers.js"
END

START(pictures_js)
#embed "../ParticlesBrowser/Pages/pictures.js"
END

START(renaming_js)
#embed "../ParticlesBrowser/Pages/renaming.js"
END

START(rescue_js)
#embed "../ParticlesBrowser/Pages/rescue.js"
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

START(staying_js)
#embed "../ParticlesBrowser/Pages/staying.js"
END

START(text_editor_js)
#embed "../ParticlesBrowser/Pages/text-editor.js"
END

START(texts_js)
#embed "../ParticlesBrowser/Pages/texts.js"
END

START(unsaved_js)
#embed "../ParticlesBrowser/Pages/unsaved.js"
END

START(viewer_js)
#embed "../ParticlesBrowser/Pages/viewer.js"
END

START(windows_js)
#embed "../ParticlesBrowser/Pages/windows.js"
END

START(zoom_js)
#embed "../ParticlesBrowser/Pages/zoom.js"
END

#define FILE(name, bytes) {name, bytes, sizeof(bytes) - 1},

static const particles_browser_page pages[] = {
    FILE("actions.js", actions_js)
    FILE("again.html", again_html)
    FILE("again.js", again_js)
    FILE("appearance.js", appearance_js)
    FILE("bar.js", bar_js)
    FILE("browser.css", browser_css)
    FILE("checking.js", checking_js)
    FILE("collection.js", collection_js)
    FILE("conflict.js", conflict_js)
    FILE("converting.js", converting_js)
    FILE("de.json", de_json)
    FILE("deferred-loading.js", deferred_loading_js)
    FILE("deferred-parts.js", deferred_parts_js)
    FILE("document-facts.js", document_facts_js)
    FILE("editor/all-curves.js", editor_all_curves_js)
    FILE("editor/base64.js", editor_base64_js)
    FILE("editor/binding.js", editor_binding_js)
    FILE("editor/card-list.js", editor_card_list_js)
    FILE("editor/color-field.js", editor_color_field_js)
    FILE("editor/color-value-field.js", editor_color_value_field_js)
    FILE("editor/colors.js", editor_colors_js)
    FILE("editor/control-keys.js", editor_control_keys_js)
    FILE("editor/control-parts.js", editor_control_parts_js)
    FILE("editor/controls-of.js", editor_controls_of_js)
    FILE("editor/controls.css", editor_controls_css)
    FILE("editor/curve-handles.js", editor_curve_handles_js)
    FILE("editor/curve-keys.js", editor_curve_keys_js)
    FILE("editor/curve-plot.js", editor_curve_plot_js)
    FILE("editor/curve.js", editor_curve_js)
    FILE("editor/curves.css", editor_curves_css)
    FILE("editor/curves.js", editor_curves_js)
    FILE("editor/document.js", editor_document_js)
    FILE("editor/edit-names.js", editor_edit_names_js)
    FILE("editor/editor.css", editor_editor_css)
    FILE("editor/emitter-preset.js", editor_emitter_preset_js)
    FILE("editor/emitters.js", editor_emitters_js)
    FILE("editor/field.js", editor_field_js)
    FILE("editor/finding.js", editor_finding_js)
    FILE("editor/frame-rate.js", editor_frame_rate_js)
    FILE("editor/gradient.js", editor_gradient_js)
    FILE("editor/handles.js", editor_handles_js)
    FILE("editor/images.js", editor_images_js)
    FILE("editor/index.js", editor_index_js)
    FILE("editor/inspector.js", editor_inspector_js)
    FILE("editor/lists.css", editor_lists_css)
    FILE("editor/mutation.js", editor_mutation_js)
    FILE("editor/numbers.js", editor_numbers_js)
    FILE("editor/outbox.js", editor_outbox_js)
    FILE("editor/paths.js", editor_paths_js)
    FILE("editor/plain-fields.js", editor_plain_fields_js)
    FILE("editor/preset-menu.js", editor_preset_menu_js)
    FILE("editor/presets.js", editor_presets_js)
    FILE("editor/projection.js", editor_projection_js)
    FILE("editor/property-remarks.js", editor_property_remarks_js)
    FILE("editor/property.js", editor_property_js)
    FILE("editor/queue.js", editor_queue_js)
    FILE("editor/range-field.js", editor_range_field_js)
    FILE("editor/rows.js", editor_rows_js)
    FILE("editor/session.js", editor_session_js)
    FILE("editor/soft-image.js", editor_soft_image_js)
    FILE("editor/split.js", editor_split_js)
    FILE("editor/sprite-editor.js", editor_sprite_editor_js)
    FILE("editor/sprite-field.js", editor_sprite_field_js)
    FILE("editor/stage-aim.js", editor_stage_aim_js)
    FILE("editor/stage-count.js", editor_stage_count_js)
    FILE("editor/stage-pictures.js", editor_stage_pictures_js)
    FILE("editor/stage.js", editor_stage_js)
    FILE("editor/time.js", editor_time_js)
    FILE("editor/turning.js", editor_turning_js)
    FILE("editor/value-field.js", editor_value_field_js)
    FILE("editor/values.js", editor_values_js)
    FILE("editor/variations.js", editor_variations_js)
    FILE("editor/widths.js", editor_widths_js)
    FILE("en.json", en_json)
    FILE("events.js", events_js)
    FILE("first-request.js", first_request_js)
    FILE("folders.js", folders_js)
    FILE("icon.svg", icon_svg)
    FILE("icons.js", icons_js)
    FILE("importing.js", importing_js)
    FILE("index.html", index_html)
    FILE("jobs.js", jobs_js)
    FILE("labels.js", labels_js)
    FILE("main.js", main_js)
    FILE("many.js", many_js)
    FILE("messages.js", messages_js)
    FILE("model.js", model_js)
    FILE("moving.js", moving_js)
    FILE("offers.js", offers_js)
    FILE("pictures.js", pictures_js)
    FILE("renaming.js", renaming_js)
    FILE("rescue.js", rescue_js)
    FILE("searching.js", searching_js)
    FILE("server.js", server_js)
    FILE("sharing.js", sharing_js)
    FILE("sheet.js", sheet_js)
    FILE("sheets.css", sheets_css)
    FILE("sheets.js", sheets_js)
    FILE("staying.js", staying_js)
    FILE("text-editor.js", text_editor_js)
    FILE("texts.js", texts_js)
    FILE("unsaved.js", unsaved_js)
    FILE("viewer.js", viewer_js)
    FILE("windows.js", windows_js)
    FILE("zoom.js", zoom_js)
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
