// Puts the panels that the server sends in their places: {id: [start tag, contents]}, those around others first, null where
// nothing has changed. In contents, a comment stands for the panel that it names. All that has changed is replaced; the focus,
// scrolling, what is selected or opened, and fields that somebody is filling in are put back as they were.

const written = new Set(); // fields that somebody is filling in
const waiting = new Map(); // panels in which the pointer is pressed: a click ends where it began
let pressed = null;

export function place(panels) {
  const putBack = remember(Object.keys(panels).filter((id) => panels[id][1] !== null).map((id) => document.getElementById(id)));
  for (const [id, [tag, contents]] of Object.entries(panels)) {
    const panel = document.getElementById(id), [oldTag, oldContents] = waiting.get(id) ?? [null, null];
    if (pressed?.isConnected && (!panel || panel.id !== "main" && panel.contains(pressed)))
      waiting.set(id, [tag ?? oldTag, contents ?? oldContents]);
    else if (panel) {
      const there = tag === null ? panel : withAttributes(panel, made(tag).firstElementChild);
      if (contents !== null) there.replaceChildren(withPanels(made(contents), panels));
    }
  }
  putBack.forEach((each) => each());
  document.body.dispatchEvent(new Event("drawn"));
}

function made(html) {
  return Object.assign(document.createElement("template"), { innerHTML: html }).content;
}

function withAttributes(panel, fresh) {
  if (panel.localName !== fresh.localName) return panel.replaceWith(fresh) ?? fresh;
  for (const { name } of [...panel.attributes]) if (!fresh.hasAttribute(name)) panel.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (panel.getAttribute(name) !== value) panel.setAttribute(name, value);
  if (panel.matches("input") && panel !== document.activeElement && !written.has(panel)) panel.value = fresh.value;
  return panel;
}

function withPanels(contents, panels) {
  const comments = document.createTreeWalker(contents, NodeFilter.SHOW_COMMENT), places = [];
  while (comments.nextNode()) places.push(comments.currentNode);
  for (const each of places) each.replaceWith(document.getElementById(each.data) ?? made(panels[each.data][0]));
  return contents;
}

// What puts back all that is lost when these panels get other contents.
function remember(panels) {
  const inside = new Set(panels.filter(Boolean).flatMap((panel) => [panel, ...panel.querySelectorAll("*")])), found = [];
  for (const node of inside) {
    const { scrollTop, scrollLeft, open } = node;
    if (scrollTop || scrollLeft) found.push(again(node, (twin) => twin.scrollTo(scrollLeft, scrollTop)));
    if (open) found.push(again(node, (twin) => { twin.open = true; }));
    if (written.has(node)) found.push(filling(node));
  }
  const field = document.activeElement, { selectionStart, selectionEnd } = field;
  if (inside.has(field)) found.push(again(field, (twin) => {
    twin.focus({ preventScroll: true });
    if (Number.isInteger(selectionStart)) twin.setSelectionRange?.(selectionStart, selectionEnd);
  }));
  const { anchorNode, anchorOffset, focusNode, focusOffset, isCollapsed } = getSelection();
  const ends = isCollapsed ? [] : [anchorNode, focusNode].filter((node) => node.data && inside.has(node.parentElement));
  if (ends.length === 2) {
    const twins = ends.map((node) => [selector(node.parentElement), [...node.parentElement.childNodes].indexOf(node)]);
    found.push(() => {
      const [start, end] = twins.map(([where, index]) => document.querySelector(where)?.childNodes[index]);
      if (start?.data === anchorNode.data && end?.data === focusNode.data)
        getSelection().setBaseAndExtent(start, anchorOffset, end, focusOffset);
    });
  }
  return found;
}

// Does something to an element, or to what has taken its place.
function again(node, act) {
  const where = selector(node);
  return () => {
    const twin = node.isConnected ? node : document.querySelector(where);
    if (twin) act(twin);
  };
}

function selector(node) {
  const name = node.getAttribute("name");
  if (node.hasAttribute("id")) return `#${CSS.escape(node.getAttribute("id"))}`;
  if (name) return `${selector(node.parentElement.closest("[id]"))} [name="${CSS.escape(name)}"]`;
  return `${selector(node.parentElement)} > :nth-child(${1 + [...node.parentElement.children].indexOf(node)})`;
}

// Fills a field in as it is now; where a list no longer offers what was chosen, it is left as it is.
function filling(field) {
  const { value, checked, files } = field;
  return again(field, (twin) => {
    written.delete(field);
    if (twin.matches("select") && ![...twin.options].some((option) => option.value === value)) return;
    written.add(twin);
    if (files) twin.files = files;
    else [twin.value, twin.checked] = [value, checked];
  });
}

// A form was sent: its fields are no longer being filled in. Returns what takes that back, if the server refuses.
export function sentForm(form) {
  const fields = [...form.elements].filter((field) => written.has(field)), putBack = fields.map(filling);
  fields.forEach((field) => written.delete(field));
  return () => putBack.forEach((each) => each());
}

// On another view forms are as the server draws them, but for the line that somebody is typing.
export function resetForms() {
  const line = document.activeElement, text = line.matches("input, textarea") && written.has(line) ? line.value : null;
  document.querySelectorAll("form").forEach((form) => form.reset());
  written.clear();
  if (text !== null) written.add(Object.assign(line, { value: text }));
}

document.addEventListener("input", (event) => {
  if (!event.target.matches("[data-do]:is(select, [type=range], [type=checkbox])")) written.add(event.target);
});
document.addEventListener("change", (event) => { if (event.target.matches("[data-do]")) written.delete(event.target); });

document.addEventListener("pointerdown", (event) => { pressed = event.button ? null : event.target; }, true);
for (const kind of ["pointerup", "pointercancel", "blur"])
  window.addEventListener(kind, () => setTimeout(() => { // after the click
    const panels = Object.fromEntries(waiting);
    pressed = null;
    waiting.clear();
    if (Object.keys(panels).length) place(panels);
  }, 50));
