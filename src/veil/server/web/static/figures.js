// Pictures of a page as files: SVG that stands alone, or PNG. Styles are copied from the page into the picture.

import { make } from "./studio.js";

const STYLED = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-opacity", "opacity", "font-family", "font-size", "font-weight", "text-anchor", "paint-order", "visibility"];
const SHARP = 2; // pixels of a PNG per pixel of the page

/** Save a text or a blob under a name. */
export function save_file(name, content, type = "text/plain") {
  const link = make("a", { href: URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Buttons that save the pictures in an element; several pictures become one, side by side. */
export function figure_buttons(element, name) {
  const save = (kind) => () => save_figure(element, name(), kind);
  return make("span", { class: "figure-buttons" }, "Download figure: ",
    make("button", { type: "button", class: "slim plain", onclick: save("svg") }, "SVG"),
    make("button", { type: "button", class: "slim plain", onclick: save("png") }, "PNG"));
}

async function save_figure(element, name, kind) {
  const picture = combine([...element.querySelectorAll("svg")].filter((svg) => !svg.classList.contains("sample")));
  if (!picture) return;
  const text = new XMLSerializer().serializeToString(picture);
  const file = name.replace(/[^A-Za-z0-9_.()=, -]+/g, "_");
  if (kind === "svg") save_file(`${file}.svg`, text, "image/svg+xml");
  else save_file(`${file}.png`, await paint(picture, text), "image/png");
}

function combine(pictures) {
  if (!pictures.length) return null;
  const whole = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  let x = 0;
  let tall = 0;
  for (const picture of pictures) {
    const box = picture.getBoundingClientRect();
    const copy = copy_with_styles(picture);
    copy.setAttribute("x", x);
    copy.setAttribute("width", box.width);
    copy.setAttribute("height", box.height);
    whole.append(copy);
    x += box.width + 16;
    tall = Math.max(tall, box.height);
  }
  whole.setAttribute("width", x - 16);
  whole.setAttribute("height", tall);
  whole.setAttribute("viewBox", `0 0 ${x - 16} ${tall}`);
  return whole;
}

function copy_with_styles(picture) {
  const copy = picture.cloneNode(true);
  const from = [picture, ...picture.querySelectorAll("*")];
  const to = [copy, ...copy.querySelectorAll("*")];
  from.forEach((node, index) => {
    const style = getComputedStyle(node);
    for (const name of STYLED) {
      const value = style.getPropertyValue(name);
      if (value && value !== "none" || name === "fill" || name === "stroke") to[index].setAttribute(name, value);
    }
  });
  return copy;
}

function paint(picture, text) {
  const [wide, tall] = ["width", "height"].map((name) => Number(picture.getAttribute(name)));
  const canvas = make("canvas", { width: Math.ceil(wide * SHARP), height: Math.ceil(tall * SHARP) });
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => {
      const context = canvas.getContext("2d");
      context.fillStyle = getComputedStyle(document.body).backgroundColor;
      context.fillRect(0, 0, canvas.width, canvas.height);
      context.scale(SHARP, SHARP);
      context.drawImage(image, 0, 0, wide, tall);
      canvas.toBlob(resolve, "image/png");
    };
    image.onerror = reject;
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  });
}
