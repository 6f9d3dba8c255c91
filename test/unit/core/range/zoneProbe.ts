// Prints what the code under test makes of times; machineZone.test.ts runs it under several values of TZ.
import { formatInstant, parseInstant } from '../../../../src/core/time/instant.ts';
import { frameOf } from '../../../../src/core/decode/decode.ts';
import { toCsv } from '../../../support/receivedText.ts';
import { spanText } from './spanText.ts';

const ranges = [
  ...['today', 'yesterday', 'last 2 days', 'last month', 'this week', '2023-03-26', '2023-Q1', '2023-W13'],
  ...['2023-03-26T02:30..2023-03-26T04:00', '2023-03-25T00:00Z..', '2023-03-26T00:00..2023-03-26T00:00+02:00'],
];
const moments = ['2023-03-26T00:30:00Z', '2023-10-29T22:30:00Z', '2018-11-04T03:30:00Z'];

const probes = {
  offsetMinutes: new Date(Date.UTC(2023, 0, 1)).getTimezoneOffset(),
  spans: moments.flatMap(now =>
    ['UTC', 'Europe/Berlin', 'America/Sao_Paulo'].flatMap(zone =>
      ranges.map(range => `${range} ${now} ${zone}: ${spanText(range, now, zone)}`),
    ),
  ),
  instants: ['2023-03-26T02:30:00Z', '2023-03-26T02:30:00+01:00', '2023-03-26T02:30:00'].map(text =>
    String(parseInstant(text)),
  ),
  formatted: moments.map(text => formatInstant(Date.parse(text))),
  csv: toCsv(frameOf([{ ts: '2023-03-26T02:30:00Z' }, { ts: '2023-03-26T03:00:00+02:00' }])),
};
console.log(JSON.stringify(probes));
