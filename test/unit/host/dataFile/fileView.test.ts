import assert from 'node:assert/strict';
import { createFileResult } from '../../../../src/core/dataFile/fileResult.ts';
import type { FileTable } from '../../../../src/core/dataFile/fileTable.ts';
import type { ImportOptions } from '../../../../src/shared/importOptions.ts';
import { utc } from '../../../../src/core/time/zone.ts';
import type { HeaderPart } from '../../../../src/shared/protocol.ts';
import '../../../support/fakeVscode.ts';

const { createFileState, createUnreadState } = await import('../../../../src/host/dataFile/fileView.ts');

const values = Float64Array.from({ length: 24 }, (_, hour) => Date.UTC(2026, 4, 1, hour));

function createState(facts: Partial<FileTable>, options: ImportOptions = {}, assumesUtc = false) {
  const table: FileTable = {
    frame: { rowCount: 24, columns: [{ kind: 'time', name: 'ts', path: ['ts'], values }] },
    fileRowCount: 24,
    omitted: [],
    zone: { source: 'file' },
    provenance: undefined,
    notes: [],
    text: '',
    ...facts,
  };
  const loadedFile = { ...createFileResult(table, 'hours.csv'), table, size: 500, modified: 0 };
  const decision = { options, assumesUtc };
  const showing = { name: 'hours.csv', isVersion: false, path: 'data/hours.csv', zone: utc, decision };
  return createFileState(loadedFile, { ...showing, problem: undefined, comparison: undefined });
}

/** The parts of the header that can be clicked. */
const clickableParts = (...args: Parameters<typeof createState>): HeaderPart[] =>
  createState(...args).header.filter(({ action }) => action !== undefined);

const selectedZone = { zone: { source: 'user', timeZone: 'UTC' } } as const;

describe('the header of a data file', () => {
  it('warns of an assumed time zone and opens the import options on a click', () => {
    const [part, ...others] = clickableParts(selectedZone, {}, true);
    assert.deepEqual([part?.text, part?.action, part?.tone], ['times assumed in UTC', 'importOptions', 'warning']);
    assert.deepEqual(others, []);
  });

  it('names the options that were selected for the folder', () => {
    const options = { timeZone: 'UTC', headingLine: 4, separator: undefined };
    const parts = clickableParts(selectedZone, options);
    assert.deepEqual(
      parts.map(({ text, action, tone }) => [text, action, tone]),
      [
        ['times in UTC', 'importOptions', undefined],
        ['options of this folder', 'importOptions', undefined],
      ],
    );
    assert.deepEqual(parts[1]?.tooltip?.split('\n').slice(1), [
      'Time Zone of Times Without Offset: UTC',
      'Heading: Line 4',
    ]);
  });

  it('toggles on a click whether the first line is data', () => {
    const taken = { importedAs: { headingLine: 0 } };
    const read = { importedAs: { headingLine: 1 } };
    assert.deepEqual(
      clickableParts(taken).map(({ text, action }) => [text, action]),
      [['first line is data', 'toggleHeading']],
    );
    assert.deepEqual(
      clickableParts(read, { headingLine: 1 }).map(({ text, action }) => [text, action]),
      [
        ['heading in line 1', 'toggleHeading'],
        ['options of this folder', 'importOptions'],
      ],
    );
    assert.deepEqual(clickableParts(read), []);
    // The user selected the zone, so it is not assumed.
    assert.deepEqual(
      clickableParts(taken, { headingLine: 0 }).map(({ text }) => text),
      ['options of this folder'],
    );
  });

  it('toggles on a click whether hours from 1 to 24 are hour-ending', () => {
    const offered = { offersHourEnd: true };
    const texts = (options?: ImportOptions) =>
      clickableParts(offered, options).map(({ text, action }) => [text, action]);
    assert.deepEqual(texts(), [['hours 1 to 24', 'toggleHourEnd']]);
    assert.deepEqual(texts({ hour: 'end' })[0], ['hour ending', 'toggleHourEnd']);
    assert.deepEqual(texts({ hour: 'beginning' }), [['options of this folder', 'importOptions']]);
  });
});

describe('the actions of a data file', () => {
  const offersImport = (state: ReturnType<typeof createState>): boolean =>
    [...(state.tools?.actions ?? []), ...('actions' in state ? state.actions : [])].some(
      ({ action }) => action === 'importOptions',
    );

  it('offers the import options if one applies or was selected', () => {
    assert.ok(offersImport(createState(selectedZone)));
    assert.ok(offersImport(createState({ importedAs: { separator: ',' } })));
    assert.ok(!offersImport(createState({ zone: { source: 'portal' } })));
    assert.ok(offersImport(createState({ zone: { source: 'portal' } }, { separator: ',' })));
  });

  it('offers the import options if they make the table empty or the file unreadable', () => {
    const empty = createState({ frame: { rowCount: 0, columns: [] }, zone: undefined }, { firstLine: 900 });
    assert.equal(empty.view, 'empty');
    assert.ok('actions' in empty && empty.actions.some(({ action }) => action === 'importOptions'));
    assert.ok(offersImport(createUnreadState('hours.csv', 'It is damaged.', false, true)));
    assert.ok(!offersImport(createUnreadState('hours.parquet', 'It is damaged.', false)));
  });
});
