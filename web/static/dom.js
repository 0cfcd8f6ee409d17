// Small tools for building the page: elements, text, keyed lists. Text only ever becomes text nodes.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element; attributes of null, undefined or false are left out, of true are set empty. */
export function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for an SVG element. */
export function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) set(element, name, value);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Set one attribute; null, undefined and false take it away. Touches nothing when it stands so already. */
export function set(element, name, value) {
  if (value === null || value === undefined || value === false) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
    return;
  }
  const text = value === true ? "" : String(value);
  if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

/** Set the text of an element, only when it differs: a live region must not repeat itself. */
export function say(element, text) {
  const wanted = text ?? "";
  if (element.textContent !== wanted) element.textContent = wanted;
}

export function show(element, isShown) {
  if (element.hidden === isShown) element.hidden = !isShown;
}

/**
 * Make the children of `parent` match `items`, one element each, reusing those with the same key so that focus,
 * a finger or a transition isn't lost. `create(item)` makes one, `update(element, item)` brings it up to date.
 */
export function keyed(parent, items, keyOf, create, update) {
  const old = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  let before = null;
  for (const item of items) {
    const key = String(keyOf(item));
    let element = old.get(key);
    if (element) old.delete(key);
    else {
      element = create(item);
      element.dataset.key = key;
    }
    update(element, item);
    const place = before ? before.nextSibling : parent.firstChild;
    if (element !== place) parent.insertBefore(element, place);
    before = element;
  }
  for (const gone of old.values()) gone.remove();
}

export const byId = (id) => document.getElementById(id);
