// Prints results of the time functions. machineZone.test.ts runs it with several values of TZ.
import { formatInstant, parseInstant } from '../../../../src/core/time/instant.ts';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import { toCsv } from '../../../support/receivedText.ts';
import { formatSpan } from './spanText.ts';

const ranges = [
  ...['today', 'yesterday', 'last 2 days', 'last month', 'this week', '2023-03-26', '2023-Q1', '2023-W13'],
  ...['2023-03-26T02:30..2023-03-26T04:00', '2023-03-25T00:00Z..', '2023-03-26T00:00..2023-03-26T00:00+02:00'],
];
const instants = ['2023-03-26T00:30:00Z', '2023-10-29T22:30:00Z', '2018-11-04T03:30:00Z'];

const probes = {
  offsetMinutes: new Date(Date.UTC(2023, 0, 1)).getTimezoneOffset(),
  spans: instants.flatMap(now =>
    ['UTC', 'Europe/Berlin', 'America/Sao_Paulo'].flatMap(zone =>
      ranges.map(range => `${range} ${now} ${zone}: ${formatSpan(range, now, zone)}`),
    ),
  ),
  instants: ['2023-03-26T02:30:00Z', '2023-03-26T02:30:00+01:00', '2023-03-26T02:30:00'].map(text =>
    String(parseInstant(text)),
  ),
  formatted: instants.map(text => formatInstant(Date.parse(text))),
  csv: toCsv(recordsToFrame([{ ts: '2023-03-26T02:30:00Z' }, { ts: '2023-03-26T03:00:00+02:00' }])),
};
console.log(JSON.stringify(probes));
