import assert from 'node:assert/strict';
import { createTableState } from '../../../support/tableState.ts';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import { WebviewStatePublisher } from '../../../../src/host/panel/webviewStatePublisher.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import type { ViewState } from '../../../../src/shared/protocol.ts';

type TableState = Extract<ViewState, { view: 'table' }>;
type Page = ConstructorParameters<typeof WebviewStatePublisher>[1];
type PageCall = { method: 'state'; params: ViewState } | { method: 'zone' | 'names'; params: unknown };

const utc = { timeZone: 'UTC', label: 'UTC' };
const loading: ViewState = {
  view: 'loading',
  title: 'Q',
  detail: 'Asking…',
  content: 'earlier',
  actions: [],
  tools: { range: 'yesterday', interval: 'hourly', actions: [] },
  header: [],
};

function createTable(rows: number, title = 'Q'): TableState {
  const records = Array.from({ length: rows }, (_, row) => ({
    ts: new Date(row * 3_600_000).toISOString(),
    note: `n${row}`,
  }));
  return createTableState(recordsToFrame(records), { title });
}

/** A page that confirms its messages on demand. */
function setUp(state: ViewState = loading) {
  const sent: string[] = [];
  const states: PageCall[] = [];
  const frames: TableState['frame'][] = [];
  const arrivals: (() => void)[] = [];
  const notify: Page['notify'] = async (method, params) => {
    const call = { method, params } as PageCall;
    sent.push(describeCall(call));
    states.push(call);
    if (call.method === 'state' && call.params.view === 'table') frames.push(call.params.frame);
    return new Promise<void>(resolve => arrivals.push(resolve));
  };
  const mail = new WebviewStatePublisher(state, { notify });
  const arrive = async (): Promise<void> => {
    for (const taken of arrivals.splice(0)) taken();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { mail, sent, states, frames, arrive };
}

function describeCall(call: PageCall): string {
  if (call.method !== 'state') return call.method;
  const state = call.params;
  if (state.view !== 'table') return state.view;
  return `${state.isHead ? 'head' : 'table'} ${state.frame.rowCount} ${state.title} ${state.zone.label}`;
}

/** Creates a frame with this many number columns, each with gaps and row hours, followed by a text column. */
function createWideFrame(columns: number): Frame {
  const numbers = Array.from({ length: columns }, (_, column) => ({
    ...({ kind: 'number', name: `c${column}`, path: [`c${column}`] } as const),
    values: Float64Array.of(column, NaN, -column),
    gaps: Uint8Array.of(0, 1, 0),
    hours: Float64Array.of(24, 23, 5),
  }));
  const texts = { codes: Uint32Array.of(1, 0, 1), entries: ['a', 'b'] };
  return { rowCount: 3, columns: [...numbers, { kind: 'text', name: 't', path: ['t'], texts }] };
}

/** Collects the distinct buffers in a message. */
function collectBuffers(part: unknown, buffers = new Set<ArrayBufferLike>()): Set<ArrayBufferLike> {
  if (ArrayBuffer.isView(part)) buffers.add(part.buffer);
  else if (typeof part === 'object' && part !== null)
    for (const inner of Object.values(part)) collectBuffers(inner, buffers);
  return buffers;
}

describe('publishing state to a page', () => {
  it('sends no more buffers than VS Code transfers, however wide the table, with the same values', () => {
    for (const columns of [60, 70, 500]) {
      const { mail, states, frames } = setUp();
      mail.pageReady();
      mail.show({ ...createTable(3), frame: createWideFrame(columns) });
      assert.ok(collectBuffers(states).size < 250, `${columns} columns`);
      assert.deepEqual(frames, [createWideFrame(columns)]);
    }
  });

  it('sends nothing before the page is ready, and then the current state', () => {
    const { mail, sent } = setUp();
    mail.show(createTable(5000));
    assert.deepEqual(sent, []);
    mail.pageReady();
    assert.deepEqual(sent, ['table 5000 Q UTC']);
  });

  it('escapes characters that hide or reorder text, and leaves the response as received', () => {
    const { mail, states } = setUp();
    const turned = 'Grid\u202e\u0007\u2066';
    const frame = recordsToFrame([{ [turned]: turned }]);
    const state = { ...createTable(1, turned), header: [{ text: turned, tooltip: `${turned}\nof all` }], frame };
    mail.show({ ...state, tools: { ...state.tools, savedAs: turned }, compared: [[turned, turned]] });
    mail.pageReady();
    mail.updateNames(turned, { range: turned, interval: 'hourly' });
    mail.showZone(utc, [{ text: turned }]);
    mail.show({ ...loading, detail: turned });
    mail.show({ view: 'json', title: 'Q', tools: state.tools, header: [], sentence: turned, text: turned });
    const [shown, names, zone, waiting, json] = states;
    assert.deepEqual(shown?.method === 'state' && shown.params, {
      ...state,
      title: 'Grid',
      header: [{ text: 'Grid', tooltip: 'Grid\nof all' }],
      tools: { ...state.tools, savedAs: 'Grid' },
      compared: [[turned, turned]],
    });
    assert.deepEqual(names, {
      method: 'names',
      params: { title: 'Grid', named: { range: 'Grid', interval: 'hourly' } },
    });
    assert.deepEqual(zone, { method: 'zone', params: { zone: utc, header: [{ text: 'Grid' }] } });
    assert.deepEqual(waiting?.method === 'state' && waiting.params, { ...loading, detail: 'Grid' });
    assert.ok(json?.method === 'state' && json.params.view === 'json');
    assert.deepEqual([json.params.sentence, json.params.text], ['Grid', turned]);
  });

  it('sends the first rows of a long table ahead, and the rest afterwards', async () => {
    const { mail, sent, frames, arrive } = setUp();
    mail.pageReady();
    mail.show(createTable(5000));
    assert.deepEqual(sent, ['loading', 'head 200 Q UTC']);
    const [time, note] = frames[0]?.columns ?? [];
    assert.ok(time?.kind === 'time' && note?.kind === 'text');
    assert.deepEqual(
      [time.values.length, time.values.buffer.byteLength, time.values[199]],
      [200, 1600, 199 * 3_600_000],
    );
    assert.deepEqual([note.texts.entries.length, note.texts.entries[note.texts.codes[199] ?? -1]], [200, 'n199']);
    await arrive();
    assert.deepEqual(sent.slice(2), ['table 5000 Q UTC']);
  });

  it('sends a short table, and a replacement, in one message', async () => {
    const { mail, sent, arrive } = setUp();
    mail.pageReady();
    mail.show(createTable(1999));
    mail.show(createTable(5000));
    await arrive();
    assert.deepEqual(sent, ['loading', 'table 1999 Q UTC', 'table 5000 Q UTC']);
  });

  it('continues with the current state: another time zone, progress, or another response', async () => {
    const { mail, sent, arrive } = setUp();
    mail.pageReady();
    mail.show(createTable(5000));
    mail.showZone({ timeZone: 'Africa/Johannesburg', label: 'SAST' }, []);
    mail.show(loading);
    await arrive();
    assert.deepEqual(sent.slice(2), ['zone', 'table 5000 Q SAST', 'loading']);
    mail.show(createTable(3000, 'R'));
    assert.deepEqual(sent.slice(5), ['table 3000 R UTC']);
  });

  it('sends a page that loads meanwhile everything, once', async () => {
    const { mail, sent, arrive } = setUp();
    mail.pageReady();
    mail.show(createTable(5000));
    mail.pageReady();
    await arrive();
    assert.deepEqual(sent, ['loading', 'head 200 Q UTC', 'table 5000 Q UTC']);
  });

  it('sends the first rows also when no more are available yet, and then the whole', () => {
    const { mail, sent } = setUp();
    mail.pageReady();
    mail.show({ ...createTable(200), isHead: true });
    mail.show(loading);
    mail.show(createTable(5000));
    assert.deepEqual(sent.slice(1), ['head 200 Q UTC', 'loading', 'table 5000 Q UTC']);
  });

  it('sends a page that loads while the rest is read the first rows, labeled as such', () => {
    const { mail, sent } = setUp();
    mail.show({ ...createTable(200), isHead: true });
    mail.show(loading);
    mail.pageReady();
    assert.deepEqual(sent, ['head 200 Q UTC', 'loading']);
  });

  it('does not replace rows by the first rows of another result', () => {
    const { mail, sent } = setUp();
    mail.pageReady();
    mail.show(createTable(1500));
    mail.show({ ...createTable(200), isHead: true });
    mail.pageReady();
    assert.deepEqual(sent.slice(1), ['table 1500 Q UTC', 'table 1500 Q UTC']);
  });

  it('has settled rows once a result is complete, and none while parts of the next one arrive', () => {
    const { mail } = setUp();
    const rows = (): number | undefined => (mail.settled?.view === 'table' ? mail.settled.frame.rowCount : undefined);
    mail.show({ ...createTable(20), isHead: true });
    mail.show(loading);
    assert.equal(rows(), undefined);
    mail.show(createTable(100));
    mail.show(loading);
    assert.equal(rows(), 100);
    mail.show(createTable(20));
    mail.show({ ...loading, content: 'partial' });
    assert.equal(rows(), undefined);
    mail.show(createTable(120));
    assert.equal(rows(), 120);
  });

  it("sends the query's new name, and keeps it for a page that loads later", async () => {
    const { mail, sent, arrive } = setUp();
    mail.show(createTable(3));
    mail.pageReady();
    mail.show(loading);
    await arrive();
    mail.updateNames('Other', { range: 'r', interval: 'hourly', savedAs: 'Morning' });
    mail.pageReady();
    assert.deepEqual(sent.slice(-3), ['names', 'table 3 Other UTC', 'loading']);
  });

  it('sends the rest also when receipt of the first rows is unconfirmed', async () => {
    const sent: string[] = [];
    const notify: Page['notify'] = async (method, params) => {
      sent.push(describeCall({ method, params } as PageCall));
      return Promise.reject(new Error('gone'));
    };
    const mail = new WebviewStatePublisher(loading, { notify });
    mail.pageReady();
    mail.show(createTable(5000));
    await new Promise(setImmediate);
    assert.deepEqual(sent.slice(1), ['head 200 Q UTC', 'table 5000 Q UTC']);
  });
});
