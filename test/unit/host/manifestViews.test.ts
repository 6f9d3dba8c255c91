import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { formsByExtension } from '../../../src/core/snippets/exportedData.ts';
import { commands, contextKeys, dataFileEditor, panelTypes, views, walkthroughs } from '../../../src/host/ids.ts';

interface Item {
  readonly command: string;
  readonly when?: string;
}

interface Contributes {
  readonly views: Readonly<Record<string, readonly { readonly id: string; readonly when?: string }[]>>;
  readonly viewsWelcome: readonly { readonly view: string; readonly when?: string }[];
  readonly menus: Readonly<Record<string, readonly Item[]>>;
  readonly keybindings: readonly (Item & { readonly key: string })[];
  readonly commands: readonly Item[];
  readonly customEditors: readonly {
    readonly viewType: string;
    readonly priority: string;
    readonly selector: readonly { readonly filenamePattern: string }[];
  }[];
  readonly walkthroughs: readonly {
    readonly id: string;
    readonly when: string;
    readonly steps: readonly {
      readonly id: string;
      readonly completionEvents: readonly string[];
      readonly media: { readonly svg: string; readonly altText: string };
    }[];
  }[];
  readonly jsonValidation: readonly { readonly fileMatch: string; readonly url: string }[];
}

const root = dirname(dirname(dirname(import.meta.dirname)));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { contributes: Contributes };
const { contributes } = manifest;
const items = [...Object.values(contributes.menus).flat(), ...contributes.keybindings];
const steps = contributes.walkthroughs.flatMap(walkthrough => walkthrough.steps);
const clauses = [
  ...[...items, ...contributes.viewsWelcome, ...contributes.walkthroughs].flatMap(({ when }) => when ?? []),
  ...steps.flatMap(({ completionEvents }) => completionEvents),
];

