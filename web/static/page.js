// Every page of the application works without this module. With it, filters apply when they change and charts show
// the values of the day under the pointer.

let shown = location.pathname + location.search;

// A changed filter replaces the content of the page, so that the focus stays in the filter bar.
document.addEventListener("change", async (event) => {
  const form = event.target.closest("form.filters");
  if (!form || event.target.type === "date") return;
  const address = new URL(form.action);
  address.search = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
  const { name } = event.target;
  const answer = await fetch(address).catch(() => null);
  if (!answer?.ok) return form.submit();
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const content = page.getElementById("content");
  if (!content || content.querySelector("script")) return form.submit();
  const open = form.querySelector(".sheet")?.open;
  document.getElementById("content").replaceWith(content);
  document.querySelector(".side nav")?.replaceWith(page.querySelector(".side nav"));
  document.title = page.title;
  history.pushState(null, "", address);
  shown = location.pathname + location.search;
  const sheet = content.querySelector(".filters .sheet");
  if (sheet && open) sheet.open = true;
  content.querySelector(`.filters [name="${CSS.escape(name)}"]`)?.focus();
});
addEventListener("popstate", () => {
  if (location.pathname + location.search !== shown) location.reload();
});

// The read-out of a chart: the titles of its days are the source of the values.
let readout = null;

function clear() {
  readout?.line.remove();
  readout?.box.remove();
  readout = null;
}

function nearest(svg, x) {
  const days = [...svg.querySelectorAll(".dot")];
  const distance = (dot) => Math.abs(Number(dot.getAttribute("cx")) - x);
  return days.reduce((best, dot) => (best && distance(best) <= distance(dot) ? best : dot), null);
}

function show(svg, dot) {
  if (readout?.dot === dot) return;
  clear();
  const x = dot.getAttribute("cx");
  const line = document.createElementNS(svg.namespaceURI, "path");
  line.setAttribute("class", "crosshair");
  line.setAttribute("d", `M${x} ${svg.dataset.top}V${svg.dataset.bottom}`);
  dot.before(line);
  const titled = svg.parentElement.querySelectorAll(".wide-form .dot")[[...svg.querySelectorAll(".dot")].indexOf(dot)];
  const [day, ...values] = titled.textContent.split("\n");
  const box = document.createElement("div");
  box.className = "readout";
  box.setAttribute("role", "status");
  const words = document.createElement("strong");
  words.textContent = day;
  const table = document.createElement("table");
  for (const value of values) {
    const row = table.insertRow();
    const colon = value.lastIndexOf(": ");
    row.insertCell().textContent = value.slice(0, colon);
    row.insertCell().textContent = value.slice(colon + 2);
  }
  box.append(words, table);
  svg.parentElement.append(box);
  const offset = dot.getBoundingClientRect().x - svg.parentElement.getBoundingClientRect().x;
  box.style.left = `${Math.max(0, offset > svg.clientWidth / 2 ? offset - box.offsetWidth - 12 : offset + 18)}px`;
  readout = { svg, dot, line, box };
}

function place(svg, event) {
  const { left, width } = svg.getBoundingClientRect();
  return ((event.clientX - left) * svg.viewBox.baseVal.width) / width;
}

document.addEventListener("pointermove", (event) => {
  const svg = event.target.closest?.("svg.time");
  if (zoom) return stretch(event);
  if (!svg) return clear();
  const dot = nearest(svg, place(svg, event));
  if (dot) show(svg, dot);
});
document.addEventListener("keydown", (event) => {
  const svg = event.target.closest?.("svg.time");
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (event.key === "Escape") {
    clear();
    endZoom();
  }
  if (!svg || !step) return;
  event.preventDefault();
  const dots = [...svg.querySelectorAll(".dot")];
  const at = readout?.svg === svg ? dots.indexOf(readout.dot) + step : step > 0 ? 0 : dots.length - 1;
  show(svg, dots[Math.min(Math.max(at, 0), dots.length - 1)]);
});
document.addEventListener("focusout", clear);

// Dragging over a chart selects days: the address gets them, as if they were typed in the filters.
const NARROWEST = 8;
let zoom = null;

function endZoom() {
  zoom?.area.remove();
  zoom = null;
}

function stretch(event) {
  const { left, right } = zoom.svg.dataset;
  zoom.to = Math.min(Math.max(place(zoom.svg, event), Number(left)), Number(right));
  zoom.area.setAttribute("x", Math.min(zoom.from, zoom.to));
  zoom.area.setAttribute("width", Math.abs(zoom.to - zoom.from));
}

function dayAt(svg, x) {
  const { left, right, first, last } = svg.dataset;
  const share = (x - left) / (right - left);
  const time = Date.parse(first) + share * (Date.parse(last) - Date.parse(first));
  return new Date(Math.round(time / 864e5) * 864e5).toISOString().slice(0, 10);
}

document.addEventListener("pointerdown", (event) => {
  const svg = event.target.closest?.("svg.time");
  if (!svg || event.pointerType === "touch" || event.button || !document.querySelector(".filters [name=from]")) return;
  event.preventDefault();
  svg.focus();
  clear();
  const area = document.createElementNS(svg.namespaceURI, "rect");
  area.setAttribute("class", "zoom");
  area.setAttribute("y", svg.dataset.top);
  area.setAttribute("height", svg.dataset.bottom - svg.dataset.top);
  svg.append(area);
  zoom = { svg, area, from: place(svg, event) };
  stretch(event);
  zoom.from = zoom.to;
});
document.addEventListener("pointerup", () => {
  if (!zoom) return;
  const { svg, from, to } = zoom;
  endZoom();
  if (Math.abs(to - from) < NARROWEST) return;
  const address = new URL(location.href);
  address.searchParams.delete("period");
  address.searchParams.set("from", dayAt(svg, Math.min(from, to)));
  address.searchParams.set("to", dayAt(svg, Math.max(from, to)));
  location.assign(address);
});
