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

/** Creates a publisher and a fake page that confirms messages when `confirmAll` is called. */
function setUp(state: ViewState = loading) {
  const sentCalls: string[] = [];
  const calls: PageCall[] = [];
  const frames: TableState['frame'][] = [];
  const confirmations: (() => void)[] = [];
  const notify: Page['notify'] = async (method, params) => {
    const call = { method, params } as PageCall;
    sentCalls.push(describeCall(call));
    calls.push(call);
    if (call.method === 'state' && call.params.view === 'table') frames.push(call.params.frame);
    return new Promise<void>(resolve => confirmations.push(resolve));
  };
  const publisher = new WebviewStatePublisher(state, { notify });
  const confirmAll = async (): Promise<void> => {
    for (const confirm of confirmations.splice(0)) confirm();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { publisher, sentCalls, calls, frames, confirmAll };
}

function describeCall(call: PageCall): string {
  if (call.method !== 'state') return call.method;
  const state = call.params;
  if (state.view !== 'table') return state.view;
  return `${state.isHead ? 'head' : 'table'} ${state.frame.rowCount} ${state.title} ${state.zone.label}`;
}

/** Creates a frame with this number of numeric columns, each with gaps and hours, followed by a text column. */
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
    for (const value of Object.values(part)) collectBuffers(value, buffers);
  return buffers;
}

