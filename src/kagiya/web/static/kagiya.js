// What a server cannot do: the socket, clicks and keys, hover, the slider, light and dark. Everything else is drawn there,
// and put in its place by panels.js.
//
//   data-do="move" data-move="play 1"   click or submit sends {do: "move", move: "play 1", ...fields of the form}
//   data-with data-turn="3"             around it: sent along with whatever is done inside
//   a[data-live]                        followed over the socket, without loading a page
//   data-key="n"                        the key that clicks it; all are listed under "?"
//   data-lights="card-1 card-2"         while hovered or focused (on touch: after the first tap), these ids are lit
//   data-copy="/join/x"                 a click puts this address, with the server's, on the clipboard
//   data-follow                         scrolled into sight in its list whenever the page is drawn
//   data-way="back"                     a step from wherever the page is by then, so it is sent even if it leads nowhere now
//   data-hold="s"                       while the key or the pointer is held, or from one short click to the next, the body
//                                       has the class "hold-s", and what data-do names is sent with the value "on", then "off"

import { place, resetForms, sentForm } from "./panels.js";

const said = document.getElementById("said");
const unanswered = new Map(), sent = new Map(); // messages; how to take back that a form is sent
let socket, number = 0, pause = 250, keysAreOn = localStorage.getItem("keys") !== "off";

// ---- the socket

