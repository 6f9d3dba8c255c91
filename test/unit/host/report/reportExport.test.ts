import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sast, utc } from '../../../../src/core/time/zone.ts';
import type { ReportSection } from '../../../../src/shared/report.ts';
import { Uri, vscode } from '../../../support/fakeVscode.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';
import { FakeState } from '../../service/storeFakes.ts';

const { ReportExport } = await import('../../../../src/host/report/reportExport.ts');

type Source = Parameters<InstanceType<typeof ReportExport>['ofPanel']>[0];
interface Item {
  readonly label: string;
}

/** A quick pick in which Markdown is chosen once it is shown. */
class FormatPick {
  items: readonly Item[] = [];
  readonly selectedItems = [];
  #accept: () => void = () => undefined;
  readonly onDidAccept = (react: () => void): void => void (this.#accept = react);
  readonly onDidChangeValue = (): void => undefined;
  readonly onDidTriggerButton = (): void => undefined;
  readonly onDidHide = (): void => undefined;
  get activeItems(): readonly Item[] {
    return this.items.filter(({ label }) => label === 'Markdown');
  }
  show(): void {
    this.#accept();
  }
  hide(): void {}
}

describe('the report of a panel', () => {
  const file = join(temporaryFolder(), 'report.md');
  // Other tests of the process have the same VS Code.
  const { window, workspace } = vscode;
  const before = [window, workspace].map(part => ({ ...part }));
  beforeEach(() => {
    Object.assign(window, {
      createQuickPick: () => new FormatPick(),
      showSaveDialog: async () => Promise.resolve(new Uri('/report.md', '', file)),
    });
    Object.assign(workspace, { asRelativePath: ({ path }: Uri) => path });
  });
  afterEach(() => {
    for (const [at, part] of [window, workspace].entries()) Object.assign(part, before[at]);
  });

  /** Which facts the report of hours of March 2024 has. */
  async function factsWith(timeZone: string | undefined, facts: ReportSection['facts']): Promise<string[]> {
    const [start, end] = [Date.UTC(2024, 2, 17, 22), Date.UTC(2024, 2, 24, 22)];
    const provenance = { connection: 'Grid', dataset: 'systemState', range: '2024-W12', start, end, interval: '1h' };
    const section = { title: 'Week', facts, tables: [], methods: [] };
    const source = {
      title: 'Week',
      zone: utc,
      view: undefined,
      result: { bodies: [], provenance: { ...provenance, ...(timeZone && { timeZone }), params: {}, meta: {} } },
      panel: { askReport: async () => Promise.resolve(section) },
    } as unknown as Source;
    const report = (error: unknown): never => assert.fail(String(error));
    await new ReportExport({ clock: { sleep: async () => Promise.resolve() }, state: new FakeState(), report }).ofPanel(
      source,
    );
    return readFileSync(file, 'utf8')
      .split('\n')
      .flatMap(line => /^- \*\*(?:Interval|Time zone of the range):\*\* .*/.exec(line) ?? [])
      .map(line => line.replaceAll('\\', ''));
  }

  it('names the time zone of a range whose days depend on it, whatever zone is shown', async () => {
    const interval = '- **Interval:** hourly';
    assert.deepEqual(await factsWith(sast.timeZone, []), [`- **Time zone of the range:** ${sast.label}`, interval]);
    assert.deepEqual(await factsWith('Europe/Berlin', []), ['- **Time zone of the range:** Europe/Berlin', interval]);
    assert.deepEqual(await factsWith(undefined, []), [interval]);
  });

  it('has one interval, that of the rows shown', async () => {
    const resampled = 'hourly, resampled: Days · UTC';
    assert.deepEqual(await factsWith(undefined, [['Interval', resampled]]), [`- **Interval:** ${resampled}`]);
  });
});
