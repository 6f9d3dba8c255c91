import assert from 'node:assert/strict';
import { findChanges, isPreRelease } from '../../../scripts/package/releases.ts';

describe('the releases', () => {
  it('treats an odd minor version as a pre-release', () => {
    assert.deepEqual(['0.1.0', '1.3.12', '0.2.1', '1.10.0', '2.0.0'].map(isPreRelease), [
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('takes the notes of a release from its section of the changelog', () => {
    const log =
      '# Changelog\n\n## Unreleased\n\n- d\n\n## 0.2.0 (2026-12-01)\n\n- c\n\n### More\n\n- b\n\n## 0.2.0-a\n\n## 0.1.0\n\n- a\n';
    assert.equal(findChanges(log, '0.2.0'), '- c\n\n### More\n\n- b');
    assert.equal(findChanges(log, '0.1.0'), '- a');
    assert.equal(findChanges(log, '0.2.0-a'), undefined);
    assert.equal(findChanges(log, '0.3.0'), undefined);
  });
});