function connect() {
  const at = encodeURIComponent(location.pathname + location.search);
  socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live?at=${at}`);
  socket.onopen = () => {
    document.body.classList.remove("offline");
    if (said.dataset.offline) say("");
    for (const text of unanswered.values()) socket.send(text);
  };
  socket.onmessage = (event) => { pause = 250; receive(JSON.parse(event.data)); };
  socket.onclose = (event) => {
    document.body.classList.add("offline");
    say(event.reason || "The server does not answer; trying again.");
    said.dataset.offline = "yes";
    setTimeout(connect, pause);
    pause = Math.min(2000, pause * 2);
  };
}

function receive(frame) {
  if ("did" in frame) answered(frame.did, "say" in frame);
  if ("say" in frame) say(frame.say);
  if ("title" in frame) document.title = frame.title;
  if ("address" in frame && frame.address !== location.pathname + location.search) {
    resetForms();
    const isStep = frame.address.split("?")[0] === location.pathname;
    history[isStep ? "replaceState" : "pushState"](null, "", frame.address);
  }
  if ("panels" in frame) place(frame.panels);
}

function answered(id, isRefused) {
  unanswered.delete(id);
  if (isRefused) sent.get(id)?.();
  sent.delete(id);
}

function send(message) {
  message.id = String(++number);
  message.at = location.pathname; // the second click of a double click may come when the page is another one
  const text = JSON.stringify(message), size = new TextEncoder().encode(text).length;
  if (size > 65_000) return say(`That is ${size} bytes; a page takes 65,000 at once.`);
  unanswered.set(message.id, text);
  if (socket.readyState === WebSocket.OPEN) socket.send(text);
  return message.id;
}

function say(text, isGood = false) {
  if (!text && document.body.classList.contains("offline")) return; // that nobody answers stays until somebody does
  delete said.dataset.offline;
  said.textContent = text;
  said.classList.toggle("good", isGood);
}

// ---- clicks and forms

function messageOf(element) {
  const { do: what, key, lights, hold, ...rest } = element.dataset;
  const { with: _, ...around } = element.closest("[data-with]")?.dataset ?? {};
  return { ...around, do: what, ...rest };
}

let litByTouch = null;

document.addEventListener("click", (event) => {
  if (event.detail > 1 && event.target.closest("button.main, [data-do=back]")) return event.preventDefault(); // done by the first
  const link = event.target.closest("a[data-live]");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    say("");
    return send({ do: "go", to: link.getAttribute("href") });
  }
  const copied = event.target.closest("[data-copy]");
  if (copied) return copy(new URL(copied.dataset.copy, location.href).href);
  const holder = event.target.closest("[data-hold]");
  if (holder) return event.detail || hold(holder, !isOn(holder)); // a pointer has held it; a key or a screen reader has not
  const element = event.target.closest("[data-do]");
  if (!element || element.matches("form, input, select, textarea")) return;
  if (element.getAttribute("aria-disabled") === "true" && !element.dataset.way) return;
  if (element.dataset.lights && event.pointerType === "touch" && litByTouch !== element.id) {
    litByTouch = element.id;
    return light(element);
  }
  litByTouch = null;
  if (element.dataset.sure && !confirm(element.dataset.sure)) return;
  say("");
  send({ ...event.target.dataset, ...messageOf(element) });
});

// Browsers give pages without TLS no clipboard; there the text is selected and copied as by hand, if they still allow it.
const COPIED = "The link is on the clipboard.";
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return say(COPIED, true);
  } catch { /* no clipboard, or no leave to use it */ }
  const field = Object.assign(document.createElement("textarea"), { value: text, className: "unseen" });
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  say(isCopied ? COPIED : `Copy this address: ${text}`, true);
}

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-do]");
  if (!form) return;
  event.preventDefault();
  say("");
  const id = send({ ...messageOf(form), ...Object.fromEntries(new FormData(form)) });
  if (id) sent.set(id, sentForm(form));
  for (const field of form.querySelectorAll("[data-empties]")) field.value = "";
});

// A slider sends while it moves, at most once per drawn frame; other fields when they are left.
let waitingField = null;
function sendField(field) {
  send({ ...messageOf(field), value: field.type === "checkbox" ? String(field.checked) : field.value });
}
document.addEventListener("input", (event) => {
  if (!event.target.matches("input[type=range][data-do]")) return;
  if (!waitingField) requestAnimationFrame(() => { sendField(waitingField); waitingField = null; });
  waitingField = event.target;
});
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-do]:is(select, textarea, input:not([type=range]))")) sendField(event.target);
  if (event.target.matches("input[type=file][data-into]")) readFile(event.target);
});

async function readFile(field) {
  const file = field.files[0];
  if (!file) return;
  if (file.size > 60_000) return say(`${file.name} has ${file.size} bytes; a page takes 60,000. Use kagiya serve FILE.`);
  document.getElementById(field.dataset.into).value = await file.text();
}

function follow() {
  for (const item of document.querySelectorAll("[data-follow]")) {
    const list = item.parentElement, above = item.offsetTop - list.offsetTop * (list === item.offsetParent ? 0 : 1);
    if (above < list.scrollTop || above + item.offsetHeight > list.scrollTop + list.clientHeight)
      list.scrollTop = above - list.clientHeight / 2;
  }
}
document.body.addEventListener("drawn", follow);

// ---- lights

function light(element) {
  document.querySelectorAll(".lit").forEach((card) => card.classList.remove("lit"));
  for (const id of element?.dataset.lights?.split(" ") ?? []) document.getElementById(id)?.classList.add("lit");
}
for (const kind of ["pointerover", "focusin"])
  document.addEventListener(kind, (event) => {
    if (event.pointerType !== "touch") light(event.target.closest("[data-lights]"));
  });

// ---- keys

function isTyping(target) {
  return target.matches("textarea, select, [contenteditable], input:not([type=range], [type=checkbox], [type=radio], [type=button])");
}

document.addEventListener("keydown", (event) => {
  if (!keysAreOn || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (document.querySelector("dialog[open]")) return;
  if (event.target.matches("input[type=range]") && event.key.startsWith("Arrow")) return;
  if (event.key === "Enter" && event.target.closest("a, button, summary")) return;
  if (event.key === "?") return showKeys();
  if (!event.repeat) press(holderOf(event.key));
  const element = [...document.querySelectorAll("[data-key]")].find((each) => each.dataset.key === event.key);
  if (!element || event.repeat && !event.key.startsWith("Arrow")) return;
  event.preventDefault();
  if (element.matches("input, select, textarea")) element.focus();
  else if (!element.disabled) element.click();
});
document.addEventListener("keyup", (event) => { if (held?.dataset.hold === event.key) release(); });
document.addEventListener("pointerdown", (event) => press(event.target.closest("[data-hold]")));
window.addEventListener("pointerup", () => release(performance.now() - heldSince < 300));
for (const kind of ["pointercancel", "blur"]) window.addEventListener(kind, () => release());

let held = null, heldSince = 0, wasOn = false;
const holderOf = (key) => document.querySelector(`[data-hold="${CSS.escape(key)}"]`);
const isOn = (element) => document.body.classList.contains(`hold-${element.dataset.hold}`);
function hold(element, isWanted) {
  if (isOn(element) === isWanted) return;
  document.body.classList.toggle(`hold-${element.dataset.hold}`, isWanted);
  element.setAttribute("aria-pressed", isWanted);
  if (element.dataset.do) send({ ...messageOf(element), value: isWanted ? "on" : "off" });
}
function press(element) {
  if (!element || held) return;
  [held, heldSince, wasOn] = [element, performance.now(), isOn(element)];
  hold(element, true);
}
function release(isShort = false) {
  if (held && (wasOn || !isShort)) hold(held, false);
  held = null;
}
document.body.addEventListener("drawn", () => { // the server draws buttons that are not pressed, or none at all
  for (const name of [...document.body.classList].filter((each) => each.startsWith("hold-"))) {
    const element = holderOf(name.slice("hold-".length));
    element ? element.setAttribute("aria-pressed", true) : document.body.classList.remove(name);
  }
});

function showKeys() {
  const dialog = document.getElementById("keys");
  const title = Object.assign(document.createElement("h2"), { id: "keys-title", textContent: "Keys" });
  const list = document.createElement("dl");
  for (const element of document.querySelectorAll("[data-key], [data-hold]")) {
    const key = element.dataset.key ?? `hold ${element.dataset.hold}`;
    const what = element.getAttribute("aria-label") ?? element.title ?? "";
    list.append(Object.assign(document.createElement("dt"), { textContent: key.replace("Arrow", "") }));
    list.append(Object.assign(document.createElement("dd"), { textContent: what || element.textContent }));
  }
  const toggle = document.createElement("button");
  const show = () => { toggle.textContent = keysAreOn ? "Switch keys off" : "Switch keys on"; };
  toggle.onclick = () => { keysAreOn = !keysAreOn; localStorage.setItem("keys", keysAreOn ? "on" : "off"); show(); };
  show();
  const close = Object.assign(document.createElement("button"), { textContent: "Close", onclick: () => dialog.close() });
  dialog.replaceChildren(title, list, toggle, close);
  dialog.showModal();
}
document.getElementById("show-keys").onclick = showKeys;

// ---- light and dark, back and forth

function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
}
setTheme(localStorage.getItem("theme"));
document.getElementById("theme").onclick = () => {
  const dark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  localStorage.setItem("theme", dark ? "light" : "dark");
  setTheme(dark ? "light" : "dark");
};
window.addEventListener("popstate", () => send({ do: "go", to: location.pathname + location.search }));

connect();
