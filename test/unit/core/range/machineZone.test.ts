import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

interface Probes extends Record<string, unknown> {
  readonly offsetMinutes: number;
  readonly spans: readonly string[];
}

function runProbe(zone: string): Probes {
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(import.meta.dirname, 'zoneProbe.ts')], {
    env: { ...process.env, TZ: zone },
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as Probes;
}

describe('the time zone of the machine', () => {
  it("resolves ranges independently of the machine's time zone", () => {
    const { offsetMinutes, ...expected } = runProbe('UTC');
    assert.equal(offsetMinutes, 0);
    assert.equal(expected.spans.length, 99);
    for (const [zone, offset] of [
      ['America/Sao_Paulo', 180],
      ['Pacific/Auckland', -780],
      ['Asia/Kolkata', -330],
    ] as const) {
      const { offsetMinutes: seen, ...probes } = runProbe(zone);
      assert.equal(seen, offset, `TZ=${zone} had no effect: the comparison would say nothing`);
      assert.deepEqual(probes, expected, zone);
    }
  });
});
