import assert from 'node:assert/strict';
import { exportName } from '../../../../src/host/export/exportContent.ts';

describe('exportName', () => {
  const span = { meta: {}, start: Date.parse('2026-05-01T00:00Z'), end: Date.parse('2026-05-08T00:00Z') };

  it('names dataset, interval and requested days in the file name', () => {
    const name = exportName({ dataset: 'system_state', interval: '1h', ...span });
    assert.equal(name, 'system_state_1h_2026-05-01_2026-05-08');
  });

  it('labels the file name of Sample Data', () => {
    const name = exportName({ dataset: 'systemState', interval: '1h', ...span, sample: true });
    assert.equal(name, 'systemState_1h_2026-05-01_2026-05-08 SAMPLE DATA');
  });

  it('removes characters that file names do not allow', () => {
    assert.equal(exportName({ dataset: '../a b', interval: '1/2h', ...span }).split('_2026')[0], '..-a-b_1-2h');
  });
});
