import assert from 'node:assert/strict';
import { brokenLinks } from '../../../scripts/package/packedReadme.ts';

const repository = 'https://github.com/a/b';
const files = new Map([
  ['docs/guide.md', '# Guide\n\n## First steps\n'],
  ['media/a picture.png', ''],
]);

describe('the links of a packed README', () => {
  it('lead to its own headings, to files of the repository, or elsewhere by https', () => {
    const readme = `# Title

## What it never does
## What *it* \`never\` does: 1, 2
## What it never does

[a](#what-it-never-does) [b](#what-it-never-does-1) [c](#what-it-never-does-1-2) [d](https://example.org)
[e](${repository}/blob/HEAD/docs/guide.md#first-steps) ![f](${repository}/raw/HEAD/media/a%20picture.png)
<img src="${repository}/raw/HEAD/media/a%20picture.png"> [g][h]

[h]: ${repository}/issues
`;
    assert.deepEqual(broken(readme), []);
  });

  it('are broken where vsce has left them relative, and where the heading or file is not there', () => {
    const targets = [
      'docs/guide.md',
      '#gone',
      'http://example.org',
      'command:gridData.runQuery',
      `${repository}/blob/HEAD/docs/gone.md`,
      `${repository}/blob/HEAD/docs/guide.md#gone`,
      `${repository}/raw/HEAD/media/gone.png`,
    ];
    const readme = `# Title\n\n${targets.map(target => `- **[a](${target})**`).join('\n')}\n\n<p><img\n  src="gone.png"></p>\n`;
    assert.deepEqual(broken(readme), [...targets, 'gone.png']);
  });
});

function broken(readme: string): string[] {
  return brokenLinks(readme, repository, path => files.get(path));
}
