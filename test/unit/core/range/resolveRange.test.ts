import assert from 'node:assert/strict';
import { formatSpan, day, hour, minute } from './spanText.ts';

type Case = readonly [text: string, span: string];

function defineCases(now: string, timeZone: string, intervalMs: number | undefined, cases: readonly Case[]): void {
  for (const [text, span] of cases)
    it(`resolves ${text} at ${now} in ${timeZone}, ${intervalMs === undefined ? 'an unknown interval' : `${intervalMs / minute}-minute intervals`}`, () => {
      // The parameter has no default, because an undefined interval has a meaning.
      assert.equal(formatSpan(text, now, timeZone, intervalMs ?? unknownInterval), span);
    });
}

// With an unknown interval, ranges are aligned to whole seconds.
const unknownInterval = 1000;

describe('resolveRange', () => {
  describe('ends at the last complete interval', () => {
    defineCases('2023-05-17T14:25:30Z', 'UTC', hour, [
      ['last 36 hours', '2023-05-16T02:00Z 2023-05-17T14:00Z'],
      ['last hour', '2023-05-17T13:00Z 2023-05-17T14:00Z'],
      ['past 2 h', '2023-05-17T12:00Z 2023-05-17T14:00Z'],
      ['the last 7 days', '2023-05-10T14:00Z 2023-05-17T14:00Z'],
      ['last 2w', '2023-05-03T14:00Z 2023-05-17T14:00Z'],
      ['last 3 months', '2023-02-17T14:00Z 2023-05-17T14:00Z'],
      ['last 1 year', '2022-05-17T14:00Z 2023-05-17T14:00Z'],
      ['today', '2023-05-17T00:00Z 2023-05-17T14:00Z'],
      ['this week', '2023-05-15T00:00Z 2023-05-17T14:00Z'],
      ['wtd', '2023-05-15T00:00Z 2023-05-17T14:00Z'],
      ['month to date', '2023-05-01T00:00Z 2023-05-17T14:00Z'],
      ['year to date', '2023-01-01T00:00Z 2023-05-17T14:00Z'],
      ['2023-05-16..', '2023-05-16T00:00Z 2023-05-17T14:00Z'],
      ['2023-05-16..now', '2023-05-16T00:00Z 2023-05-17T14:00Z'],
    ]);
    defineCases('2023-05-17T14:25:30Z', 'UTC', day, [
      ['last 7 days', '2023-05-10T00:00Z 2023-05-17T00:00Z'],
      ['last 36 hours', '2023-05-15T00:00Z 2023-05-17T00:00Z'],
      ['month to date', '2023-05-01T00:00Z 2023-05-17T00:00Z'],
      ['today', '2023-05-17T00:00Z 2023-05-18T00:00Z'],
    ]);
    defineCases('2023-05-17T14:25:30Z', 'UTC', 15 * minute, [
      ['last 1 hour', '2023-05-17T13:15Z 2023-05-17T14:15Z'],
      ['today', '2023-05-17T00:00Z 2023-05-17T14:15Z'],
    ]);
    defineCases('2023-05-17T14:25:30Z', 'UTC', undefined, [
      ['last 1 hour', '2023-05-17T13:25:30.000Z 2023-05-17T14:25:30.000Z'],
      ['today', '2023-05-17T00:00Z 2023-05-17T14:25:30.000Z'],
    ]);
    // The South African day begins on the previous UTC day. Most of it is in a UTC day that may or may not have begun.
    defineCases('2023-05-17T14:25:30Z', 'Africa/Johannesburg', day, [
      ['today', '2023-05-16T00:00Z 2023-05-18T00:00Z'],
      ['month to date', '2023-04-30T00:00Z 2023-05-17T00:00Z'],
    ]);
    defineCases('2023-05-15T14:25:30Z', 'Africa/Johannesburg', day, [['wtd', '2023-05-14T00:00Z 2023-05-16T00:00Z']]);
    defineCases('2023-05-16T22:30:00Z', 'Africa/Johannesburg', day, [['today', '2023-05-16T00:00Z 2023-05-17T00:00Z']]);
  });

  describe('resolves whole periods', () => {
    defineCases('2024-03-01T10:00:00Z', 'UTC', hour, [
      ['yesterday', '2024-02-29T00:00Z 2024-03-01T00:00Z'],
      ['last week', '2024-02-19T00:00Z 2024-02-26T00:00Z'],
      ['last month', '2024-02-01T00:00Z 2024-03-01T00:00Z'],
      ['previous month', '2024-02-01T00:00Z 2024-03-01T00:00Z'],
      ['last year', '2023-01-01T00:00Z 2024-01-01T00:00Z'],
      ['2023', '2023-01-01T00:00Z 2024-01-01T00:00Z'],
      ['2024-02', '2024-02-01T00:00Z 2024-03-01T00:00Z'],
      ['2024-02-29', '2024-02-29T00:00Z 2024-03-01T00:00Z'],
      ['2023-12-31', '2023-12-31T00:00Z 2024-01-01T00:00Z'],
      ['2023-Q1', '2023-01-01T00:00Z 2023-04-01T00:00Z'],
      ['2023Q4', '2023-10-01T00:00Z 2024-01-01T00:00Z'],
      ['2023-W07', '2023-02-13T00:00Z 2023-02-20T00:00Z'],
      ['2020-W53', '2020-12-28T00:00Z 2021-01-04T00:00Z'],
      ['2025-W01', '2024-12-30T00:00Z 2025-01-06T00:00Z'],
    ]);
  });

  describe('includes a period at the end, but excludes an instant', () => {
    defineCases('2024-03-01T10:00:00Z', 'UTC', hour, [
      ['2023-01..2023-03', '2023-01-01T00:00Z 2023-04-01T00:00Z'],
      ['2023-01-01 to 2023-01-31', '2023-01-01T00:00Z 2023-02-01T00:00Z'],
      ['2022..2023-Q2', '2022-01-01T00:00Z 2023-07-01T00:00Z'],
      ['2023-W52 – 2024-W01', '2023-12-25T00:00Z 2024-01-08T00:00Z'],
      ['yesterday..today', '2024-02-29T00:00Z 2024-03-02T00:00Z'],
      ['yesterday..yesterday', '2024-02-29T00:00Z 2024-03-01T00:00Z'],
      ['2023-01-01T00:00Z..2023-01-02T00:00Z', '2023-01-01T00:00Z 2023-01-02T00:00Z'],
      ['2023-01-01T02:00+02:00..2023-01-02T00:00:00Z', '2023-01-01T00:00Z 2023-01-02T00:00Z'],
      ['2023-01-01T02:00 SAST..2023-01-01T05:00 sast', '2023-01-01T00:00Z 2023-01-01T03:00Z'],
      ['2023-01-01 00:00 UTC..2023-01-01 03:00+0200', '2023-01-01T00:00Z 2023-01-01T01:00Z'],
      ['2023-01-01T05:30+0530..2023-01-01T05:00-05', '2023-01-01T00:00Z 2023-01-01T10:00Z'],
      ['2023-01-01T05:00..2023-01-01T07:00', '2023-01-01T05:00Z 2023-01-01T07:00Z'],
    ]);
  });

  describe('widens a fixed range to whole intervals', () => {
    defineCases('2024-03-01T10:00:00Z', 'UTC', hour, [
      ['2023-01-01T00:59Z..2023-01-01T01:01Z', '2023-01-01T00:00Z 2023-01-01T02:00Z'],
      ['2023-01-01T00:00Z..2023-01-01T00:00:01Z', '2023-01-01T00:00Z 2023-01-01T01:00Z'],
      ['2023-01-01T00:00Z..2023-01-01T05:00:00.5Z', '2023-01-01T00:00Z 2023-01-01T06:00Z'],
      ['2023-01-01T00:00..2023-01-01T05:00:00.001', '2023-01-01T00:00Z 2023-01-01T06:00Z'],
    ]);
    defineCases('2024-03-01T10:00:00Z', 'Africa/Johannesburg', day, [
      ['2023-05', '2023-04-30T00:00Z 2023-06-01T00:00Z'],
      ['2023-01-01T05:00Z..2023-01-01T06:00Z', '2023-01-01T00:00Z 2023-01-02T00:00Z'],
    ]);
    defineCases('2024-03-01T10:00:00Z', 'UTC', 7 * day, [['2023-05-03', '2023-05-03T00:00Z 2023-05-04T00:00Z']]);
  });

  describe('uses the given time zone for days, months and local times', () => {
    defineCases('2023-05-17T22:30:00Z', 'Africa/Johannesburg', hour, [
      ['today', '2023-05-17T22:00Z 2023-05-17T23:00Z'],
      ['yesterday', '2023-05-16T22:00Z 2023-05-17T22:00Z'],
      ['2023-05-01', '2023-04-30T22:00Z 2023-05-01T22:00Z'],
      ['2023-05-01T00:00..2023-05-01T02:00Z', '2023-05-01T00:00Z 2023-05-01T02:00Z'],
    ]);
    defineCases('2023-10-30T12:00:00Z', 'Europe/Berlin', hour, [
      ['2023-03-26', '2023-03-25T23:00Z 2023-03-26T22:00Z'],
      ['2023-10-29', '2023-10-28T22:00Z 2023-10-29T23:00Z'],
      ['yesterday', '2023-10-28T22:00Z 2023-10-29T23:00Z'],
      ['2023-03', '2023-02-28T23:00Z 2023-03-31T22:00Z'],
      ['last 24 hours', '2023-10-29T12:00Z 2023-10-30T12:00Z'],
      ['last 2 days', '2023-10-28T11:00Z 2023-10-30T12:00Z'],
      // 02:30 does not exist on 26 March, so it means 03:30.
      ['2023-03-26T02:30..2023-03-26T05:00', '2023-03-26T01:00Z 2023-03-26T03:00Z'],
    ]);
    defineCases('2023-05-17T14:25:30Z', 'Asia/Kolkata', hour, [
      ['2023-05-01', '2023-04-30T18:00Z 2023-05-01T19:00Z'],
      ['today', '2023-05-16T18:00Z 2023-05-17T14:00Z'],
    ]);
    defineCases('2023-05-17T14:25:30Z', 'Asia/Kolkata', 15 * minute, [
      ['2023-05-01', '2023-04-30T18:30Z 2023-05-01T18:30Z'],
    ]);
  });

  describe('resolves days whose midnight is skipped by a clock change', () => {
    defineCases('2018-11-04T12:00:00Z', 'America/Sao_Paulo', hour, [
      ['today', '2018-11-04T03:00Z 2018-11-04T12:00Z'],
      ['yesterday', '2018-11-03T03:00Z 2018-11-04T03:00Z'],
      ['2018-11-04', '2018-11-04T03:00Z 2018-11-05T02:00Z'],
      ['this week', '2018-10-29T03:00Z 2018-11-04T12:00Z'],
    ]);
    defineCases('2018-11-05T12:00:00Z', 'America/Sao_Paulo', hour, [
      ['yesterday', '2018-11-04T03:00Z 2018-11-05T02:00Z'],
    ]);
    defineCases('2017-10-05T12:00:00Z', 'America/Asuncion', hour, [
      ['last month', '2017-09-01T04:00Z 2017-10-01T04:00Z'],
      ['month to date', '2017-10-01T04:00Z 2017-10-05T12:00Z'],
    ]);
  });

  describe('requests the first interval of a period that has just begun', () => {
    defineCases('2023-05-17T00:30:00Z', 'UTC', hour, [['today', '2023-05-17T00:00Z 2023-05-17T01:00Z']]);
    defineCases('2023-05-17T00:30:00Z', 'UTC', day, [['today', '2023-05-17T00:00Z 2023-05-18T00:00Z']]);
    defineCases('2023-05-15T00:00:00Z', 'UTC', hour, [['this week', '2023-05-15T00:00Z 2023-05-15T01:00Z']]);
    defineCases('2023-06-01T00:30:00Z', 'UTC', hour, [['month to date', '2023-06-01T00:00Z 2023-06-01T01:00Z']]);
    defineCases('2024-01-01T00:59:59Z', 'UTC', hour, [
      ['year to date', '2024-01-01T00:00Z 2024-01-01T01:00Z'],
      ['last year', '2023-01-01T00:00Z 2024-01-01T00:00Z'],
      ['yesterday', '2023-12-31T00:00Z 2024-01-01T00:00Z'],
    ]);
    defineCases('2023-12-31T22:30:00Z', 'Africa/Johannesburg', hour, [
      ['year to date', '2023-12-31T22:00Z 2023-12-31T23:00Z'],
    ]);
  });
});