describe('WebviewStatePublisher', () => {
  it('sends a table of any width with fewer buffers than VS Code can transfer', () => {
    for (const columns of [60, 70, 500]) {
      const { publisher, calls, frames } = setUp();
      publisher.pageReady();
      publisher.show({ ...createTable(3), frame: createWideFrame(columns) });
      assert.ok(collectBuffers(calls).size < 250, `${columns} columns`);
      assert.deepEqual(frames, [createWideFrame(columns)]);
    }
  });

  it('sends nothing before the page is ready, and then the current state', () => {
    const { publisher, sentCalls } = setUp();
    publisher.show(createTable(5000));
    assert.deepEqual(sentCalls, []);
    publisher.pageReady();
    assert.deepEqual(sentCalls, ['table 5000 Q UTC']);
  });

  it('removes characters that hide or reorder text from labels, but not from the response', () => {
    const { publisher, calls } = setUp();
    const unsafeText = 'Grid\u202e\u0007\u2066';
    const frame = recordsToFrame([{ [unsafeText]: unsafeText }]);
    const state = {
      ...createTable(1, unsafeText),
      header: [{ text: unsafeText, tooltip: `${unsafeText}\nof all` }],
      frame,
    };
    publisher.show({ ...state, tools: { ...state.tools, savedAs: unsafeText }, compared: [[unsafeText, unsafeText]] });
    publisher.pageReady();
    publisher.updateNames(unsafeText, { range: unsafeText, interval: 'hourly' });
    publisher.showZone(utc, [{ text: unsafeText }]);
    publisher.show({ ...loading, detail: unsafeText });
    publisher.show({
      view: 'json',
      title: 'Q',
      tools: state.tools,
      header: [],
      sentence: unsafeText,
      text: unsafeText,
    });
    const [table, names, zone, waiting, json] = calls;
    assert.deepEqual(table?.method === 'state' && table.params, {
      ...state,
      title: 'Grid',
      header: [{ text: 'Grid', tooltip: 'Grid\nof all' }],
      tools: { ...state.tools, savedAs: 'Grid' },
      compared: [[unsafeText, unsafeText]],
    });
    assert.deepEqual(names, {
      method: 'names',
      params: { title: 'Grid', named: { range: 'Grid', interval: 'hourly' } },
    });
    assert.deepEqual(zone, { method: 'zone', params: { zone: utc, header: [{ text: 'Grid' }] } });
    assert.deepEqual(waiting?.method === 'state' && waiting.params, { ...loading, detail: 'Grid' });
    assert.ok(json?.method === 'state' && json.params.view === 'json');
    assert.deepEqual([json.params.sentence, json.params.text], ['Grid', unsafeText]);
  });

  it('sends the first rows of a long table first, and the rest afterwards', async () => {
    const { publisher, sentCalls, frames, confirmAll } = setUp();
    publisher.pageReady();
    publisher.show(createTable(5000));
    assert.deepEqual(sentCalls, ['loading', 'head 200 Q UTC']);
    const [time, note] = frames[0]?.columns ?? [];
    assert.ok(time?.kind === 'time' && note?.kind === 'text');
    assert.deepEqual(
      [time.values.length, time.values.buffer.byteLength, time.values[199]],
      [200, 1600, 199 * 3_600_000],
    );
    assert.deepEqual([note.texts.entries.length, note.texts.entries[note.texts.codes[199] ?? -1]], [200, 'n199']);
    await confirmAll();
    assert.deepEqual(sentCalls.slice(2), ['table 5000 Q UTC']);
  });

  it('sends a short table, or a table that replaces an earlier one, in one message', async () => {
    const { publisher, sentCalls, confirmAll } = setUp();
    publisher.pageReady();
    publisher.show(createTable(1999));
    publisher.show(createTable(5000));
    await confirmAll();
    assert.deepEqual(sentCalls, ['loading', 'table 1999 Q UTC', 'table 5000 Q UTC']);
  });

  it('sends the rest of a table with a changed time zone, and the states after it', async () => {
    const { publisher, sentCalls, confirmAll } = setUp();
    publisher.pageReady();
    publisher.show(createTable(5000));
    publisher.showZone({ timeZone: 'Africa/Johannesburg', label: 'SAST' }, []);
    publisher.show(loading);
    await confirmAll();
    assert.deepEqual(sentCalls.slice(2), ['zone', 'table 5000 Q SAST', 'loading']);
    publisher.show(createTable(3000, 'R'));
    assert.deepEqual(sentCalls.slice(5), ['table 3000 R UTC']);
  });

  it('sends the whole table once to a page that loads between the first rows and the rest', async () => {
    const { publisher, sentCalls, confirmAll } = setUp();
    publisher.pageReady();
    publisher.show(createTable(5000));
    publisher.pageReady();
    await confirmAll();
    assert.deepEqual(sentCalls, ['loading', 'head 200 Q UTC', 'table 5000 Q UTC']);
  });

  it('sends the first rows while the rest is not available yet, and then the whole table', () => {
    const { publisher, sentCalls } = setUp();
    publisher.pageReady();
    publisher.show({ ...createTable(200), isHead: true });
    publisher.show(loading);
    publisher.show(createTable(5000));
    assert.deepEqual(sentCalls.slice(1), ['head 200 Q UTC', 'loading', 'table 5000 Q UTC']);
  });

  it('sends the first rows to a page that loads while the rest is not available yet', () => {
    const { publisher, sentCalls } = setUp();
    publisher.show({ ...createTable(200), isHead: true });
    publisher.show(loading);
    publisher.pageReady();
    assert.deepEqual(sentCalls, ['head 200 Q UTC', 'loading']);
  });

  it('does not replace rows by the first rows of another result', () => {
    const { publisher, sentCalls } = setUp();
    publisher.pageReady();
    publisher.show(createTable(1500));
    publisher.show({ ...createTable(200), isHead: true });
    publisher.pageReady();
    assert.deepEqual(sentCalls.slice(1), ['table 1500 Q UTC', 'table 1500 Q UTC']);
  });

  it('`settled` is the table of a complete result, and undefined while a result is partial', () => {
    const { publisher } = setUp();
    const getSettledRowCount = (): number | undefined =>
      publisher.settled?.view === 'table' ? publisher.settled.frame.rowCount : undefined;
    publisher.show({ ...createTable(20), isHead: true });
    publisher.show(loading);
    assert.equal(getSettledRowCount(), undefined);
    publisher.show(createTable(100));
    publisher.show(loading);
    assert.equal(getSettledRowCount(), 100);
    publisher.show(createTable(20));
    publisher.show({ ...loading, content: 'partial' });
    assert.equal(getSettledRowCount(), undefined);
    publisher.show(createTable(120));
    assert.equal(getSettledRowCount(), 120);
  });

  it('sends the new name of the query to the page, and to a page that loads later', async () => {
    const { publisher, sentCalls, confirmAll } = setUp();
    publisher.show(createTable(3));
    publisher.pageReady();
    publisher.show(loading);
    await confirmAll();
    publisher.updateNames('Other', { range: 'r', interval: 'hourly', savedAs: 'Morning' });
    publisher.pageReady();
    assert.deepEqual(sentCalls.slice(-3), ['names', 'table 3 Other UTC', 'loading']);
  });

  it('sends the rest even if the page does not confirm the first rows', async () => {
    const sentCalls: string[] = [];
    const notify: Page['notify'] = async (method, params) => {
      sentCalls.push(describeCall({ method, params } as PageCall));
      return Promise.reject(new Error('gone'));
    };
    const publisher = new WebviewStatePublisher(loading, { notify });
    publisher.pageReady();
    publisher.show(createTable(5000));
    await new Promise(setImmediate);
    assert.deepEqual(sentCalls.slice(1), ['head 200 Q UTC', 'table 5000 Q UTC']);
  });
});
