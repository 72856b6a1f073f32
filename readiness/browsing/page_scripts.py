"""What runs inside a page: before its own scripts, to notice what they register and move, and after them, to count."""

WATCH = r"""
(() => {
  const seen = {tools: [], shift: 0, measured: false, first: 0, last: 0, window: 0};
  const note = (tool) => {
    try { if (tool && tool.name && seen.tools.length < 50) seen.tools.push(String(tool.name).slice(0, 100)); } catch {}
  };
  const context = {
    registerTool(tool) { note(tool); return {unregister() {}}; },
    unregisterTool() {},
    provideContext(given) { try { [...((given && given.tools) || [])].slice(0, 50).forEach(note); } catch {} },
    clearContext() {},
  };
  const places = [[Navigator.prototype, 'modelContext'], [Document.prototype, 'modelContext'], [window, 'agent']];
  for (const [owner, name] of places) {
    try { Object.defineProperty(owner, name, {value: context, configurable: false, writable: false}); } catch {}
  }
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport', 'WebSocket', 'EventSource']) {
    try { delete window[name]; } catch {}
  }
  try {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (entry.hadRecentInput) continue;
        const fresh = entry.startTime - seen.last > 1000 || entry.startTime - seen.first > 5000;
        if (fresh) { seen.first = entry.startTime; seen.window = 0; }
        seen.window += entry.value;
        seen.last = entry.startTime;
        seen.shift = Math.max(seen.shift, seen.window);
      }
    }).observe({type: 'layout-shift', buffered: true});
    seen.measured = true;
  } catch {}
  Object.defineProperty(window, '__readiness', {value: seen, enumerable: false, configurable: false});
})();
"""
"""Sockets of a page's own are taken away; the gate would refuse them, this spares the attempt."""

COUNT = r"""
() => {
  const text = (document.body ? document.body.innerText : '').slice(0, 400000);
  const seen = window.__readiness || {tools: [], shift: 0, measured: false};
  return {
    words: text.split(/\s+/).filter(Boolean).length,
    shift: seen.measured ? Number(seen.shift) : null,
    tools: [...seen.tools].map(String).slice(0, 50),
  };
}
"""
