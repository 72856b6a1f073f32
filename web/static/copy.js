// Gives every element with data-copy a button that copies its text. Without scripts the text can still be selected.
for (const source of document.querySelectorAll("[data-copy]")) {
  if (!navigator.clipboard) break;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.setAttribute("aria-label", `Copy ${source.dataset.copy}`);
  const said = document.createElement("span");
  said.className = "visually-hidden";
  said.setAttribute("role", "status");
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(source.textContent.trim());
    button.textContent = "Copied";
    said.textContent = `${source.dataset.copy} copied`;
    setTimeout(() => {
      button.textContent = "Copy";
      said.textContent = "";
    }, 2000);
  });
  source.parentElement.append(button, said);
}
