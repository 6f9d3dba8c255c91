import assert from 'node:assert/strict';
import type { KeyValueStore } from '../../../../src/core/ports.ts';
import { sast, utc } from '../../../../src/core/time/zone.ts';
import { vscode } from '../../../support/fakeVscode.ts';

const { offerDefaultZone } = await import('../../../../src/host/panel/offerZone.ts');

describe('the offer to make a zone the default', () => {
  const window = { ...vscode.window };
  const { getConfiguration } = vscode.workspace;
  const berlin = { timeZone: 'Europe/Berlin', label: 'Europe/Berlin' };
  const offers: string[] = [];
  const written: unknown[] = [];
  let stored: Map<string, unknown>;
  let choice: string | undefined;
  let workspaceValue: string | undefined;

  const state: KeyValueStore = {
    get: name => stored.get(name),
    update: async (name, value) => Promise.resolve(void stored.set(name, value)),
  };
  const choose = async (zone: typeof utc): Promise<void> => offerDefaultZone(state, zone);

  beforeEach(() => {
    offers.length = written.length = 0;
    stored = new Map();
    choice = workspaceValue = undefined;
    Object.assign(vscode.window, {
      showInformationMessage: async (message: string) => {
        offers.push(message);
        return Promise.resolve(choice);
      },
    });
    const configuration = {
      get: () => 'UTC',
      inspect: () => ({ workspaceValue }),
      update: async (...change: unknown[]) => Promise.resolve(void written.push(change)),
    };
    Object.assign(vscode.workspace, { getConfiguration: () => configuration });
  });
  afterEach(() => {
    Object.assign(vscode.window, window);
    Object.assign(vscode.workspace, { getConfiguration });
  });

  it('offers a zone once, but not the zone in the settings', async () => {
    await choose(utc);
    assert.deepEqual(offers, []);
    await choose(sast);
    await choose(berlin);
    assert.deepEqual(offers, ['Use SAST (UTC+2) as the default time zone? Saved queries and open panels keep theirs.']);
    assert.deepEqual(written, [], 'the user closed the offer');
  });

  for (const [title, value, isGlobal] of [
    ['the user setting', undefined, true],
    ['the workspace setting if it exists', 'UTC', false],
  ] as const)
    it(`writes the selected zone to ${title}`, async () => {
      choice = 'Use as Default';
      workspaceValue = value;
      await choose(sast);
      assert.deepEqual(written, [['gridData.timeZone', 'SAST', isGlobal]]);
    });
});
