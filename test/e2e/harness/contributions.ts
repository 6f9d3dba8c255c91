import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/paths.ts';

/** Where a person finds a contribution. */
export type Place =
  | 'palette'
  | 'view title'
  | 'editor title'
  | 'line'
  | 'line button'
  | 'welcome link'
  | 'walkthrough link'
  | 'key'
  | 'status bar';

/** One thing in the window that a person can press. */
export interface Contribution {
  readonly place: Place;
  /** What is written on it, or its keys; of the status bar its id. */
  readonly label: string;
  readonly command: string;
  /** The id of its view, or of its step of the walkthrough; empty elsewhere. */
  readonly where: string;
  /** Its condition, empty without one. */
  readonly when: string;
  /** The label of the submenu that it is in. */
  readonly submenu?: string;
}

interface Item {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group?: string;
}

interface View {
  readonly id: string;
  readonly name: string;
  readonly when?: string;
}

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category: string }[];
    readonly menus: Readonly<Record<string, readonly Item[]>>;
    readonly submenus: readonly { readonly id: string; readonly label: string }[];
    readonly keybindings: readonly { readonly command: string; readonly key: string; readonly when?: string }[];
    readonly views: Readonly<Record<string, readonly View[]>>;
    readonly viewsWelcome: readonly { readonly view: string; readonly contents: string; readonly when?: string }[];
    readonly walkthroughs: readonly {
      readonly steps: readonly { readonly id: string; readonly description: string }[];
    }[];
  };
}

const { contributes } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
const texts = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8')) as Record<string, string>;
const text = (value: string): string => texts[/^%(.+)%$/.exec(value)?.[1] ?? ''] ?? value;

/** What in the manifest is nothing to press, or is another entry's part. */
const known = [
  ...['commands', 'menus', 'submenus', 'keybindings', 'views', 'viewsWelcome', 'walkthroughs'],
  ...['viewsContainers', 'configuration', 'jsonValidation', 'languages', 'languageModelTools', 'colors'],
  // Its files are opened in dataFiles.test.ts.
  'customEditors',
];

function viewOf(id: string): View | undefined {
  return Object.values(contributes.views)
    .flat()
    .find(one => one.id === id);
}

/** The name of a view as its heading has it. */
export function viewName(id: string): string {
  return text(viewOf(id)?.name ?? '');
}

/** A condition of something in a view, which has one of its own. */
function within(view: string, when: string): string {
  return [viewOf(view)?.when, when].filter(Boolean).join(' && ');
}

/** All that package.json contributes for a person to press, and the items of the status bar. Throws at a kind it does not know. */
export function allContributions(): Contribution[] {
  const unknown = Object.keys(contributes).filter(point => !known.includes(point));
  if (unknown.length > 0) throw new Error(`The walk does not know the contribution points ${unknown.join()}.`);
  return [...palette(), ...menus(), ...welcomes(), ...walkthrough(), ...keys(), ...statusItems()];
}

function titleOf(command: string): string {
  return text(contributes.commands.find(one => one.command === command)?.title ?? command);
}

/** Every command is in the palette unless the manifest says otherwise. */
function palette(): Contribution[] {
  const conditions = new Map(contributes.menus['commandPalette']?.map(({ command = '', when }) => [command, when]));
  return contributes.commands
    .filter(({ command }) => conditions.get(command) !== 'false')
    .map(({ command, category }) => ({
      place: 'palette',
      label: `${text(category)}: ${titleOf(command)}`,
      command,
      where: '',
      when: conditions.get(command) ?? '',
    }));
}

