import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/paths.ts';

/** Where a contribution appears. */
export type ContributionKind =
  | 'palette'
  | 'view title'
  | 'editor title'
  | 'line'
  | 'line button'
  | 'welcome link'
  | 'walkthrough link'
  | 'key'
  | 'status bar';

/** A button, link, menu entry, keybinding or status bar item of the extension. */
export interface Contribution {
  readonly kind: ContributionKind;
  /** The visible label, the keybinding, or the id of a status bar item. */
  readonly label: string;
  readonly command: string;
  /** The id of the view or walkthrough step; empty for other kinds. */
  readonly containerId: string;
  /** The `when` clause; empty if there is none. */
  readonly when: string;
  /** The label of the submenu that contains it. */
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
const nlsTexts = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8')) as Record<string, string>;
const localize = (value: string): string => nlsTexts[/^%(.+)%$/.exec(value)?.[1] ?? ''] ?? value;

/** The contribution points that this file handles, and those without anything that a user can press. */
const knownPoints = [
  ...['commands', 'menus', 'submenus', 'keybindings', 'views', 'viewsWelcome', 'walkthroughs'],
  ...['viewsContainers', 'configuration', 'jsonValidation', 'languages', 'languageModelTools', 'chatSkills', 'colors'],
  'mcpServerDefinitionProviders',
  // dataFiles.test.ts opens its files.
  'customEditors',
];

function findView(id: string): View | undefined {
  return Object.values(contributes.views)
    .flat()
    .find(entry => entry.id === id);
}

/** Returns the localized name of a view. */
export function getViewName(id: string): string {
  return localize(findView(id)?.name ?? '');
}

/** Combines a `when` clause with that of its view. */
function combineWithView(view: string, when: string): string {
  return [findView(view)?.when, when].filter(Boolean).join(' && ');
}

/** Lists everything in package.json that a user can press, and the status bar items. Throws for an unknown contribution point. */
export function listContributions(): Contribution[] {
  const unknownPoints = Object.keys(contributes).filter(point => !knownPoints.includes(point));
  if (unknownPoints.length > 0)
    throw new Error(`The walk cannot handle the contribution points ${unknownPoints.join()}.`);
  return [
    ...listPalette(),
    ...listMenus(),
    ...listWelcomeLinks(),
    ...listWalkthroughLinks(),
    ...listKeys(),
    ...listStatusItems(),
  ];
}

function getCommandTitle(command: string): string {
  return localize(contributes.commands.find(entry => entry.command === command)?.title ?? command);
}

/** Lists the commands that the manifest does not hide from the Command Palette. */
function listPalette(): Contribution[] {
  const conditions = new Map(contributes.menus['commandPalette']?.map(({ command = '', when }) => [command, when]));
  return contributes.commands
    .filter(({ command }) => conditions.get(command) !== 'false')
    .map(({ command, category }) => ({
      kind: 'palette',
      label: `${localize(category)}: ${getCommandTitle(command)}`,
      command,
      containerId: '',
      when: conditions.get(command) ?? '',
    }));
}

function listMenus(): Contribution[] {
  return Object.entries(contributes.menus).flatMap(([menu, items]) =>
    items.flatMap(({ command, submenu, when = '', group = '' }): Contribution[] => {
      // keybindings.test.ts tests the menu of the Explorer. The entries of a submenu are listed below, by `listSubmenu`.
      if (menu === 'commandPalette' || menu === 'explorer/context' || isSubmenu(menu)) return [];
      // Skips entries for several selected items, since the submenus of the items contain the same commands.
      if (parseContextKeys(when).get('listMultiSelection') === true) return [];
      if (submenu !== undefined) return listSubmenu(submenu, when);
      if (command === undefined) throw new Error(`The walk cannot handle an entry of ${menu} without a command.`);
      if (menu === 'editor/title')
        return [{ kind: 'editor title', label: getCommandTitle(command), command, containerId: '', when }];
      const views = [...when.matchAll(/\bview == ([\w.]+)/g)].map(([, view = '']) => view);
      const kind = getMenuKind(menu, group);
      if (!kind || views.length === 0) throw new Error(`The walk cannot handle the menu ${menu} of ${command}.`);
      return views.map(containerId => ({
        kind,
        label: getCommandTitle(command),
        command,
        containerId,
        when: combineWithView(containerId, when),
      }));
    }),
  );
}

function isSubmenu(menu: string): boolean {
  return contributes.submenus.some(({ id }) => id === menu);
}

/** Lists the entries of an item's submenu, whose `when` clause is `submenuWhen`. */
function listSubmenu(id: string, submenuWhen: string): Contribution[] {
  const submenu = localize(contributes.submenus.find(entry => entry.id === id)?.label ?? '');
  const [, containerId = ''] = /\bview == ([\w.]+)/.exec(submenuWhen) ?? [];
  return (contributes.menus[id] ?? []).map(({ command = '', when }) => {
    // The clause of the entry is first, since `matchesViewItem` uses the first view item, and the entry's is more specific.
    const combined = [when, submenuWhen].filter(Boolean).join(' && ');
    return {
      kind: 'line',
      label: getCommandTitle(command),
      command,
      containerId,
      when: combineWithView(containerId, combined),
      submenu,
    };
  });
}

function getMenuKind(menu: string, group: string): ContributionKind | undefined {
  if (menu === 'view/title') return 'view title';
  if (menu === 'view/item/context') return group.startsWith('inline') ? 'line button' : 'line';
  return undefined;
}

function listWelcomeLinks(): Contribution[] {
  return contributes.viewsWelcome.flatMap(({ view, contents, when = '' }) =>
    findCommandLinks(localize(contents)).map(link => ({
      kind: 'welcome link',
      ...link,
      containerId: view,
      when: combineWithView(view, when),
    })),
  );
}

function listWalkthroughLinks(): Contribution[] {
  return contributes.walkthroughs.flatMap(({ steps }) =>
    steps.flatMap(({ id, description }) =>
      findCommandLinks(localize(description)).map(link => ({
        kind: 'walkthrough link' as const,
        ...link,
        containerId: id,
        when: '',
      })),
    ),
  );
}

/** Finds the command links in a Markdown text. */
function findCommandLinks(markdown: string): { label: string; command: string }[] {
  return [...markdown.matchAll(/\[([^\]]+)\]\(command:([\w.]+)[^)]*\)/g)].map(([, label = '', command = '']) => ({
    label,
    command,
  }));
}

