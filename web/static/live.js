// The newest state, as it comes: an event stream, and plain asking when there is none.

const POLL_MS = 2000;
const SLOW_POLL_MS = 5000; // when every live place is taken
const SILENT_MS = 40000; // two heartbeats and some: then the stream is dead though the browser hasn't noticed

/** Calls `onState(raw)` for each newer state and `onLink(name)` with live, polling or lost. */
export function follow(onState, onLink) {
  let source = null;
  let heardAt = Date.now();
  let version = -1;
  let pollTimer = null;

  const take = (raw, mayGoBack) => {
    heardAt = Date.now();
    if (!mayGoBack && raw.version <= version) return;
    version = raw.version;
    onState(raw);
  };

  async function ask() {
    try {
      const answer = await fetch("/api/state", { cache: "no-store" });
      if (!answer.ok) throw new Error(String(answer.status));
      take(await answer.json(), source?.readyState !== EventSource.OPEN);
      return true;
    } catch {
      return false;
    }
  }

  async function poll(wait) {
    const isThere = await ask();
    onLink(isThere ? "polling" : "lost");
    clearTimeout(pollTimer);
    pollTimer = setTimeout(() => (isThere && wait === SLOW_POLL_MS ? poll(wait) : open()), wait);
  }

  function open() {
    clearTimeout(pollTimer);
    source?.close();
    source = new EventSource("/api/events");
    let isFirst = true; // after a restart of the table versions start lower: the first state of each connection counts
    source.onopen = () => { isFirst = true; };
    source.onmessage = (event) => {
      onLink("live");
      take(JSON.parse(event.data), isFirst);
      isFirst = false;
    };
    source.onerror = () => {
      // CONNECTING: the browser tries again by itself. CLOSED: refused, for want of places or of a table.
      if (source.readyState === EventSource.CLOSED) poll(SLOW_POLL_MS);
      else ask().then((isThere) => onLink(isThere ? "polling" : "lost"));
    };
  }

  setInterval(() => {
    if (source?.readyState === EventSource.OPEN && Date.now() - heardAt > SILENT_MS) {
      ask().then((isThere) => { if (!isThere) onLink("lost"); });
      heardAt = Date.now();
    }
  }, POLL_MS);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") ask(); // a phone that slept shows the present at once
  });
  open();
  return { ask };
}
