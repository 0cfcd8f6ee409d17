// Commands and hands: what the page asks of the table, and the sentence when it says no.

import { byId, say, show } from "./dom.js";

let version = 0;
let refresh = async () => {};
let toastTimer = null;

/** Every command carries the version of the state the person saw. */
export function setVersion(seen) {
  version = seen;
}

/** How to fetch the newest state after a stale command. */
export function onStale(ask) {
  refresh = ask;
}

export const command = (name, args = {}) => post("/api/commands", { ...args, version, command: name });
export const hands = (deed, args = {}) => post("/api/hands", { ...args, do: deed });

async function post(path, body) {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Cowboard": "1" },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    if (response.ok) toast("");
    else {
      toast(answer.sentence || "The table said no.");
      if (response.status === 409) await refresh();
    }
    return response.ok;
  } catch {
    toast("The table doesn't answer. What you did may not have arrived.");
    return false;
  }
}

/** One sentence at the upper edge, for a few seconds; an empty one takes it away. An open dialog would cover it: then inside that. */
export function toast(sentence) {
  const place = byId("toast");
  const host = document.querySelector("dialog:modal") || document.body;
  if (place.parentElement !== host) host.append(place);
  clearTimeout(toastTimer);
  say(place, sentence);
  show(place, Boolean(sentence));
  if (sentence) toastTimer = setTimeout(() => show(place, false), 7000);
}
