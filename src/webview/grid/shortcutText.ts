/** How a shortcut is written in a menu, and how it is spoken. */
export interface ShortcutText {
  readonly written: string;
  readonly spoken: string;
}

/** A shortcut such as Ctrl+Shift+C as people of this platform (`navigator.platform`) know it: a Mac has Command in the place of Ctrl. */
export function shortcutText(shortcut: string, platform: string): ShortcutText {
  if (!platform.startsWith('Mac')) return { written: shortcut, spoken: shortcut };
  const keys = shortcut.split('+');
  const written = [keys.includes('Shift') ? '⇧' : '', keys.includes('Ctrl') ? '⌘' : '', keys.at(-1)].join('');
  return { written, spoken: shortcut.replace('Ctrl', 'Command') };
}
