import assert from 'node:assert/strict';
import type * as code from 'vscode';
import { connection } from '../../../support/connection.ts';
import type { ResolvedQuery } from '../../../../src/core/query/query.ts';
import type { SavedQuery } from '../../../../src/core/savedQueries/savedItem.ts';
import { sast, utc } from '../../../../src/core/time/zone.ts';
import type { Refresh } from '../../../../src/service/query/run.ts';
import { GridError } from '../../../../src/core/errors.ts';
import { systemStateFields } from '../../../../src/shared/fields.ts';
import type { FileSource } from '../../../../src/shared/analysis.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import type { DisplayZone, PanelAction, QueryTools } from '../../../../src/shared/protocol.ts';
import type { Result } from '../../../../src/shared/result.ts';
import { FakeEngine } from '../../../support/fakeEngine.ts';
import { opened, quickPickChoice, shownMessages, Uri } from '../../../support/fakeVscode.ts';
import { createQuery } from '../../core/savedQueries/trees.ts';

const { QuerySessions } = await import('../../../../src/host/panel/querySessions.ts');
const { registerSaveCommands } = await import('../../../../src/host/savedQueries/saveCommands.ts');
const { commands } = await import('../../../../src/host/ids.ts');
const { vscode } = await import('../../../support/fakeVscode.ts');
const { createPanelActionHandler } = await import('../../../../src/host/actions/panelActions.ts');

type Deps = ConstructorParameters<typeof QuerySessions>[0];
interface Offer {
  readonly action: PanelAction;
}
interface Posted {
  readonly method: string;
  readonly params: {
    readonly tools?: QueryTools;
    readonly named?: Omit<QueryTools, 'actions'>;
    readonly actions?: readonly Offer[];
    readonly header?: readonly { readonly text: string }[];
  };
}

/** A panel that records the messages to its page. */
class FakePanel {
  readonly posted: Posted[] = [];
  readonly visible = true;
  active = false;
  readonly webview = {
    cspSource: 'csp',
    asWebviewUri: (uri: unknown) => uri,
    onDidReceiveMessage: (react: (message: unknown) => void) => (this.emitMessage = react),
    postMessage: async (message: Posted) => Promise.resolve(this.posted.push(message)),
  };
  emitMessage: (message: unknown) => void = () => undefined;
  readonly #closed: (() => void)[] = [];
  readonly onDidChangeViewState = (): void => undefined;
  readonly onDidDispose = (react: () => void): void => void this.#closed.push(react);
  readonly reveal = (): void => undefined;
  readonly dispose = (): void => this.#closed.forEach(react => react());

  /** The texts in the toolbar. */
  get toolbar(): Omit<QueryTools, 'actions'> {
    const last = this.posted.findLast(({ method }) => method === 'state' || method === 'names')?.params;
    return last?.tools ?? last?.named ?? assert.fail('the panel received no state');
  }

  /** The name of the saved query in the toolbar, and whether it offers to save changes. */
  get savedName(): readonly [name: string | undefined, isChanged: boolean | undefined] {
    const { savedAs, isChanged } = this.toolbar;
    return [savedAs, isChanged];
  }

  /** The actions in the toolbar and below a message. */
  get actions(): readonly PanelAction[] {
    const { tools, actions = [] } = this.posted.findLast(({ method }) => method === 'state')?.params ?? {};
    return [...(tools?.actions ?? []), ...actions].map(({ action }) => action);
  }
}