function menus(): Contribution[] {
  return Object.entries(contributes.menus).flatMap(([menu, items]) =>
    items.flatMap(({ command, submenu, when = '', group = '' }): Contribution[] => {
      // That of the explorer is pressed in keybindings.test.ts, and those of a submenu come with its own entry.
      if (menu === 'commandPalette' || menu === 'explorer/context' || isSubmenu(menu)) return [];
      // What several lines have in their place is in a submenu of each line.
      if (asked(when).get('listMultiSelection') === true) return [];
      if (submenu !== undefined) return inSubmenu(submenu, when);
      if (command === undefined) throw new Error(`The walk does not know an entry of ${menu}.`);
      if (menu === 'editor/title')
        return [{ place: 'editor title', label: titleOf(command), command, where: '', when }];
      const views = [...when.matchAll(/\bview == ([\w.]+)/g)].map(([, view = '']) => view);
      const place = placeIn(menu, group);
      if (!place || views.length === 0) throw new Error(`The walk does not know the menu ${menu} of ${command}.`);
      return views.map(where => ({ place, label: titleOf(command), command, where, when: within(where, when) }));
    }),
  );
}

function isSubmenu(menu: string): boolean {
  return contributes.submenus.some(({ id }) => id === menu);
}

/** The entries of a submenu of a line; `outer`: its own condition. */
function inSubmenu(id: string, outer: string): Contribution[] {
  const submenu = text(contributes.submenus.find(one => one.id === id)?.label ?? '');
  const [, where = ''] = /\bview == ([\w.]+)/.exec(outer) ?? [];
  return (contributes.menus[id] ?? []).map(({ command = '', when }) => {
    // That of the entry says more of the line.
    const both = [when, outer].filter(Boolean).join(' && ');
    return { place: 'line', label: titleOf(command), command, where, when: within(where, both), submenu };
  });
}

function placeIn(menu: string, group: string): Place | undefined {
  if (menu === 'view/title') return 'view title';
  if (menu === 'view/item/context') return group.startsWith('inline') ? 'line button' : 'line';
  return undefined;
}

function welcomes(): Contribution[] {
  return contributes.viewsWelcome.flatMap(({ view, contents, when = '' }) =>
    linksIn(text(contents)).map(link => ({ place: 'welcome link', ...link, where: view, when: within(view, when) })),
  );
}

function walkthrough(): Contribution[] {
  return contributes.walkthroughs.flatMap(({ steps }) =>
    steps.flatMap(({ id, description }) =>
      linksIn(text(description)).map(link => ({ place: 'walkthrough link' as const, ...link, where: id, when: '' })),
    ),
  );
}

/** The links of a text that run commands. */
function linksIn(markdown: string): { label: string; command: string }[] {
  return [...markdown.matchAll(/\[([^\]]+)\]\(command:([\w.]+)[^)]*\)/g)].map(([, label = '', command = '']) => ({
    label,
    command,
  }));
}

function keys(): Contribution[] {
  return contributes.keybindings.map(({ command, key, when = '' }) => ({
    place: 'key',
    label: key,
    command,
    when,
    where: /focusedView == ([\w.]+)/.exec(when)?.[1] ?? '',
  }));
}

/** The manifest does not name them; the sources do. */
function statusItems(): Contribution[] {
  const host = join(root, 'src');
  const sources = readdirSync(host, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'));
  return sources
    .flatMap(file => [...readFileSync(join(host, file), 'utf8').matchAll(/createStatusBarItem\(\s*'([\w.]+)'/g)])
    .map(([, label = '']) => ({ place: 'status bar', label, command: '', where: '', when: '' }));
}

/** The names that a condition asks for, each with whether it has to be true. */
export function asked(when: string): Map<string, boolean> {
  const bare = when.replaceAll(/\/(?:\\.|[^/])*\/|'[^']*'/g, '').replaceAll(/(?:==|!=|=~|>)\s*[\w.]*/g, '');
  return new Map([...bare.matchAll(/(!?)([A-Za-z][\w.]*)/g)].map(([, not, name = '']) => [name, not === '']));
}

/** Whether the condition is one for lines with that context value. */
export function isFor(when: string, viewItem: string): boolean {
  const [, pattern] = /viewItem =~ \/((?:\\.|[^/])*)\//.exec(when) ?? [];
  if (pattern !== undefined) return new RegExp(pattern).test(viewItem);
  const [, exact] = /viewItem == ([\w.]+)/.exec(when) ?? [];
  return exact === undefined || exact === viewItem;
}
