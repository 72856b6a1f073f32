// In a list of rows, J and K open the next and the previous row on a page that has one open, or move the focus.
const typing = "input, select, textarea, [contenteditable], dialog *";

document.addEventListener("keydown", (event) => {
  const step = { j: 1, k: -1 }[event.key.toLowerCase()];
  if (!step || event.ctrlKey || event.metaKey || event.altKey || event.target.matches(typing)) return;
  const rows = [...document.querySelectorAll("[data-rows] > li > a")];
  const open = rows.findIndex((row) => row.ariaCurrent === "true");
  const at = open >= 0 ? open : rows.indexOf(document.activeElement);
  const next = rows[at + step];
  if (!next) return;
  event.preventDefault();
  if (open >= 0) location.assign(next.href);
  else next.focus();
});

// The open row is in sight in a list that scrolls.
document.querySelector("[data-rows] > .current")?.scrollIntoView({ block: "nearest" });
