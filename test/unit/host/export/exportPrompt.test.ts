import assert from 'node:assert/strict';
import type { QuickPickItem } from 'vscode';
import { vscode } from '../../../support/fakeVscode.ts';

const { promptExport } = await import('../../../../src/host/export/exportPrompt.ts');
const { useSettings } = await import('../../../../src/host/settings.ts');

describe('the formats that an export offers', () => {
  const { window } = vscode;
  const fakeWindow = { ...window };
  const system = process.env['LC_ALL'];
  after(() => {
    Object.assign(window, fakeWindow, { createQuickPick: undefined });
    useSettings({ get: () => undefined, getUserValue: () => undefined });
    if (system === undefined) delete process.env['LC_ALL'];
    else process.env['LC_ALL'] = system;
  });

  /** Runs the format step with a value of `csv.dialect` and a system language. */
  const formatItems = async (
    dialect: string,
    locale: string,
    destination: 'clipboard' | 'file' = 'clipboard',
  ): Promise<readonly QuickPickItem[]> => {
    process.env['LC_ALL'] = locale;
    const get = (name: string) => (name === 'gridData.csv.dialect' ? dialect : undefined);
    useSettings({ get, getUserValue: get });
    const { promise: displayed, resolve } = Promise.withResolvers<readonly QuickPickItem[]>();
    let leave = (): void => undefined;
    const listen = (): void => undefined;
    const box = {
      items: [] as readonly QuickPickItem[],
      onDidHide: (listener: () => void) => (leave = listener),
      show: () => resolve(box.items),
      hide: () => leave(),
      dispose: listen,
      onDidAccept: listen,
      onDidChangeValue: listen,
      onDidTriggerButton: listen,
      onDidTriggerItemButton: listen,
    };
    Object.assign(window, { createQuickPick: () => box });
    const zone = { label: 'UTC', timeZone: 'UTC' } as unknown as Parameters<typeof promptExport>[0]['zone'];
    const fixedChoices = { scope: 'onScreen', place: destination } as const;
    const prompted = promptExport({ title: 'Export', tables: {}, zone, last: undefined, fixedChoices });
    const items = await Promise.race([displayed, prompted.then(() => assert.fail('the export shows no prompt'))]);
    leave();
    assert.equal(await prompted, undefined);
    return items;
  };

  const standard = 'comma and decimal point (RFC 4180)';
  const semicolon = 'semicolon and decimal comma, as Excel reads it in many languages';
  for (const [dialect, locale, expected] of [
    ['auto', 'en_ZA.UTF-8', `${semicolon} · for English (South Africa)`],
    ['auto', 'en_US.UTF-8', `${standard} · for American English`],
    ['standard', 'en_ZA.UTF-8', standard],
    ['semicolon', 'en_US.UTF-8', semicolon],
  ] as const)
    it(`describes the CSV dialect '${dialect}' on a system in ${locale}`, async () => {
      const items = await formatItems(dialect, locale);
      assert.equal(items.find(({ label }) => label === 'CSV')?.description, expected);
    });

  it('offers Excel and CSV first', async () => {
    const items = await formatItems('auto', 'en_US.UTF-8', 'file');
    assert.deepEqual(
      items.slice(0, 2).map(({ label }) => label),
      ['Excel', 'CSV'],
    );
  });
});
