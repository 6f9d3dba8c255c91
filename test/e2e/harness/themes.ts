import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverFiles } from '../../../scripts/paths.ts';

/** The themes of the tests: how their ids end, whatever the VS Code, and the class that the window then bears. */
const endings = {
  light: { ending: 'Light Modern', mark: 'vs' },
  dark: { ending: 'Dark Modern', mark: 'vs-dark' },
  hcDark: { ending: 'High Contrast', mark: 'hc-black' },
  hcLight: { ending: 'High Contrast Light', mark: 'hc-light' },
} as const;

/** The name of a theme of the tests. */
export type Theme = keyof typeof endings;

interface Manifest {
  readonly contributes: { readonly themes: readonly { readonly id: string; readonly label: string }[] };
}

/** The theme's label in the installed VS Code (they were renamed over the years) and the window's class for it. */
export function findTheme(theme: Theme): { label: string; mark: string } {
  const folder = join(serverFiles.vscode, 'extensions', 'theme-defaults');
  const { themes } = (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest).contributes;
  const words = JSON.parse(readFileSync(join(folder, 'package.nls.json'), 'utf8')) as Record<string, string>;
  const { ending, mark } = endings[theme];
  const label = themes.find(one => one.id.endsWith(ending))?.label.replaceAll('%', '');
  if (!label) throw new Error(`This VS Code has no theme "… ${ending}".`);
  return { label: words[label] ?? label, mark };
}
