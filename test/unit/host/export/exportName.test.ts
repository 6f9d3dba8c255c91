import assert from 'node:assert/strict';
import { sast, utc } from '../../../../src/core/time/zone.ts';
import { exportName } from '../../../../src/host/export/exportContent.ts';

describe('exportName', () => {
  const span = { meta: {}, start: Date.parse('2026-05-01T00:00Z'), end: Date.parse('2026-05-08T00:00Z') };

  it('names dataset, interval and requested days in the file name', () => {
    const name = exportName({ dataset: 'system_state', interval: '1h', ...span }, utc);
    assert.equal(name, 'system_state_1h_2026-05-01_2026-05-08');
  });

  it('uses dates in the displayed time zone, or in that of the rows', () => {
    const evenings = {
      dataset: 'systemState',
      meta: {},
      start: Date.parse('2026-04-30T22:00Z'),
      end: Date.parse('2026-05-07T22:00Z'),
    };
    assert.equal(exportName({ ...evenings, interval: '1h' }, sast), 'systemState_1h_2026-05-01_2026-05-08');
    assert.equal(exportName({ ...evenings, interval: '1h' }, utc), 'systemState_1h_2026-04-30_2026-05-07');
    const days = { ...sast };
    for (const interval of ['1d@SAST', 'week'])
      assert.match(exportName({ ...evenings, interval, days }, utc), /_2026-05-01_2026-05-08$/);
    const serviceDays = { ...span, dataset: 'systemState', interval: '1d' };
    assert.equal(
      exportName(serviceDays, { timeZone: 'America/New_York', label: 'x' }),
      'systemState_1d_2026-05-01_2026-05-08',
    );
  });

  it('labels the file name of Sample Data', () => {
    const name = exportName({ dataset: 'systemState', interval: '1h', ...span, sample: true }, utc);
    assert.equal(name, 'systemState_1h_2026-05-01_2026-05-08 SAMPLE DATA');
  });

  it('removes characters that file names do not allow', () => {
    assert.equal(exportName({ dataset: '../a b', interval: '1/2h', ...span }, utc).split('_2026')[0], '..-a-b_1-2h');
  });
});
