import assert from 'node:assert/strict';
import { DashboardSessions, tokenMinutes } from '../../../../src/sandbox/dashboard/sessions.ts';
import { countingBytes, fakeClock } from '../fakes.ts';

describe('DashboardSessions', () => {
  function start() {
    const clock = fakeClock();
    return { clock, sessions: new DashboardSessions(clock, countingBytes()) };
  }

  it('exchanges a token once', () => {
    const { sessions } = start();
    const token = sessions.issueToken();
    const session = sessions.exchange(token);
    assert.ok(session !== undefined && session !== token);
    assert.equal(sessions.isOpen(session), true);
    assert.equal(sessions.exchange(token), undefined);
    assert.equal(sessions.isOpen(token), false);
  });

  it('exchanges a token until it expires', () => {
    const { sessions, clock } = start();
    const first = sessions.issueToken();
    const second = sessions.issueToken();
    clock.advance(tokenMinutes * 60_000 - 1);
    assert.ok(sessions.exchange(first));
    clock.advance(1);
    assert.equal(sessions.exchange(second), undefined);
  });

  it('rejects any other token or session', () => {
    const { sessions } = start();
    sessions.issueToken();
    assert.equal(sessions.exchange(''), undefined);
    assert.equal(sessions.exchange('guess'), undefined);
    assert.equal(sessions.isOpen(undefined), false);
    assert.equal(sessions.isOpen('guess'), false);
  });

  it('ends only the given session', () => {
    const { sessions } = start();
    const ended = sessions.exchange(sessions.issueToken());
    const remaining = sessions.exchange(sessions.issueToken());
    sessions.end(ended ?? '');
    assert.deepEqual([sessions.isOpen(ended), sessions.isOpen(remaining)], [false, true]);
  });

  it('keeps the newest hundred tokens and sessions', () => {
    const { sessions } = start();
    const tokens = Array.from({ length: 101 }, () => sessions.issueToken());
    const openedSessions = tokens.map(token => sessions.exchange(token));
    assert.equal(openedSessions[0], undefined);
    assert.equal(
      openedSessions.slice(1).every(session => sessions.isOpen(session)),
      true,
    );
    const more = sessions.exchange(sessions.issueToken());
    assert.deepEqual([sessions.isOpen(openedSessions[1]), sessions.isOpen(more)], [false, true]);
  });
});
