import assert from 'node:assert/strict';
import type { QuickPickItem, QuickPickOptions } from 'vscode';
import type { FileTable } from '../../../../src/core/dataFile/fileTable.ts';
import type { ImportOptions } from '../../../../src/shared/importOptions.ts';
import { vscode } from '../../../support/fakeVscode.ts';

const { chooseImportOptions } = await import('../../../../src/host/dataFile/importOptionsPick.ts');

const table = {
  fileRowCount: 24,
  omitted: [],
  zone: { source: 'user', timeZone: 'UTC' },
  provenance: undefined,
  notes: [],
  text: '',
} satisfies Omit<FileTable, 'frame'>;
const importedAs: NonNullable<FileTable['importedAs']> = {
  separator: ';',
  headingLine: 4,
  firstLine: 5,
  decimal: 'comma',
  dateOrder: 'day first',
  encoding: 'utf-8',
  hour: 'beginning',
};

type ImportedFile = ReturnType<Parameters<typeof chooseImportOptions>[0]>;
interface Pick {
  readonly title: string | undefined;
  readonly items: readonly QuickPickItem[];
}

describe('Import Options', () => {
  const window = { ...vscode.window };
  afterEach(() => Object.assign(vscode.window, window, { createInputBox: undefined }));

  /** Runs the prompts. The user selects the item that begins with the next text, or enters the next text into an input box. */
  async function choose(file: Partial<ImportedFile>, ...inputs: string[]) {
    const [picks, applied, problems]: [Pick[], ImportOptions[], string[]] = [[], [], []];
    Object.assign(vscode.window, {
      showQuickPick: async (items: readonly QuickPickItem[], { title }: QuickPickOptions) => {
        picks.push({ title, items });
        const label = inputs.shift();
        return Promise.resolve(label === undefined ? undefined : items.find(item => item.label.startsWith(label)));
      },
      createInputBox: () => createInputBox(inputs, problems),
    });
    let options: ImportOptions = {};
    const importedFile = { name: 'hours.csv', table: { ...table, importedAs }, options, ...file };
    ({ options } = importedFile);
    await chooseImportOptions(
      () => ({ ...importedFile, options }),
      async selected => {
        options = selected;
        return Promise.resolve(void applied.push(selected));
      },
    );
    return { picks, applied, problems };
  }

  /** Creates an input box. The user enters the next texts until one is accepted, or cancels the box if there is none. */
  function createInputBox(inputs: string[], problems: string[]) {
    let accept = (): void => undefined;
    let hidden = (): void => undefined;
    const listen = (): void => undefined;
    const box = {
      value: '',
      validationMessage: undefined as string | undefined,
      onDidChangeValue: listen,
      onDidTriggerButton: listen,
      onDidAccept: (listener: () => void) => (accept = listener),
      onDidHide(listener: () => void) {
        const previousListener = hidden;
        hidden = () => {
          previousListener();
          listener();
        };
      },
      dispose: listen,
      hide: () => hidden(),
      show(): void {
        const typed = inputs.shift();
        if (typed === undefined) {
          hidden();
          return;
        }
        box.value = typed;
        accept();
        if (box.validationMessage === undefined) return;
        problems.push(box.validationMessage);
        box.show();
      },
    };
    return box;
  }

  const lines = ({ items }: Pick) => items.map(({ label, description }) => [label, description ?? ''].join(' | '));

  it('lists the values that the file was read with, the time zone first', async () => {
    const { picks, applied } = await choose({});
    assert.equal(picks[0]?.title, 'Import Options · hours.csv');
    assert.deepEqual(picks.map(lines), [
      [
        'Time Zone of Times Without Offset: UTC | ',
        'Row Times: Beginning of the Hour | ',
        'Separator: Semicolon | ',
        'Heading: Line 4 | ',
        'First Line of Data: 5 | ',
        'Decimal Mark: Comma | ',
        'Dates: Day First | ',
        'Encoding: UTF-8 | ',
      ],
    ]);
    assert.deepEqual(applied, []);
  });

  for (const [label, file, expected] of [
    ['a Parquet file with local times', { table }, ['Time Zone of Times Without Offset']],
    [
      'a text file whose times have offsets',
      { table: { ...table, zone: { source: 'file' }, importedAs: { hour: 'beginning' } } },
      ['Row Times'],
    ],
    ['a file of the portal', { table: { ...table, zone: { source: 'portal' } } }, []],
    ['an export of the extension', { table: { ...table, zone: { source: 'file' }, provenance: { source: 'x' } } }, []],
    [
      'a workbook',
      { table: { ...table, zone: undefined, importedAs: { sheet: 'b', sheets: ['a', 'b'], headingLine: 0 } } },
      ['Sheet', 'Heading', 'First Line of Data'],
    ],
    [
      'a workbook of one sheet',
      { table: { ...table, zone: undefined, importedAs: { sheets: ['a'] } } },
      ['Heading', 'First Line of Data'],
    ],
    [
      'a text file that cannot be read',
      { table: undefined },
      ['Separator', 'Heading', 'First Line of Data', 'Decimal Mark', 'Dates', 'Encoding'],
    ],
    [
      'a damaged file with a selected option',
      { table: undefined, name: 'x.parquet', options: { hour: 'end' } },
      ['Row Times', 'Reset to Detected Options'],
    ],
  ] as const)
    it(`lists the options of ${label}`, async () => {
      const { picks } = await choose(file);
      assert.deepEqual(
        picks[0]?.items.map(item => item.label.replace(/: .*/, '')),
        expected,
      );
    });

  it('reads the file with the selected option, and lists the options again until the user cancels', async () => {
    const { picks, applied } = await choose({}, 'Time Zone', 'SAST', 'Separator', 'Tab', 'Encoding', 'Windows-1252');
    const zone = { timeZone: 'Africa/Johannesburg' };
    assert.deepEqual(applied, [
      zone,
      { ...zone, separator: '\t' },
      { ...zone, separator: '\t', encoding: 'windows-1252' },
    ]);
    assert.deepEqual(new Set(picks.map(({ title }) => title)), new Set(['Import Options · hours.csv']));
    assert.equal(picks.length, 7);
    assert.deepEqual(lines(picks[3] ?? { title: '', items: [] }), ['Comma | ,', 'Semicolon | ;', 'Tab | ', 'Bar | |']);
  });

  it('returns to the list if the user cancels an option', async () => {
    const { picks, applied } = await choose({}, 'Dates', 'no such item');
    assert.deepEqual([picks.length, applied], [3, []]);
  });

  it('accepts a line number, 0 for no heading, and an empty text for automatic detection', async () => {
    const { applied, problems } = await choose(
      {},
      'Heading',
      '-1',
      '1.5',
      '10001',
      ' 0 ',
      'First Line',
      '0',
      '2',
      'Heading',
      '',
    );
    const headingProblem = 'Enter a whole number from 0 to 10000, or leave empty.';
    const firstLineProblem = 'Enter a whole number from 1 to 10000, or leave empty.';
    assert.deepEqual(problems, [headingProblem, headingProblem, headingProblem, firstLineProblem]);
    assert.deepEqual(applied, [
      { headingLine: 0 },
      { headingLine: 0, firstLine: 2 },
      { headingLine: undefined, firstLine: 2 },
    ]);
  });

  it('resets one option, or all of them', async () => {
    const options: ImportOptions = { hour: 'end', separator: ';' };
    const resetOne = await choose({ options }, 'Row Times', 'Automatic');
    assert.deepEqual(resetOne.applied, [{ hour: undefined, separator: ';' }]);
    const resetAll = await choose({ options }, 'Reset to Detected Options');
    assert.deepEqual(resetAll.applied, [{}]);
    assert.ok(!resetAll.picks[1]?.items.some(({ label }) => label.startsWith('Reset')));
  });

  it('marks the selected options, and the options that do not fit the file', async () => {
    const { picks } = await choose({ options: { separator: ';', headingLine: 40, timeZone: 'Africa/Johannesburg' } });
    assert.deepEqual(lines(picks[0] ?? { title: '', items: [] }).slice(0, 4), [
      'Time Zone of Times Without Offset: UTC | SAST was chosen',
      'Row Times: Beginning of the Hour | ',
      'Separator: Semicolon | chosen',
      'Heading: Line 4 | Line 40 was chosen',
    ]);
  });
});
