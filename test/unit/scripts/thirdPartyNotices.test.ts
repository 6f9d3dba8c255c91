import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/paths.ts';
import {
  findBundledPackages,
  copiedPackages,
  formatNotices,
  licenseFolder,
  readNotice,
} from '../../../scripts/package/thirdPartyNotices.ts';
import { createTemporaryFolder } from '../../support/temporaryFolder.ts';

const terms = `MIT License\n\nCopyright (c) Somebody <a@b.example>\n\n${'Permission is hereby granted, free of charge. '.repeat(20)}`;

describe('the third-party notices', () => {
  const folder = createTemporaryFolder();

  it('lists each package in the output once, and no other', () => {
    const createModuleInfo = (bytesInOutput: number) => ({ bytesInOutput });
    const host = {
      'src/extension.ts': createModuleInfo(10),
      'node_modules/axios/lib/a.js': createModuleInfo(5),
      'node_modules/axios/lib/b.js': createModuleInfo(5),
      'node_modules/axios/node_modules/agent-base/index.js': createModuleInfo(1),
      'node_modules/shaken/index.js': createModuleInfo(0),
      '(disabled):node_modules/disabled/index.js': createModuleInfo(9),
    };
    const page = {
      'node_modules/@lit/reactive-element/x/y.js': createModuleInfo(1),
      'node_modules/axios/lib/a.js': createModuleInfo(1),
    };
    const metafiles = [{ outputs: { 'dist/extension.js': { inputs: host } } }, { outputs: { page: { inputs: page } } }];
    assert.deepEqual(findBundledPackages(metafiles), [
      'node_modules/@lit/reactive-element',
      'node_modules/axios',
      'node_modules/axios/node_modules/agent-base',
    ]);
  });

  it('includes license and notice files in full, whatever their names, line ends and byte order marks', () => {
    const packageFolder = makePackage('full', {
      Licence: `\uFEFF${terms.replaceAll('\n', '\r\n')}`,
      'NOTICE.txt': 'Notice.\n',
    });
    const { name, version, license, author, texts } = readNotice(packageFolder);
    assert.deepEqual([name, version, license, author], ['full', '1.2.3', 'MIT', 'Somebody']);
    assert.deepEqual(texts, [
      { file: 'Licence', text: terms.trimEnd() },
      { file: 'NOTICE.txt', text: 'Notice.' },
    ]);
  });

  it('finds a license that is only in the README, under either kind of heading, without the text after it', () => {
    const escaped = terms.replace('<', '&lt;').replace('>', '&gt;');
    const readmes = [
      `# Read me\n\n## License\n\n${escaped}\n\n## Thanks\n\nno`,
      `Read me\n=======\n\nLicense\n-------\n\n${escaped}\n\n[a]: http://a.example`,
      `Licence\n---\n${escaped}`,
    ];
    for (const [at, readme] of readmes.entries())
      assert.deepEqual(readNotice(makePackage(`readme${at}`, { 'README.md': readme })).texts, [
        { file: 'README.md', text: terms.trimEnd() },
      ]);
  });

  it('requires a license text for each package, and explains how to add one', () => {
    const named = makePackage('named', { 'README.md': '## License\n\nMIT © Somebody\n', LICENSE: 'MIT © Somebody' });
    assert.throws(() => readNotice(named), /named 1\.2\.3 \(MIT\) .* scripts\/package\/licenses\/named\.txt/);
    const unlicensed = makePackage('unlicensed', { LICENSE: terms }, { license: undefined });
    assert.throws(() => readNotice(unlicensed), /lacks its name, version or license/);
  });

  it('starts with a sorted list of packages, followed by the license of each', () => {
    const createNotice = (name: string) => ({
      name,
      version: '1.0.0',
      license: 'MIT',
      texts: [{ file: 'LICENSE', text: name }],
    });
    const text = formatNotices([createNotice('b'), createNotice('@a/c'), createNotice('B')]);
    assert.equal(text, formatNotices([createNotice('B'), createNotice('b'), createNotice('@a/c')]));
    assert.match(text, /these 3 packages.*\n {2}@a\/c 1\.0\.0 \(MIT\)\n {2}B .*\n {2}b .*\n\n=+\n@a\/c 1\.0\.0/);
  });

  it('includes the Apache License once, with the text around it in each license file', () => {
    const apache = (body: string) => `Apache License\n\n${body}\n\nEND OF TERMS AND CONDITIONS`;
    const notice = (name: string, text: string) => {
      return { name, version: '1.0.0', license: 'Apache-2.0', texts: [{ file: 'LICENSE', text }] };
    };
    const text = formatNotices([
      notice('a', `${apache('Terms.')}\n\nCopyright A`),
      notice('b', `Of B\n${apache('Terms.')}\n\nCopyright B`),
      notice('c', apache('Others.')),
    ]);
    assert.deepEqual([text.split('Terms.').length, text.split('Others.').length], [2, 2]);
    assert.match(text, /Of B\nThe terms of the Apache License, Version 2\.0, are those above\.\n\nCopyright B/);
  });

  it('credits the icon font as its license requires, and includes the license of its style sheet', () => {
    const text = formatNotices([readNotice(join(root, 'node_modules/@vscode/codicons'))]);
    for (const part of ['By Microsoft Corporation', 'github.com/microsoft/vscode-codicons', 'are shipped as they are'])
      assert.ok(text.includes(part), part);
    assert.match(text, /Attribution 4\.0 International: https:[^]*--- LICENSE-CODE ---[^]*MIT License/);
  });

  it('covers every package from which the build copies files', () => {
    const build = readFileSync(join(root, 'esbuild.js'), 'utf8');
    const copied = [...build.matchAll(/'node_modules\/((?:@[^/']+\/)?[^/']+)/g)].map(([, name]) => name);
    assert.deepEqual([...new Set(copied)], Object.keys(copiedPackages));
  });

  it('uses a stored license text only for packages without one', () => {
    const texts = readdirSync(licenseFolder);
    for (const file of texts) {
      const name = file.replace('.txt', '');
      const candidates = [`@${name.replace('-', '/')}`, name].map(packageName =>
        join(root, 'node_modules', packageName),
      );
      const packageFolder = candidates.find(existsSync);
      assert.ok(packageFolder, `${file}: no package ${name}`);
      const [notice] = readNotice(packageFolder).texts;
      assert.equal(notice?.text, readFileSync(join(licenseFolder, file), 'utf8').trimEnd(), file);
    }
    assert.ok(texts.length > 0);
  });

  function makePackage(name: string, files: Readonly<Record<string, string>>, otherFields: object = {}): string {
    const packageFolder = join(folder, name);
    mkdirSync(packageFolder);
    const manifest = { name, version: '1.2.3', license: 'MIT', author: { name: 'Somebody' }, ...otherFields };
    writeFileSync(join(packageFolder, 'package.json'), JSON.stringify(manifest));
    for (const [file, text] of Object.entries(files)) writeFileSync(join(packageFolder, file), text);
    return packageFolder;
  }
});
