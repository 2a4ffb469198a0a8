// Icons: paths of 24 units, drawn with lines in the colour of the text.

const paths = {
  grid: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z",
  list: "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01",
  search: "M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM16 16l4.5 4.5",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  sort: "M7 5v14M4 16l3 3 3-3M17 19V5M14 8l3-3 3 3",
  folder: "M3 7a2 2 0 0 1 2-2h4l2 2.5h8a2 2 0 0 1 2 2V17a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z",
  clock: "M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM12 7.5V12l3 2",
  text: "M6 3.5h8l4.5 4.5V20.5H6zM13.5 3.5V8.5h5M9 12.5h6M9 16h6",
  file: "M6 3.5h8l4.5 4.5V20.5H6zM13.5 3.5V8.5h5",
  trash: "M4.5 6.5h15M9.5 6V4h5v2M6.5 6.5l1 13.5h9l1-13.5M10 10.5v6M14 10.5v6",
  pencil: "M4 20l1-4.5L16 4.5l3.5 3.5L8.5 19zM13.5 7l3.5 3.5",
  copy: "M8.5 8.5h11v11h-11zM5.5 15.5h-1v-11h11v1",
  move: "M3 7a2 2 0 0 1 2-2h4l2 2.5h8a2 2 0 0 1 2 2V17a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2zM9 13h6M12.5 10l3 3-3 3",
  info: "M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM12 11v5M12 8h.01",
  convert: "M4 8h13M13.5 4.5L17 8l-3.5 3.5M20 16H7M10.5 12.5L7 16l3.5 3.5",
  film: "M4 5h16v14H4zM8 5v14M16 5v14M4 9.5h4M4 14.5h4M16 9.5h4M16 14.5h4",
  more: "M6 12h.01M12 12h.01M18 12h.01",
  close: "M6 6l12 12M18 6L6 18",
  back: "M14.5 5l-7 7 7 7",
  up: "M5 11l7-7 7 7M12 4v16",
  play: "M7 4.5l12 7.5-12 7.5z",
  pause: "M8 5v14M16 5v14",
  restart: "M5 12a7 7 0 1 0 2.5-5.4M5 4v4.5h4.5",
  download: "M12 4v11M7.5 11l4.5 4.5L16.5 11M4.5 19.5h15",
  undo: "M8.5 4.5L4.5 8.5l4 4M5 8.5h9a5.5 5.5 0 0 1 0 11h-4",
  check: "M5 12.5l4.5 4.5L19 7",
  warning: "M12 4l9 16H3zM12 10v4.5M12 17.2h.01",
  spark: "M12 3v5M12 16v5M3 12h5M16 12h5M6 6l3 3M15 15l3 3M18 6l-3 3M9 15l-3 3",
  chevron: "M9 5l7 7-7 7",
  redo: "M15.5 4.5l4 4-4 4M19 8.5h-9a5.5 5.5 0 0 0 0 11h4",
  star: "M12 4l2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.1-4 5.7-.8z",
  tag: "M4 4h7.5l8.5 8.5-7.5 7.5L4 11.5zM8 8h.01",
  share: "M12 15V4M8 7.5L12 4l4 3.5M6 11H5v9h14v-9h-1",
  mail: "M3.5 5.5h17v13h-17zM4 6.5l8 6.5 8-6.5",
  shield: "M12 3.5l7.5 2.5v5.5c0 5-3.5 7.7-7.5 9-4-1.3-7.5-4-7.5-9V6zM8.5 12l2.5 2.5 4.5-5",
  compress: "M12 3v6M9.5 6.5L12 9l2.5-2.5M12 21v-6M9.5 17.5L12 15l2.5 2.5M4.5 12h15",
  link: "M9.5 14.5l5-5M11 7.5l2-2a4 4 0 0 1 5.5 5.5l-2 2M13 16.5l-2 2A4 4 0 0 1 5.5 13l2-2",
};

const space = "http://www.w3.org/2000/svg";

/** An icon. It is decoration: a label has its meaning. */
export function icon(name) {
  const image = document.createElementNS(space, "svg");
  image.setAttribute("viewBox", "0 0 24 24");
  image.setAttribute("class", "icon");
  image.setAttribute("aria-hidden", "true");
  image.dataset.icon = name;
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", paths[name]);
  image.append(path);
  return image;
}

/** An element with attributes, listeners (`onclick`) and children. */
export function make(name, values = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(values)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.className = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

/** A button with an icon and a label that is shown or not. */
export function button(symbol, label, action, { isShown = false, ...values } = {}) {
  const element = make("button", { type: "button", onclick: action, ...values }, symbol ? icon(symbol) : null);
  if (isShown) {
    element.append(make("span", {}, label));
  } else {
    element.setAttribute("aria-label", label);
    element.title = label;
  }
  return element;
}
