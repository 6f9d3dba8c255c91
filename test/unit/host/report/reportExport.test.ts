import assert from 'node:assert/strict';
import { createTableState } from '../../../support/tableState.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sast, utc } from '../../../../src/core/time/zone.ts';
import type { SettledState } from '../../../../src/shared/protocol.ts';
import { initialView, type View } from '../../../../src/shared/view.ts';
import { hourMs } from '../../../../src/shared/durations.ts';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import { Uri, vscode } from '../../../support/fakeVscode.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';
import { FakeState } from '../../service/storeFakes.ts';

const { ReportExport } = await import('../../../../src/host/report/reportExport.ts');

type Source = Parameters<InstanceType<typeof ReportExport>['exportPanel']>[0];
interface Item {
  readonly label: string;
}

/** A quick pick in which the user selects HTML. */
class FakeFormatPick {
  items: readonly Item[] = [];
  readonly selectedItems = [];
  #accept: () => void = () => undefined;
  readonly onDidAccept = (react: () => void): void => void (this.#accept = react);
  readonly onDidChangeValue = (): void => undefined;
  readonly onDidTriggerButton = (): void => undefined;
  readonly onDidHide = (): void => undefined;
  get activeItems(): readonly Item[] {
    return this.items.filter(({ label }) => label === 'HTML');
  }
  show(): void {
    this.#accept();
  }
  hide(): void {}
}

describe('the report of a panel', () => {
  const file = join(createTemporaryFolder(), 'report.html');
  // Other tests in the process share the VS Code mock.
  const { window, workspace } = vscode;
  const originals = [window, workspace].map(part => ({ ...part }));
  beforeEach(() => {
    Object.assign(window, {
      createQuickPick: () => new FakeFormatPick(),
      showSaveDialog: async () => Promise.resolve(new Uri('/report.html', '', file)),
    });
    Object.assign(workspace, { asRelativePath: ({ path }: Uri) => path });
  });
  afterEach(() => {
    for (const [index, part] of [window, workspace].entries()) Object.assign(part, originals[index]);
  });

  const start = Date.UTC(2024, 2, 17, 22);
  const end = Date.UTC(2024, 2, 24, 22);
  const hours = Array.from({ length: 168 }, (_, row) => ({
    ts: new Date(start + row * hourMs).toISOString(),
    mw: row,
  }));
  const state = createTableState(recordsToFrame(hours), { title: 'Week', minCoverage: 0.75, start });

  /** Exports the report of a panel that shows hours of March 2024. */
  async function exportReport(
    settled: SettledState | undefined,
    { timeZone, view }: { timeZone?: string | undefined; view?: View } = {},
  ): Promise<string> {
    const provenance = { connection: 'Grid', dataset: 'systemState', range: '2024-W12', start, end, interval: '1h' };
    const source = {
      title: 'Week',
      zone: utc,
      view,
      result: { bodies: [], provenance: { ...provenance, ...(timeZone && { timeZone }), params: {}, meta: {} } },
      panel: { settled },
    } as unknown as Source;
    const report = (error: unknown): never => assert.fail(String(error));
    await new ReportExport({
      clock: { sleep: async () => Promise.resolve() },
      state: new FakeState(),
      report,
    }).exportPanel(source);
    return readFileSync(file, 'utf8');
  }

  async function listFacts(timeZone: string | undefined, view?: View): Promise<string[]> {
    const text = await exportReport(state, { timeZone, ...(view && { view }) });
    return Array.from(
      text.matchAll(/<dt>(Interval|Time zone of the range)<\/dt><dd>([^<]*)/g),
      ([, name, value]) => `${name}: ${value}`,
    );
  }

  it('names the time zone of a range whose days depend on it, whatever zone is displayed', async () => {
    const interval = 'Interval: hourly';
    assert.deepEqual(await listFacts(sast.timeZone), [`Time zone of the range: ${sast.label}`, interval]);
    assert.deepEqual(await listFacts('Europe/Berlin'), ['Time zone of the range: Europe/Berlin', interval]);
    assert.deepEqual(await listFacts(undefined), [interval]);
  });

  it('contains only the interval of the displayed rows', async () => {
    const resampled = 'hourly, resampled: Days · UTC';
    assert.deepEqual(await listFacts(undefined, { ...initialView, resample: 'day' }), [`Interval: ${resampled}`]);
  });

  it('contains the chart, statistics and rows of the panel without its page', async () => {
    const text = await exportReport(state);
    for (const heading of ['<h3>Statistics</h3>', '<h3>Rows</h3>']) assert.ok(text.includes(heading), heading);
    assert.match(
      text,
      /<img alt="[^"]*mw: first 0 at 17 Mar 22:00 UTC, last 167[^"]*" src="data:image\/svg\+xml;base64,/,
    );
  });

  it('explains why there are no rows', async () => {
    const sentence = 'The key was rejected.';
    const failed = { view: 'error', title: 'Week', header: [], sentence, actions: [] } as const;
    assert.ok((await exportReport(failed)).includes(sentence));
    assert.ok((await exportReport(undefined)).includes('The result is still loading.'));
  });
});
