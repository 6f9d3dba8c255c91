import assert from 'node:assert/strict';
import { initialView, type View } from '../../../../src/shared/view.ts';
import { isOtherQuery, formatUndo, ViewHistory } from '../../../../src/webview/result/viewHistory.ts';

const sort = [{ column: 'wind_mw', descending: false }];

describe('the history of a view', () => {
  let history: ViewHistory;
  let view: View;

  const change = (part: Partial<View>, field?: EventTarget): void => {
    const next = { ...view, ...part };
    history.record(view, next, field as Element | undefined);
    view = next;
  };
  const moveInHistory = (direction: 'undo' | 'redo'): string => {
    const previousView = view;
    const next = history[direction](view);
    view = next ?? view;
    return formatUndo(previousView, next, direction);
  };

  beforeEach(() => {
    history = new ViewHistory();
    view = initialView;
  });

  it('undoes changes in reverse order, and redoes them', () => {
    change({ sort });
    change({ filters: { wind_mw: '>100' } });
    change({ resample: 'day' });
    assert.deepEqual(
      [moveInHistory('undo'), moveInHistory('undo'), moveInHistory('undo'), moveInHistory('undo')],
      ['Undone: resampling', 'Undone: filters', 'Undone: sort', 'Nothing to undo'],
    );
    assert.deepEqual(view.sort, []);
    assert.deepEqual(
      [moveInHistory('redo'), moveInHistory('redo'), moveInHistory('redo'), moveInHistory('redo')],
      ['Redone: sort', 'Redone: filters', 'Redone: resampling', 'Nothing to redo'],
    );
    assert.deepEqual([view.sort, view.filters, view.resample], [sort, { wind_mw: '>100' }, 'day']);
  });

  it('has nothing to redo after another change', () => {
    change({ sort });
    moveInHistory('undo');
    change({ summaries: false });
    assert.equal(moveInHistory('redo'), 'Nothing to redo');
    assert.equal(moveInHistory('undo'), 'Undone: display');
  });

  it('keeps the tab, the column of the statistics and the zoom', () => {
    const window = { start: 1, end: 2 };
    const zoomed = { window, chart: { mode: 'lines', zoom: window } };
    change({ chart: { mode: 'lines' } });
    change({ sort });
    change({ tab: 'chart', selectedColumn: 'wind_mw', ...zoomed });
    assert.equal(moveInHistory('undo'), 'Undone: sort');
    assert.deepEqual([view.sort, view.tab, view.selectedColumn, view.chart], [[], 'chart', 'wind_mw', zoomed.chart]);
  });

  it('merges all input in a field into one change until the field loses the focus', () => {
    const field = new EventTarget();
    const type = (text: string): void => change({ filters: { wind_mw: text } }, field);
    change({ filters: { wind_mw: '' } });
    for (const text of ['>', '>1', '>10']) type(text);
    field.dispatchEvent(new Event('blur'));
    for (const text of ['>1', '>']) type(text);
    assert.equal(moveInHistory('undo'), 'Undone: filters');
    assert.deepEqual(view.filters, { wind_mw: '>10' });
    moveInHistory('undo');
    assert.deepEqual(view.filters, {});
    assert.equal(moveInHistory('undo'), 'Nothing to undo');
  });

  it('keeps the last 50 changes', () => {
    for (let width = 0; width < 60; width++) change({ arrangement: { widths: { wind_mw: width } } });
    for (let count = 0; count < 50; count++) assert.equal(moveInHistory('undo'), 'Undone: columns');
    assert.equal(moveInHistory('undo'), 'Nothing to undo');
    assert.deepEqual(view.arrangement, { widths: { wind_mw: 9 } });
  });
});

describe('isOtherQuery', () => {
  const query = {
    dataset: 'systemState',
    range: 'today',
    interval: '1h',
    params: {},
    timeZone: 'UTC',
    connection: 'c',
  };

  it('distinguishes another range from another display zone', () => {
    assert.equal(isOtherQuery(query, { ...query, zone: 'Africa/Johannesburg', saved: 'personal/a' }), false);
    assert.equal(isOtherQuery(query, { ...query, range: 'yesterday' }), true);
    assert.equal(isOtherQuery(query, { ...query, params: { format: 'x' } }), true);
  });
});