describe('the panel of a query', () => {
  const now = Date.UTC(2026, 10, 23, 12);
  const query = { dataset: 'systemState', range: '2024-W12', interval: '1h', params: {}, timeZone: 'UTC' };
  const stored = new Map<string, SavedQuery>();
  const panels: FakePanel[] = [];
  /** The display zones that the user selected. */
  const selectedZones: DisplayZone[] = [];
  const requests: (ResolvedQuery & { readonly refresh: Refresh | undefined })[] = [];
  /** The number of hours without a row in each response. */
  let missing: number[] = [];
  let frame: Frame | undefined;
  /** The starts of the ranges for which grid stress fails. */
  const failedRanges = new Set<number>();
  let joinedFile: { readonly frame: Frame; readonly sha256: string } | undefined;
  let failure: GridError | undefined;
  let activeConnection = connection;
  let sessions: InstanceType<typeof QuerySessions>;

  const fail = (error: unknown): never => assert.fail(String(error));
  const engine = new FakeEngine(async (_, { query: sent, options }) => {
    requests.push({ ...sent, refresh: options.refresh });
    if (failure) throw failure;
    if (sent.dataset.id === 'gridStress' && failedRanges.has(sent.start)) throw new GridError('timeout');
    const { start, end, interval } = sent;
    const counts = { expected: 168, present: 168, missing: missing.shift() ?? 0, late: 0, failed: 0, notRequested: 0 };
    const coverage = { ...counts, notPublished: 0, states: new Uint8Array(), archived: new Uint8Array() };
    const provenance = { connection: 'Grid', dataset: sent.dataset.id, range: sent.range };
    return Promise.resolve({
      bodies: [],
      ...(frame && { frame }),
      coverage: { ...coverage, missingRanges: [] },
      provenance: {
        ...provenance,
        datasetTitle: sent.dataset.title,
        start,
        end,
        interval,
        params: {},
        requestsSpent: 1,
        archivedIntervals: 0,
        meta: {},
      },
    } as unknown as Result);
  });

  beforeEach(() => {
    for (const list of [panels, requests, selectedZones, shownMessages]) list.length = 0;
    stored.clear();
    stored.set('personal/a', createQuery('a', { name: 'Forecast Error', query }));
    missing = [];
    frame = undefined;
    failedRanges.clear();
    failure = undefined;
    activeConnection = connection;
    quickPickChoice.label = undefined;
    opened.panel = () => {
      const panel = new FakePanel();
      panels.push(panel);
      return panel;
    };
    const deps = {
      engine,
      connectionById: () => activeConnection,
      connectionByName: (name: string) => (name === 'Grid' ? activeConnection : undefined),
      readJoinedFile: async (source: FileSource) => {
        if (!joinedFile) throw new GridError('fileMissing', { file: 'plant.csv' });
        const provenance = { interval: '1h' };
        return Promise.resolve({
          result: { frame: joinedFile.frame, provenance },
          source: { ...source, sha256: joinedFile.sha256 },
          remarks: ['plant.csv · SAST'],
        });
      },
      names: { connection: () => undefined, saved: (id: string) => stored.get(id) },
      clock: { now: () => now },
      nowAt: () => now,
      responses: { store: () => undefined },
      logError: fail,
      pricing: { computeTotalPrice: async () => Promise.resolve({ waitMs: 0 }) },
      onZoneChosen: (zone: DisplayZone) => selectedZones.push(zone),
      panel: {
        extensionUri: new Uri('/extension') as unknown as code.Uri,
        newNonce: () => 'n',
        logError: fail,
        hasExported: () => true,
      },
    };
    const createActions = (allSessions: typeof sessions): ReturnType<Deps['actions']> =>
      createPanelActionHandler({ ...deps, sessions: allSessions, report: fail } as unknown as Parameters<
        typeof createPanelActionHandler
      >[0]);
    sessions = new QuerySessions({ ...deps, actions: createActions } as unknown as Deps);
  });
  afterEach(() => {
    sessions.dispose();
    opened.panel = () => undefined;
  });

  /** Reports that the page of the latest panel has loaded. */
  function loadPanel(): FakePanel {
    const panel = panels.at(-1) ?? assert.fail('no panel');
    panel.emitMessage({ method: 'ready' });
    return panel;
  }

  /** Presses a button of the panel and waits until its effects are done. */
  async function press(panel: FakePanel, action: PanelAction): Promise<void> {
    panel.emitMessage({ method: 'act', params: { action } });
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
  }

  for (const trigger of ['button', 'command'] as const)
    it(`saves the panel that Save was invoked on by a ${trigger}, even if another panel gets the focus`, async () => {
      const otherQuery = { ...query, range: '2024-W20' };
      await sessions.run(query, connection);
      const first = loadPanel();
      await sessions.run(otherQuery, connection);
      const second = loadPanel();
      // The user cancels the prompt for the name.
      Object.assign(vscode.window, { showInputBox: async () => Promise.resolve(undefined) });
      const resolvedRanges: unknown[] = [];
      const resolveSession = sessions.resolveSession.bind(sessions);
      sessions.resolveSession = argument => {
        const session = resolveSession(argument);
        resolvedRanges.push(session?.query.range);
        return session;
      };
      // The focus moves while the stores are loading.
      const focus = (panel: FakePanel): void => {
        for (const openPanel of panels) openPanel.active = openPanel === panel;
      };
      const loadStores = async (): Promise<void> => {
        focus(second);
        return Promise.resolve();
      };
      const stores = { settle: loadStores, find: () => undefined };
      const boundary = {
        register: (id: string, run: (argument: unknown) => Promise<unknown>) =>
          vscode.commands.registerCommand(id, async (argument: unknown) => run(argument).catch(() => undefined)),
      };
      const registration = registerSaveCommands({ boundary, stores, sessions, newId: () => 'n' } as never);
      try {
        focus(trigger === 'button' ? second : first);
        if (trigger === 'button') await press(first, 'save');
        else await vscode.commands.executeCommand(commands.saveQuery);
        assert.ok(resolvedRanges.length > 0);
        assert.deepEqual(new Set(resolvedRanges), new Set([query.range]));
      } finally {
        registration.dispose();
      }
    });

  it('shows the name of the saved query that the panel was opened from, and offers to save changes', async () => {
    const session = await sessions.run(query, connection, { savedId: 'personal/a' });
    const panel = loadPanel();
    assert.deepEqual(panel.savedName, ['Forecast Error', false]);
    await sessions.rerun(session, { query: { ...query, range: '2024-W13' }, connection });
    assert.deepEqual(panel.savedName, ['Forecast Error', true]);
    stored.delete('personal/a');
    sessions.updateNames();
    assert.deepEqual(panel.savedName, [undefined, undefined]);
  });

  it('shows the name of the saved query after the query was saved', async () => {
    const session = await sessions.run(query, connection);
    const panel = loadPanel();
    session.setSavedQuery('personal/a');
    sessions.updateNames();
    assert.deepEqual(panel.savedName, ['Forecast Error', false]);
  });

  it('shows no saved name for an equal query that was not run from the saved query', async () => {
    await sessions.run(query, connection);
    assert.deepEqual(loadPanel().savedName, [undefined, undefined]);
    // The same holds while the panel of the saved query is open.
    await sessions.run(query, connection, { savedId: 'personal/a' });
    assert.equal(panels.length, 2);
    const [firstPanel] = panels;
    assert.deepEqual(firstPanel?.savedName, [undefined, undefined]);
    assert.deepEqual(loadPanel().savedName, ['Forecast Error', false]);
  });

  it('shows no saved name for a copy in another tab or after the dataset changed', async () => {
    const session = await sessions.run(query, connection, { savedId: 'personal/a' });
    const panel = loadPanel();
    await sessions.runInNewPanel(session);
    assert.deepEqual(loadPanel().savedName, [undefined, undefined]);
    await sessions.rerun(session, { query: { ...query, dataset: 'gridStress' }, connection });
    assert.deepEqual(panel.savedName, [undefined, undefined]);
  });

  /** Lists the start and end of each request, to the hour, in UTC. */
  const listRequestedRanges = (): readonly string[] =>
    requests.map(({ start, end }) => [start, end].map(ms => new Date(ms).toISOString().slice(0, 13)).join(' '));

  it('displays another time zone without a request, and uses its days for later ranges', async () => {
    const session = await sessions.run(query, connection);
    const panel = loadPanel();
    const selectZone = (zone: DisplayZone): void =>
      panel.emitMessage({ method: 'setZone', params: { timeZone: zone.timeZone } });
    selectZone(sast);
    assert.equal(session.zone.label, sast.label);
    assert.equal(session.query.timeZone, 'UTC');
    assert.deepEqual(listRequestedRanges(), ['2024-03-18T00 2024-03-25T00']);
    await press(panel, 'lastMonth');
    assert.equal(session.query.timeZone, 'Africa/Johannesburg');
    assert.equal(panel.toolbar.preset, 'lastMonth');
    // The previous period uses days of the same zone, even if another zone is displayed in the meantime.
    selectZone(utc);
    assert.equal(panel.toolbar.preset, undefined, 'the range is last month in the other zone');
    await press(panel, 'previousPeriod');
    await press(panel, 'lastMonth');
    assert.deepEqual(listRequestedRanges().slice(1), [
      '2026-09-30T22 2026-10-31T22',
      '2026-08-31T22 2026-09-30T22',
      '2026-10-01T00 2026-11-01T00',
    ]);
    assert.deepEqual(
      selectedZones.map(({ label }) => label),
      [sast.label, utc.label],
    );
  });

  it('shows the time zone of daily rows if another zone is displayed', async () => {
    const dailyQuery = { ...query, range: 'last month', interval: '1d@Europe/Berlin' };
    await sessions.run(dailyQuery, connection);
    const panel = loadPanel();
    assert.deepEqual([panel.toolbar.days, panel.toolbar.preset], ['Europe/Berlin', 'lastMonth']);
    panel.emitMessage({ method: 'setZone', params: { timeZone: 'Europe/Berlin' } });
    assert.equal(panel.toolbar.days, undefined);
  });

  it('keeps UTC days for the daily rows of the service, and shows their time zone', async () => {
    await sessions.run({ ...query, interval: '1d' }, connection);
    const panel = loadPanel();
    panel.emitMessage({ method: 'setZone', params: { timeZone: sast.timeZone } });
    assert.equal(panel.toolbar.days, 'UTC');
    await press(panel, 'lastMonth');
    assert.equal(listRequestedRanges()[1], '2026-10-01T00 2026-11-01T00');
    assert.equal(panel.toolbar.preset, 'lastMonth');
  });

  it('applies a new time zone and range to the linked panels', async () => {
    const board = { id: 'personal/f', isLinked: true };
    const session = await sessions.run(query, connection, { board });
    const first = loadPanel();
    const linkedSession = await sessions.run({ ...query, dataset: 'gridStress' }, connection, { board });
    first.emitMessage({ method: 'setZone', params: { timeZone: sast.timeZone } });
    assert.deepEqual(
      [session, linkedSession].map(({ zone }) => zone.label),
      [sast.label, sast.label],
    );
    assert.equal(requests.length, 2);
    await press(first, 'lastMonth');
    assert.deepEqual(listRequestedRanges().slice(2), ['2026-09-30T22 2026-10-31T22', '2026-09-30T22 2026-10-31T22']);
  });

  describe('with joined columns', () => {
    const join = [{ kind: 'file', path: 'meters/plant.csv', sha256: 'a'.repeat(64) }] as const;
    const createHours = (name: string): Frame => ({
      rowCount: 2,
      columns: [
        {
          kind: 'time',
          name: 'ts',
          path: ['ts'],
          values: Float64Array.of(Date.UTC(2024, 2, 18), Date.UTC(2024, 2, 18, 1)),
        },
        { kind: 'number', name, path: [name], values: Float64Array.of(1, 2) },
      ],
    });
    const texts = (panel: FakePanel): readonly string[] =>
      (panel.posted.findLast(({ method }) => method === 'state')?.params.header ?? []).map(({ text }) => text);

    const listColumns = ({ result }: Pick<Awaited<ReturnType<typeof sessions.run>>, 'result'>): readonly string[] =>
      result?.frame?.columns.map(({ name }) => name) ?? [];

    beforeEach(() => {
      frame = createHours('wind_mw');
      joinedFile = { frame: createHours('plant_mw'), sha256: 'a'.repeat(64) };
    });

    it('joins them to each result, without a request, and saves them with the query', async () => {
      const session = await sessions.run(query, connection, { view: { analysis: { join } } });
      const panel = loadPanel();
      assert.deepEqual(listColumns(session), ['ts', 'wind_mw', 'plant_mw']);
      assert.ok(texts(panel).includes('with plant.csv'));
      assert.ok(panel.actions.includes('removeJoined'));
      assert.deepEqual(session.serializeView().analysis?.join, join);
      await press(panel, 'previousPeriod');
      assert.ok(texts(panel).includes('with plant.csv'));
      assert.equal(requests.length, 2);
      await press(panel, 'removeJoined');
      assert.deepEqual(listColumns(session), ['ts', 'wind_mw']);
      assert.equal(session.serializeView().analysis?.join, undefined);
    });

    it('marks a saved query as changed while its sources differ', async () => {
      stored.set('personal/a', createQuery('a', { name: 'Plant', query, analysis: { join } }));
      const session = await sessions.run(query, connection, { savedId: 'personal/a', view: { analysis: { join } } });
      const panel = loadPanel();
      assert.deepEqual(panel.savedName, ['Plant', false]);
      await press(panel, 'removeJoined');
      assert.deepEqual(panel.savedName, ['Plant', true]);
      assert.equal(session.savedId, 'personal/a');
    });

    it('shows a file that is gone or has changed, and accepts the change', async () => {
      joinedFile = { frame: createHours('plant_mw'), sha256: 'b'.repeat(64) };
      const session = await sessions.run(query, connection, { view: { analysis: { join } } });
      const panel = loadPanel();
      assert.ok(texts(panel).includes('with plant.csv, which has changed'));
      await press(panel, 'acceptFiles');
      assert.ok(texts(panel).includes('with plant.csv'));
      assert.deepEqual(session.serializeView().analysis?.join, [{ ...join[0], sha256: 'b'.repeat(64) }]);
      joinedFile = undefined;
      await session.run();
      assert.ok(texts(panel).includes('without plant.csv'));
      assert.deepEqual(listColumns(session), ['ts', 'wind_mw']);
    });

    it('keeps them when an hourly refresh has newer rows of the query alone', async () => {
      const session = await sessions.run(query, connection, { view: { analysis: { join } } });
      const { result } = session;
      const provenance = { ...result?.provenance, fetchedAt: now } as Result['provenance'];
      if (result) sessions.refreshed(query, connection, { ...result, frame: createHours('wind_mw'), provenance });
      assert.equal(session.result, result);
    });

    it('says if they are missing in a compared period only', async () => {
      const source = { kind: 'query', name: 'Stress', dataset: 'gridStress', interval: '1h', params: {} } as const;
      const compare = { kind: 'previousPeriod', align: 'position' } as const;
      failedRanges.add(Date.UTC(2024, 2, 11));
      await sessions.run(query, connection, { view: { analysis: { join: [source], compare } } });
      assert.ok(texts(loadPanel()).includes('with Stress, not in the other period'));
    });

    it('shows the other columns if a source cannot be used', async () => {
      const source = { kind: 'query', name: 'Old', dataset: 'nothing', interval: '1h', params: {} } as const;
      const session = await sessions.run(query, connection, { view: { analysis: { join: [source, ...join] } } });
      assert.ok(texts(loadPanel()).includes('without Old'));
      assert.deepEqual(listColumns(session), ['ts', 'wind_mw', 'plant_mw']);
    });

    it('adds the columns of a preset, and joins the capacity that they need', async () => {
      const wind = createHours('wind_mw');
      const columns = wind.columns.map(column => ({ ...column, field: systemStateFields.get(column.name) }));
      frame = { ...wind, columns } as Frame;
      const session = await sessions.run(query, connection);
      const panel = loadPanel();
      quickPickChoice.label = 'Capacity factor of wind';
      await press(panel, 'addPreset');
      assert.deepEqual(session.request.join, [{ kind: 'installedCapacity' }]);
      const { derive } = session.serializeView().analysis ?? {};
      assert.deepEqual(
        derive?.map(({ name, formula }) => [name, formula]),
        [['wind_capacity_factor', 'share(wind_mw, wind_installed_mw)']],
      );
      assert.match(derive[0]?.source ?? '', /Eskom Data Portal.*2024/);
      await press(panel, 'addPreset');
      assert.equal(session.serializeView().analysis?.derive?.length, 1);
      assert.equal(session.serializeView().analysis?.join?.length, 1);
    });

    it('runs another query for the same range and on its own connection', async () => {
      const source = {
        kind: 'query',
        name: 'Stress',
        dataset: 'gridStress',
        interval: '1h',
        params: {},
        connection: 'Grid',
      } as const;
      const session = await sessions.run(query, connection, { view: { analysis: { join: [source] } } });
      assert.deepEqual(
        requests.map(({ dataset, range }) => [dataset.id, range]),
        [
          ['systemState', query.range],
          ['gridStress', query.range],
        ],
      );
      assert.equal(session.result?.provenance.requestsSpent, 2);
      const otherConnection = { ...source, connection: 'Unknown' };
      await sessions.run({ ...query, range: '2024-W20' }, connection, {
        view: { analysis: { join: [otherConnection] } },
      });
      assert.ok(texts(loadPanel()).includes('without Stress'));
      assert.equal(requests.length, 3);
    });
  });

  it('offers Check Days only if the dataset has daily values', async () => {
    frame = {
      rowCount: 1,
      columns: [{ kind: 'number', name: 'value', path: ['value'], values: new Float64Array([1]) }],
    };
    for (const [dataset, isOffered] of [
      ['systemState', true],
      ['gridStress', false],
      ['stateAndStress', true],
    ] as const) {
      await sessions.run({ ...query, dataset }, connection);
      assert.equal(loadPanel().actions.includes('checkDays'), isOffered, dataset);
    }
  });

  it('offers the dashboard after a rejected key only if the service has one', async () => {
    failure = new GridError('keyRejected', { status: 401 });
    for (const [service, isOffered] of [
      ['powerSignals', true],
      ['other', false],
    ] as const) {
      activeConnection = { ...connection, service };
      await sessions.run(query, activeConnection);
      const { actions } = loadPanel();
      assert.ok(actions.includes('enterKey'), service);
      assert.equal(actions.includes('openDashboard'), isOffered, service);
    }
  });

  for (const [stillMissing, message] of [
    [0, 'Fetch Missing: 5 hours received. Nothing else is missing.'],
    [2, 'Fetch Missing: 3 of 5 hours received. The service has no rows for the others.'],
    [5, 'Fetch Missing: the service has no rows for 5 hours.'],
  ] as const)
    it(`reports the outcome of Fetch Missing if ${stillMissing} of 5 hours still have no row`, async () => {
      missing = [5, stillMissing];
      await sessions.run(query, connection);
      await press(loadPanel(), 'fetchMissing');
      assert.equal(requests.at(-1)?.refresh, 'missing');
      assert.deepEqual(shownMessages, [message]);
    });
});
