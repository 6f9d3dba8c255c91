import assert from 'node:assert/strict';
import { decode } from '../../../../src/core/decode/decode.ts';
import { findDataset } from '../../../../src/core/query/catalogue.ts';
import { describeFields, getResponseFields } from '../../../../src/core/frame/describeFields.ts';
import { gridStressFields, systemStateFields } from '../../../../src/shared/fields.ts';
import { power, powerExtreme } from '../../../../src/shared/units.ts';

describe('describeFields', () => {
  const { frame } = decode([[{ ts: '2023-01-01T00:00:00Z', value: 0.4, wind_mw: 7, other: 1 }]]);
  assert.ok(frame);
  const listLabels = (fields: typeof gridStressFields) =>
    describeFields(frame, fields).columns.map(({ field }) => field?.label);

  it('describes only the fields of the given dataset', () => {
    assert.deepEqual(listLabels(systemStateFields), ['Hour', undefined, 'Wind', undefined]);
    assert.deepEqual(listLabels(gridStressFields), ['Hour', 'Stress', 'wind_mw', undefined]);
  });

  it('infers the unit of other number columns from their names, but adds no unit to text columns', () => {
    const received = decode([[{ ts: '2023-01-01T00:00:00Z', csp_mw: 7, wind_max_mw: 9, note_mw: 'none' }]]).frame;
    assert.ok(received);
    assert.deepEqual(
      describeFields(received, systemStateFields).columns.map(({ field }) => field?.unit),
      [undefined, power, powerExtreme, undefined],
    );
  });

  it('labels the stress index of the sandbox as local, also with replayed hours', () => {
    const stress = findDataset('gridStress');
    const state = findDataset('systemState');
    assert.ok(stress && state);
    const createMeta = (source: string) => ({ interval: '1h', meta: { source } });
    assert.deepEqual(listLabels(getResponseFields(stress, createMeta('replay')))[1], 'Local stress');
    assert.deepEqual(
      listLabels(getResponseFields(stress, { interval: '1h', meta: {}, sample: true }))[1],
      'Local stress',
    );
    assert.deepEqual(listLabels(getResponseFields(stress, createMeta('eskom')))[1], 'Stress');
    assert.equal(getResponseFields(state, createMeta('replay')), state.fields);
  });

  it('labels the rows of a result as hours, days or other times', () => {
    const state = findDataset('systemState');
    assert.ok(state);
    const formatTimeLabel = (interval: string) => getResponseFields(state, { interval, meta: {} }).get('ts')?.label;
    assert.deepEqual(['1h', '60m', '1d', '24h', '15m', 'monthly'].map(formatTimeLabel), [
      ...['Hour', 'Hour', 'Day', 'Day', 'Time', 'Time'],
    ]);
  });

  it('removes the descriptions of another dataset', () => {
    const described = describeFields(describeFields(frame, gridStressFields), systemStateFields);
    assert.deepEqual(described, describeFields(frame, systemStateFields));
  });
});
