import assert from 'node:assert/strict';
import type { Alert } from '../../src/core/watch/alert.ts';
import type { SavedQuery } from '../../src/core/savedQueries/savedItem.ts';
import {
  formatFiredHours,
  formatRule,
  formatNotification,
  describeWatchingCost,
} from '../../src/host/messages/alertMessages.ts';
import { gridStressFields, sandboxStressFields, type FieldCatalogue } from '../../src/shared/fields.ts';
import type { Frame } from '../../src/shared/frame.ts';
import { findFindings } from '../../src/core/watch/alertReading.ts';

const utc = { timeZone: 'UTC', label: 'UTC' };
const hour = Date.UTC(2026, 10, 21, 5);
const alert: Alert = { id: 'a', on: true, kind: 'condition', condition: 'value > 0.7' };
const query: SavedQuery = {
  kind: 'query',
  id: 'q',
  name: 'Morning',
  connection: 'Desk',
  query: { dataset: 'gridStress', range: 'today', interval: '1h', params: {}, timeZone: 'UTC' },
};

function formatText(notifications: Parameters<typeof formatNotification>[1]): string {
  return formatNotification(query, notifications, { connection: { service: 'other' }, label: 'Desk', zone: utc });
}

function formatAlert(value: number, fields: FieldCatalogue): string {
  const field = fields.get('value') ?? assert.fail();
  const frame: Frame = {
    rowCount: 1,
    columns: [
      { kind: 'time', name: 'ts', path: ['ts'], values: Float64Array.of(hour) },
      { kind: 'number', name: 'value', path: ['value'], values: Float64Array.of(value), field },
    ],
  };
  const now = hour + 3_600_000;
  const reading = { frame, coverage: undefined, start: hour, intervalMs: 3_600_000, now, isPartial: false };
  return formatText([{ alert, findings: findFindings(reading, alert, 0) }]);
}

describe('the notification of an alert', () => {
  it('labels the index like the result, as local stress for Sample Data', () => {
    assert.equal(formatAlert(0.72, gridStressFields), 'Morning (Desk): Stress 0.72, over 0.7, 21 Nov 2026 05:00 UTC.');
    assert.equal(
      formatAlert(0.72, sandboxStressFields),
      'Morning (Desk): Local stress 0.72, over 0.7, 21 Nov 2026 05:00 UTC.',
    );
  });

  it('names the index of a rule local stress for each connection to a sandbox', () => {
    const rule = { kind: 'condition', condition: 'value >= 0.6' } as const;
    const format = (service: 'sandbox' | 'other', data?: 'replay') =>
      formatRule(rule, 'gridStress', { service, ...(data && { data }) });
    assert.equal(format('other'), 'Stress high or above');
    for (const name of [format('sandbox'), format('other', 'replay')]) assert.equal(name, 'Local stress high or above');
  });

  it('shows a formula as written, with the number of consecutive rows, and reports when it no longer holds', () => {
    const rule = { kind: 'condition', condition: 'mean(value, 3h) > 0.5', rows: 3 } as const;
    const label = 'mean(value, 3h) > 0.5, 3 rows in a row';
    assert.equal(formatRule(rule, 'gridStress', undefined), label);
    const notification = { alert: { ...rule, id: 'a', on: true }, findings: [], endedAt: hour };
    assert.equal(formatText([notification]), `Morning (Desk): condition ended: ${label}, 21 Nov 2026 05:00 UTC.`);
    const lateNotification = { ...notification, alert: { id: 'b', on: true, kind: 'late' as const } };
    assert.equal(formatText([lateNotification]), 'Morning (Desk): data no longer delayed, 21 Nov 2026 05:00 UTC.');
    const finding = { hour, value: 0.72, field: { name: 'value', label: 'Stress' } };
    assert.match(
      formatText([{ ...notification, findings: [finding], endedAt: undefined }]),
      /Stress 0\.72, mean\(value, 3h\) > 0\.5, 21 Nov/,
    );
  });

  it('lists the latest hours for which an alert fired', () => {
    const hours = Array.from({ length: 7 }, (_, index) => hour + index * 3_600_000);
    assert.equal(formatFiredHours([], utc), '');
    assert.equal(formatFiredHours([hour], utc), 'Fired once in 14 days: 21 Nov 2026 05:00 UTC');
    assert.match(
      formatFiredHours(hours.slice(0, 2), utc),
      /^Fired 2 times in 14 days: 21 Nov 2026 06:00 UTC, 21 Nov 2026 05:00 UTC$/,
    );
    assert.match(formatFiredHours(hours, utc), /^Fired 7 times in 14 days: 21 Nov 2026 11:00 UTC, .*, and 2 more$/);
  });

  it('counts the requests of each dataset that a query joins', () => {
    assert.match(describeWatchingCost('gridStress', undefined), /at most 1 request an hour, 24 a day/);
    assert.match(describeWatchingCost('stateAndStress', false), /at most 2 requests an hour, 48 a day/);
    assert.match(describeWatchingCost('stateAndStress', true), /No extra requests/);
  });

  it('shows the value with the digits that the service sent', () => {
    assert.match(formatAlert(0.70004, gridStressFields), /Stress 0\.70004, over 0\.7,/);
  });
});
