/** The only script of the dashboard. It copies a new key. */
export const copyScript = `const [value, button, status] = ['value', 'copy', 'said'].map(id => document.getElementById(id));
const showStatus = text => {
  status.className = 'notice';
  status.textContent = text;
};
button.hidden = false;
button.focus();
button.addEventListener('click', async () => {
  try {
    await navigator.clipboard.writeText(value.value);
    showStatus('Key copied.');
  } catch {
    value.select();
    showStatus('The browser blocked copying. The key is selected: copy it with Ctrl+C.');
  }
});
`;

export const iconSvg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#005fb8"/><path d="M2.5 11.5 6 7l2.5 2.5L13.5 4" fill="none" stroke="#fff" stroke-width="1.6"/></svg>';

/** The stylesheet. It uses system colors, which browsers replace in forced colors mode. */
export const styles = `:root {
  color-scheme: light dark;
  --line: color-mix(in srgb, CanvasText 25%, Canvas);
  --quiet: color-mix(in srgb, CanvasText 72%, Canvas);
  --accent: light-dark(#005fb8, #4daafc);
  --danger: light-dark(#b01011, #f88070);
}
* { box-sizing: border-box; }
body {
  max-width: 1160px;
  margin: 0 auto;
  padding: 16px 24px 48px;
  background: Canvas;
  color: CanvasText;
  font: 14px/1.5 system-ui, sans-serif;
}
header, .line { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; }
header h1 { flex: 1; }
.line { margin: 12px 0; }
h1 { margin: 0; font-size: 20px; }
h2 { margin: 0 0 12px; font-size: 16px; }
h2, li, p, tbody th { overflow-wrap: anywhere; }
section { margin-top: 32px; }
#said.notice, .created {
  margin: 12px 0;
  padding: 8px 12px;
  border: 1px solid var(--line);
  border-left: 4px solid var(--accent);
}
#said.failed { border-left-color: var(--danger); }
.quiet, thead th, .revoked { color: var(--quiet); }
a { color: var(--accent); }
input, button { min-height: 32px; padding: 4px 10px; font: inherit; }
input:not([type=checkbox]) { flex: 0 1 320px; min-width: 0; }
input[type=checkbox] { min-height: 0; vertical-align: middle; }
::placeholder { color: var(--quiet); opacity: 1; }
.key { font-family: ui-monospace, monospace; }
button.first, button.danger {
  border: 1px solid transparent;
  border-radius: 4px;
  background: var(--accent);
  color: Canvas;
}
button.danger { background: var(--danger); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
details, details > *, .line > .quiet { flex: 1 1 100%; }
fieldset { min-width: 0; margin: 8px 0; border: 1px solid var(--line); }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
thead th { font-weight: normal; }
td, thead th { white-space: nowrap; }
td .quiet { min-width: 260px; white-space: normal; }
tbody th { min-width: 132px; }
td form { display: inline; }
@media (forced-colors: active) {
  button.first, button.danger { border-color: ButtonText; color: ButtonText; }
}
`;
