import assert from 'node:assert/strict';
import type { Uri } from 'vscode';
import { FakeState } from '../../service/storeFakes.ts';
import { vscode } from '../../../support/fakeVscode.ts';

const { ImportOptionsStore } = await import('../../../../src/host/dataFile/importOptionsStore.ts');
const { stateNames } = await import('../../../../src/host/ids.ts');

const createUri = (path: string): Uri => new vscode.Uri(path) as unknown as Uri;
const key = 'file:///data/*.csv';

describe('the import options of a folder', () => {
  it('uses import options for the next file of the folder with the same extension, also after a restart', async () => {
    const state = new FakeState();
    const options = { timeZone: 'Africa/Johannesburg', separator: ';', headingLine: 4, sheet: 'Hours' };
    await new ImportOptionsStore(state).set(createUri('/data/january.csv'), options);
    const store = new ImportOptionsStore(state);
    assert.deepEqual(store.get(createUri('/data/february.CSV')), options);
    assert.deepEqual(store.get(createUri('/data/february.xlsx')), {});
    assert.deepEqual(store.get(createUri('/data/2026/february.csv')), {});
  });

  it('uses import options for Git versions of the files', async () => {
    const store = new ImportOptionsStore(new FakeState());
    await store.set(createUri('/data/january.csv'), { hour: 'end' });
    assert.deepEqual(
      store.get(Object.assign(createUri('/data/january.csv'), { scheme: 'git', query: '{"ref":"HEAD"}' })),
      {
        hour: 'end',
      },
    );
  });

  it('removes import options when none is selected anymore', async () => {
    const state = new FakeState();
    const store = new ImportOptionsStore(state);
    await store.set(createUri('/data/january.csv'), { hour: 'end' });
    await store.set(createUri('/data/january.csv'), { hour: undefined });
    assert.deepEqual(state.get(stateNames.importOptions), {});
  });

  it('stores import options of the 100 most recent folders', async () => {
    const store = new ImportOptionsStore(new FakeState());
    const file = (number: number): Uri => createUri(`/data/${number}/hours.csv`);
    for (let number = 0; number < 100; number++) await store.set(file(number), { decimal: 'comma' });
    await store.set(file(0), { decimal: 'point' });
    await store.set(file(100), { decimal: 'comma' });
    assert.deepEqual(store.get(file(0)), { decimal: 'point' });
    assert.deepEqual(store.get(file(1)), {});
    assert.deepEqual(store.get(file(2)), { decimal: 'comma' });
  });

  for (const damaged of [
    { timeZone: 'Mars/Olympus' },
    { hour: 'middle' },
    { dateOrder: 'year first' },
    { separator: ';;' },
    { decimal: '.' },
    { encoding: 'klingon' },
    { headingLine: -1 },
    { headingLine: 1.5 },
    { firstLine: 0 },
    { firstLine: 10_001 },
    { sheet: 'x'.repeat(101) },
    'text',
  ])
    it(`ignores invalid import options: ${JSON.stringify(damaged).slice(0, 40)}`, async () => {
      const state = new FakeState();
      await state.update(stateNames.importOptions, { [key]: damaged, 'file:///other/*.csv': { hour: 'end' } });
      const store = new ImportOptionsStore(state);
      assert.deepEqual(store.get(createUri('/data/hours.csv')), {});
      assert.deepEqual(store.get(createUri('/other/hours.csv')), { hour: 'end' });
    });
});
