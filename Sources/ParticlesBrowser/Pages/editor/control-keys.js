// The keys of the controls, which work where the focus is, for the list of keys.

import { has, text } from "../texts.js";

/** Keys as they are printed on keyboards of the language, such as `Ctrl + Z`. */
export const keyName = (keys) => keys.replace(/[A-Z][A-Za-z]+/g, (word) => (has(`keyCap${word}`) ? text(`keyCap${word}`) : word));

/** For each kind of control, the key of its title, and its keys with the keys of their texts. */
export const controlKeys = [
  ["keysOfNumbers", [["← → ↑ ↓", "keyStep"], ["Shift + ← → ↑ ↓", "keyFine"], ["PageUp, PageDown", "keyTenSteps"], ["Home, End", "keyEnds"], ["0 … 9", "keyType"], ["Enter", "keyTake"], ["Esc", "keyGiveUp"]]],
  ["keysOfCurves", [["← → ↑ ↓", "keyMoveKeys"], ["Shift + ← → ↑ ↓", "keyFine"], ["Insert, +", "addKey"], ["Delete", "removeKey"], ["Ctrl + A", "keyAll"]]],
  ["keysOfEmitters", [["↑ ↓", "keyChoose"], ["Alt + ↑ ↓", "editNameMove"], ["Space", "keyAdd"], ["F2, Enter", "keyRename"], ["Insert", "editNameAdd"], ["Ctrl + D", "editNameDuplicate"], ["Ctrl + C, Ctrl + V", "keyCopyPaste"],
    ["Delete", "editNameRemove"], ["M", "keyMute"], ["S", "keySolo"], ["Ctrl + A", "keyAll"]]],
  ["keysOfVariations", [["← → ↑ ↓", "keyChoose"], ["Enter", "keyTake"], ["R", "rollAgain"], ["Esc", "close"]]],
  ["keysOfHandles", [["← → ↑ ↓", "editMoveHandle"], ["Shift + ← → ↑ ↓", "keyTenPixels"]]],
];