function listKeys(): Contribution[] {
  return contributes.keybindings.map(({ command, key, when = '' }) => ({
    kind: 'key',
    label: key,
    command,
    when,
    containerId: /focusedView == ([\w.]+)/.exec(when)?.[1] ?? '',
  }));
}

/** Finds the status bar items in the sources, since the manifest does not list them. */
function listStatusItems(): Contribution[] {
  const host = join(root, 'src');
  const sources = readdirSync(host, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'));
  return sources
    .flatMap(file => [...readFileSync(join(host, file), 'utf8').matchAll(/createStatusBarItem\(\s*'([\w.]+)'/g)])
    .map(([, label = '']) => ({ kind: 'status bar', label, command: '', containerId: '', when: '' }));
}

/** Parses the context keys of a `when` clause. The value of a key is whether it must be true. */
export function parseContextKeys(when: string): Map<string, boolean> {
  const keysOnly = when.replaceAll(/\/(?:\\.|[^/])*\/|'[^']*'/g, '').replaceAll(/(?:==|!=|=~|>)\s*[\w.]*/g, '');
  return new Map([...keysOnly.matchAll(/(!?)([A-Za-z][\w.]*)/g)].map(([, not, name = '']) => [name, not === '']));
}

/** Whether a `when` clause applies to tree items with this context value. */
export function matchesViewItem(when: string, viewItem: string): boolean {
  const [, pattern] = /viewItem =~ \/((?:\\.|[^/])*)\//.exec(when) ?? [];
  if (pattern !== undefined) return new RegExp(pattern).test(viewItem);
  const [, exact] = /viewItem == ([\w.]+)/.exec(when) ?? [];
  return exact === undefined || exact === viewItem;
}
