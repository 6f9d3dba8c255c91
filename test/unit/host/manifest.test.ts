import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chartKinds } from '../../../src/shared/chartKinds.ts';
import { toJsonSchema } from '@valibot/to-json-schema';
import { analysisObjectSchema } from '../../../src/core/analysis/analysisSchema.ts';
import { rowChoices } from '../../../src/core/summary/summarizeResult.ts';
import { parseRange } from '../../../src/core/range/parseRange.ts';
import { datasets, queriedDatasets } from '../../../src/core/query/catalogue.ts';
import { maxAgentRequestsPerHour, useSettings } from '../../../src/host/settings.ts';
import { commands, panelTypes, queryToolName, settings, tools } from '../../../src/host/ids.ts';

interface Command {
  readonly command: string;
  readonly title: string;
  readonly category: string;
}

interface MenuItem {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
}

interface ToolInput {
  readonly description?: string;
  readonly examples?: readonly string[];
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
}

interface Tool {
  readonly name: string;
  readonly toolReferenceName: string;
  readonly modelDescription: string;
  readonly icon: string;
  readonly tags: readonly string[];
  readonly inputSchema: { readonly properties: Readonly<Record<string, ToolInput>> };
}

interface Manifest {
  readonly main: string;
  readonly repository: { readonly url: string };
  readonly homepage: string;
  readonly bugs: { readonly url: string };
  readonly qna: string;
  readonly keywords: readonly string[];
  readonly engines: { readonly vscode: string };
  readonly extensionKind?: readonly string[];
  readonly activationEvents: readonly string[];
  readonly capabilities?: {
    readonly untrustedWorkspaces?: { readonly supported?: unknown };
    readonly virtualWorkspaces?: unknown;
  };
  readonly contributes: {
    readonly commands: readonly Command[];
    readonly languageModelTools: readonly Tool[];
    readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
    readonly submenus: readonly { readonly id: string }[];
    readonly configuration: {
      readonly properties: Readonly<Record<string, { readonly scope?: string; readonly default?: unknown }>>;
    };
  };
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies?: unknown;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const root = dirname(dirname(dirname(import.meta.dirname)));
const manifestText = readFileSync(join(root, 'package.json'), 'utf8');
const manifest = JSON.parse(manifestText) as Manifest;
const strings = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8')) as Record<string, string>;
const { contributes } = manifest;
const allCommands = Object.values(commands);

describe('package.json', () => {
  it('declares exactly the commands of the code', () => {
    assert.deepEqual(sorted(contributes.commands.map(({ command }) => command)), sorted(allCommands));
  });

  it('declares exactly the settings of the code', () => {
    assert.deepEqual(sorted(Object.keys(contributes.configuration.properties)), sorted(Object.values(settings)));
  });

  it('declares exactly the tools of the code, in the format of VS Code', () => {
    const declared = contributes.languageModelTools;
    const names = [...queriedDatasets.map(({ id }) => queryToolName(id)), ...Object.values(tools)];
    assert.deepEqual(sorted(declared.map(({ name }) => name)), sorted(names));
    for (const { name, toolReferenceName, modelDescription, icon, tags } of declared) {
      assert.match(name, /^gridData_\w+$/);
      assert.match(toolReferenceName, /^grid\w+$/);
      assert.ok(modelDescription.length > 60, name);
      assert.match(icon, /^\$\([\w-]+\)$/);
      assert.ok(tags.includes('grid-data'), name);
    }
  });

  it('has a tool for each dataset, with its icon, intervals and options', () => {
    for (const { id, icon, intervals, params } of queriedDatasets) {
      const tool = contributes.languageModelTools.find(({ name }) => name === queryToolName(id));
      const location = `contributes.languageModelTools, ${queryToolName(id)}`;
      assert.equal(tool?.icon, `$(${icon})`, `${location}: icon`);
      const { properties } = tool.inputSchema;
      const [first = '', ...others] = intervals;
      assert.deepEqual(
        properties['interval']?.examples,
        [first, '1d@SAST', ...others],
        `${location}: interval.examples`,
      );
      const inputs = [
        'range',
        'timeZone',
        'interval',
        ...params.map(({ name }) => name),
        'connection',
        'fields',
        'rows',
        'chart',
        'analysis',
      ];
      assert.deepEqual(Object.keys(properties), inputs, `${location}: inputSchema.properties`);
      assert.deepEqual(properties['chart']?.enum, chartKinds, `${location}: chart.enum`);
      assert.deepEqual(properties['rows']?.enum, rowChoices, `${location}: rows.enum`);
    }
    const describing = contributes.languageModelTools.find(({ name }) => name === tools.describeFields);
    const ids = datasets.map(({ id }) => id);
    assert.deepEqual(describing?.inputSchema.properties['dataset']?.enum, ids, `${tools.describeFields}: dataset.enum`);
  });

  it('describes each stage of an analysis to the model, with the schema that is parsed', () => {
    const { properties: read } = toJsonSchema(analysisObjectSchema, { errorMode: 'ignore' });
    for (const { id } of queriedDatasets) {
      const tool = contributes.languageModelTools.find(({ name }) => name === queryToolName(id));
      const { properties = {} } = tool?.inputSchema.properties['analysis'] ?? {};
      const forms = Object.entries(properties).map(([name, { description, ...form }]) => {
        assert.ok(description !== undefined && description.length > 20, name);
        return [name, form];
      });
      assert.deepEqual(Object.fromEntries(forms), read, id);
    }
  });

  it('describes each tool input to the model, time zones included, and has no input for a key', () => {
    for (const { name, inputSchema } of contributes.languageModelTools)
      for (const [input, { description = '' }] of Object.entries(inputSchema.properties)) {
        assert.ok(description.length > 20, `${name} ${input}`);
        assert.doesNotMatch(input, /key|secret|token|url|header/i);
        if (input === 'range') assert.match(description, /UTC/);
      }
  });

  it('tells the model what data it is, what null, energy and times are, and what an analysis can do', () => {
    for (const { id } of queriedDatasets) {
      const { modelDescription = '' } =
        contributes.languageModelTools.find(({ name }) => name === queryToolName(id)) ?? {};
      const facts =
        /South Africa's electricity grid \(Eskom.*null is an unknown value, never 0.*UTC.*6 significant digits.*compares .*forecasts.*events.*months or hours of the day.*filters.*top hours.*derive.*chart.*no request/;
      assert.match(modelDescription, facts, id);
      assert.equal(/MWh = MW × h/.test(modelDescription), id !== 'gridStress', id);
    }
  });

  it('gives the model only examples of ranges that can be read', () => {
    for (const { id } of queriedDatasets) {
      const tool = contributes.languageModelTools.find(({ name }) => name === queryToolName(id));
      const description = tool?.inputSchema.properties['range']?.description ?? '';
      const ranges = Array.from(description.matchAll(/"([^"]+)"/g), ([, range = '']) => range);
      assert.ok(ranges.includes('last week') && ranges.includes('2024-W12'), description);
      const refused = ranges.filter(range => !parseRange(range).ok);
      assert.deepEqual(refused, ['01/05/2023']);
    }
  });

  it('lets only the user decide how many requests agents may send', () => {
    const { scope, default: value } = contributes.configuration.properties[settings.maxAgentRequestsPerHour] ?? {};
    assert.deepEqual([scope, value], ['application', 5]);
    useSettings({ get: () => 1_000, getUserValue: () => undefined });
    assert.equal(maxAgentRequestsPerHour(), value);
    useSettings({ get: () => 1_000, getUserValue: () => 0 });
    assert.equal(maxAgentRequestsPerHour(), 0);
    useSettings({ get: () => undefined, getUserValue: () => undefined });
  });

  it('uses the same prefix for all ids', () => {
    for (const id of [...allCommands, ...Object.values(settings), ...Object.values(panelTypes)])
      assert.match(id, /^gridData(\.[a-z][A-Za-z]*)+$/);
  });

  it('derives the id and title of each command from its name', () => {
    for (const [name, id] of Object.entries(commands)) assert.equal(id, `gridData.${name}`);
    for (const { command, title } of contributes.commands)
      assert.equal(title, `%command.${command.replace('gridData.', '')}%`);
  });

  it('puts every command into a category that begins with Grid Data', () => {
    for (const { command, category } of contributes.commands)
      assert.match(strings[category.slice(1, -1)] ?? category, /^Grid Data( |$)/, command);
  });

  it('gives every command of the Command Palette a unique title', () => {
    const hidden = new Set(
      contributes.menus['commandPalette']?.flatMap(({ command, when }) => (when === 'false' ? command : [])),
    );
    const names = contributes.commands
      .filter(({ command }) => !hidden.has(command))
      .map(({ category, title }) => `${category}: ${strings[title.slice(1, -1)]}`);
    assert.equal(new Set(names).size, names.length, names.join());
  });

  it('lists only declared commands and submenus in menus, for panels of the code', () => {
    const known = new Set([
      ...contributes.commands.map(({ command }) => command),
      ...contributes.submenus.map(({ id }) => id),
    ]);
    const panels = new Set<string>(Object.values(panelTypes));
    for (const item of Object.values(contributes.menus).flat()) {
      const name = item.command ?? item.submenu ?? '';
      assert.ok(known.has(name), name);
      for (const [, panel = ''] of item.when?.matchAll(/activeWebviewPanelId == '([^']*)'/g) ?? [])
        assert.ok(panels.has(panel), panel);
    }
  });

  it('uses every string of package.nls.json, and no others', () => {
    const used = [...manifestText.matchAll(/"%([^"%]+)%"/g)].map(([, key]) => key ?? '');
    assert.ok(used.length > 10);
    assert.deepEqual(sorted([...new Set(used)]), sorted(Object.keys(strings)));
    for (const [key, text] of Object.entries(strings)) assert.notEqual(text.trim(), '', key);
  });

  it('ends titles of commands that need more input with an ellipsis character', () => {
    for (const text of Object.values(strings)) assert.doesNotMatch(text, /\.\.\./);
  });

  it('activates once VS Code has started, for a link, and for a panel that it restores', () => {
    const events = ['onStartupFinished', 'onUri', `onWebviewPanel:${panelTypes.result}`];
    assert.deepEqual(manifest.activationEvents, events);
  });

  it('is built against the types of the oldest supported VS Code', () => {
    const types = manifest.devDependencies['@types/vscode'] ?? '';
    assert.match(types, /^\d+\.\d+\.\d+$/);
    assert.equal(manifest.engines.vscode, `^${types}`);
    // The version of code-server follows that of VS Code: 4.110.0 is VS Code 1.110.
    assert.match(
      manifest.scripts['test:floor'] ?? '',
      new RegExp(`=4${types.slice(1, types.lastIndexOf('.'))}\\.\\d `),
    );
  });

  it('links to a single repository', () => {
    const { repository, homepage, bugs, qna } = manifest;
    assert.match(repository.url, /^https:\/\/github\.com\/[\w-]+\/[\w-]+$/);
    const paths = [homepage, bugs.url, qna].map(url => url.replace(repository.url, ''));
    assert.deepEqual(paths, ['#readme', '/issues', '/discussions']);
  });

  it('leaves room in the 30 tags of the Marketplace for those that vsce adds', () => {
    const { keywords } = manifest;
    assert.equal(new Set(keywords).size, keywords.length);
    assert.ok(keywords.length <= 20, String(keywords.length));
    for (const keyword of keywords) assert.equal(keyword, keyword.toLowerCase());
  });

  it('pins every package, and bundles all', () => {
    for (const [name, version] of Object.entries(manifest.devDependencies))
      assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, name);
    assert.equal(manifest.dependencies, undefined);
    assert.equal(manifest.main, './dist/extension.js');
  });

  it('declares its extension kind and its limits in virtual and untrusted workspaces', () => {
    assert.deepEqual(manifest.extensionKind, ['ui', 'workspace']);
    assert.equal(typeof manifest.capabilities?.untrustedWorkspaces?.supported, 'boolean');
    assert.notEqual(manifest.capabilities?.virtualWorkspaces, undefined);
  });

  it('gives each setting a scope and a default, and has no setting that redirects a key', () => {
    for (const [name, { scope, default: value }] of Object.entries(contributes.configuration.properties)) {
      assert.ok(scope !== undefined && value !== undefined, name);
      if (/url|address|host|key/i.test(name)) assert.equal(scope, 'application', name);
    }
  });
});

function sorted(values: readonly string[]): string[] {
  return [...values].sort();
}
