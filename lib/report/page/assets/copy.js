// Adds a button to each command that copies it. Commands can also be selected without it.
(() => {
  const copy = async (text, command) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Browsers without access to the clipboard: the command is selected, ready to be copied.
      getSelection()?.selectAllChildren(command);
      return false;
    }
  };
  for (const command of document.querySelectorAll("pre, code.command")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.setAttribute("aria-label", `Copy: ${command.textContent.slice(0, 80)}`);
    button.addEventListener("click", async () => {
      button.textContent = (await copy(command.textContent, command)) ? "Copied" : "Selected";
      setTimeout(() => {
        button.textContent = "Copy";
      }, 2_000);
    });
    command.after(button);
  }
})();