describe('the views of package.json', () => {
  it('declares the views of the code, each with a welcome text when empty', () => {
    const declared = Object.values(contributes.views)
      .flat()
      .map(({ id }) => id);
    assert.deepEqual(declared.sort(), Object.values(views).sort());
    assert.deepEqual(new Set(contributes.viewsWelcome.map(({ view }) => view)), new Set(declared));
  });

  it('always shows all views, so that their positions stay', () => {
    const [all = []] = Object.values(contributes.views);
    assert.deepEqual(
      all.map(({ id, when }) => [id, when]),
      [views.connections, views.savedQueries, views.recent].map(id => [id, undefined]),
    );
  });

  it('shows no welcome text before it is known whether there are connections', () => {
    for (const { view, when = '' } of contributes.viewsWelcome)
      assert.ok(when.includes(contextKeys.noConnection), view);
  });

  it('uses only context keys of the code', () => {
    const known = new Set<string>([
      ...Object.values(views),
      ...Object.values(contextKeys),
      ...Object.values(panelTypes),
      dataFileEditor,
    ]);
    const usedKeys = clauses.flatMap(clause => clause.match(/gridData\.\w+/g) ?? []);
    assert.deepEqual(
      usedKeys.filter(name => !known.has(name)),
      [],
    );
    for (const key of Object.values(contextKeys)) assert.ok(usedKeys.includes(key), key);
  });

  it('binds keys only while a view or a result is focused', () => {
    assert.ok(contributes.keybindings.length > 0);
    const known = new Set<string>(Object.values(commands));
    for (const { command, when = '' } of contributes.keybindings) {
      assert.ok(known.has(command), command);
      assert.match(
        when,
        /^(?:focusedView == gridData\.\w+|activeWebviewPanelId == 'gridData\.result') && .*!inputFocus/,
      );
    }
  });

  it('contributes a walkthrough that does not open by itself, with steps completed by events', () => {
    assert.deepEqual(
      contributes.walkthroughs.map(({ id, when }) => [id, when]),
      [[walkthroughs.start, contextKeys.walkthrough]],
    );
    const { hasConnected, hasRun, hasRead, hasSavedResult } = contextKeys;
    assert.deepEqual(
      steps.map(({ completionEvents }) => completionEvents),
      [hasConnected, hasRun, hasRead, hasSavedResult].map(key => [`onContext:${key}`]),
    );
  });

  it('illustrates the walkthrough in theme colors only, with alternative text', () => {
    for (const { id, media } of steps) {
      assert.ok(existsSync(join(root, media.svg)), id);
      const picture = readFileSync(join(root, media.svg), 'utf8');
      assert.match(media.altText, /^%walkthrough\.\w+\.picture%$/);
      const paints = [...picture.matchAll(/(?:fill|stroke)="([^"]*)"/g)];
      assert.ok(paints.length > 10, id);
      assert.doesNotMatch(picture, /\bstyle\b|(?:fill|stroke)='/, id);
      for (const [, paint = ''] of paints) assert.match(paint, /^(?:none|var\(--vscode-.+\))$/, id);
      // Words would not be translated. Only numbers, keys, column names and typed texts need no translation.
      for (const [, text = ''] of picture.matchAll(/<text[^>]*>([^<]*)</g))
        assert.match(text, /^(?:UTC|[\d.,:TZ/ ·•-]+|[a-z_,]+_mw|\w\w_(?:live|test)_\w+…)$/, id);
    }
  });

  it('runs a query on Enter, and lets VS Code expand a folder', () => {
    const enter = contributes.keybindings.filter(({ key }) => key === 'enter');
    assert.deepEqual(
      enter.map(({ command }) => command),
      [commands.runSavedQuery],
    );
    assert.match(enter[0]?.when ?? '', / && !treeElementCanExpand && !treeElementCanCollapse$/);
  });

  it('disables the keys of a result in lists, side bars and the panel', () => {
    const keys = contributes.keybindings.filter(({ when = '' }) => when.startsWith('activeWebviewPanelId'));
    assert.equal(keys.length, 4);
    for (const { key, when = '' } of keys)
      for (const focusKey of ['inputFocus', 'listFocus', 'sideBarFocus', 'auxiliaryBarFocus', 'panelFocus'])
        assert.ok(when.includes(` && !${focusKey}`), `${key}: ${focusKey}`);
  });

  it('offers Open in Notebook in the Explorer for files that a notebook can read', () => {
    const offered = contributes.menus['explorer/context'] ?? [];
    assert.deepEqual(
      offered.map(({ command }) => command),
      [commands.openDataFile, commands.openDataFile, commands.compareDataFiles, commands.openInNotebook],
    );
    const item = offered.at(-1);
    const [, endings = ''] =
      /^resourceExtname =~ \/\^\\\.\(([\w|]+)\)\$\/i && !explorerResourceIsFolder$/.exec(item?.when ?? '') ?? [];
    // Most .json files are not data.
    assert.deepEqual(
      endings.split('|').sort(),
      Object.keys(formsByExtension)
        .filter(extension => extension !== 'json')
        .sort(),
    );
  });

  it('offers Open Data File for the same extensions as the custom editor, which is never the default', () => {
    const [item] = contributes.menus['explorer/context'] ?? [];
    const [, endings = ''] = /^resourceExtname =~ \/\^\\\.\(([\w|]+)\)\$\/i/.exec(item?.when ?? '') ?? [];
    const [editor, ...others] = contributes.customEditors;
    assert.deepEqual([editor?.viewType, editor?.priority, others], [dataFileEditor, 'option', []]);
    const [, pattern = ''] = /^\*\.\{(.*)\}$/.exec(editor?.selector[0]?.filenamePattern ?? '') ?? [];
    assert.deepEqual(pattern.split(',').sort(), endings.split('|').sort());
  });

  it('always lists a command in the Command Palette only if it has no prerequisite', () => {
    const conditional = new Set(contributes.menus['commandPalette']?.map(({ command }) => command));
    const atAllTimes = contributes.commands.map(({ command }) => command).filter(command => !conditional.has(command));
    const { addConnection, startSandbox, runQuery, chartLastMonth, newSavedQuery, newSavedFolder } = commands;
    const { addBoard, importQueries, clearArchive, exportArchive, openArchiveFolder } = commands;
    const { openDataFile, openInNotebook, openWalkthrough, showLog } = commands;
    const commandsWithoutPrerequisite = [
      ...[addConnection, startSandbox, runQuery, chartLastMonth],
      ...[newSavedQuery, newSavedFolder, addBoard, importQueries],
      ...[openDataFile, openInNotebook, openWalkthrough, showLog],
      // The archive remains after its connection is removed, and it would have to be read to know whether it is empty.
      ...[clearArchive, exportArchive, openArchiveFolder],
    ];
    assert.deepEqual(atAllTimes.sort(), commandsWithoutPrerequisite.sort());
  });

  it('hides commands from the Command Palette that have nothing to act on', () => {
    const hidden = new Map(contributes.menus['commandPalette']?.map(({ command, when }) => [command, when]));
    assert.equal(hidden.get(commands.undoDelete), contextKeys.canUndoDelete);
    assert.equal(hidden.get(commands.runSavedQuery), contextKeys.hasSaved);
    assert.equal(hidden.get(commands.openRecentRun), contextKeys.hasRecent);
    assert.equal(hidden.get(commands.stopSandbox), contextKeys.sampleDataRunning);
    assert.equal(hidden.get(commands.showBudget), `!${contextKeys.noConnection}`);
    assert.equal(hidden.get(commands.allowWatching), contextKeys.hasWatched);
    assert.equal(hidden.get(commands.stopKeepingFresh), contextKeys.hasWatched);
    for (const command of [commands.keepFresh, commands.addAlert])
      assert.equal(hidden.get(command), contextKeys.hasSaved, command);
    for (const command of [commands.editAlerts, commands.snoozeAlerts, commands.turnOffAlerts])
      assert.equal(hidden.get(command), contextKeys.hasAlerts, command);
    for (const command of [commands.testConnection, commands.removeConnection, commands.setLimits, commands.pinStress])
      assert.equal(hidden.get(command), `!${contextKeys.noConnection}`, command);
  });

  it('offers commands on a tree item only in its menu', () => {
    const hiddenEntries = contributes.menus['commandPalette']?.filter(({ when }) => when === 'false') ?? [];
    const itemCommands = new Set(
      ['view/item/context', 'explorer/context', 'gridData.move', 'gridData.copyAndExport', 'gridData.watch'].flatMap(
        menu => contributes.menus[menu]?.map(({ command }) => command) ?? [],
      ),
    );
    assert.ok(hiddenEntries.every(({ command }) => itemCommands.has(command)));
    const { renameSavedItem, moveSavedItemUp, saveRecentRun, renameConnection } = commands;
    for (const command of [renameSavedItem, moveSavedItemUp, saveRecentRun, renameConnection])
      assert.ok(
        hiddenEntries.some(entry => entry.command === command),
        command,
      );
    // These commands are listed with queries, alerts and connections, but without an open result.
    const midday = contributes.commands.filter(({ command }) => {
      const when = contributes.menus['commandPalette']?.find(entry => entry.command === command)?.when ?? '';
      return when === '' || /^!gridData\.noConnection$|^gridData\.has|^workspaceFolderCount/.test(when);
    });
    assert.ok(midday.length <= 45, `${midday.length} commands`);
  });

  it('contributes the schema of the queries file', () => {
    const [validation] = contributes.jsonValidation;
    assert.equal(validation?.fileMatch, '.vscode/grid-queries.json');
    assert.equal(validation.url, '%queriesSchema%');
  });
});
