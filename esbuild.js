// Builds dist/: the extension, its lazily loaded parts and the page. Flags: --watch, --production.
const esbuild = require('esbuild');
const { cpSync, mkdirSync, rmSync, writeFileSync } = require('node:fs');
const { basename, join } = require('node:path');

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

const shared = {
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  logLevel: 'warning',
  legalComments: 'none',
  metafile: true,
};

/** The heavy parts that get a file of their own, loaded at the first `import()` of them. */
const lazyParts = [
  'src/core/portal/workbookCells.ts',
  'src/sandbox/embedded.ts',
  'src/service/archive/fileArchive.ts',
  'src/service/export/parquetFile.ts',
  'src/service/export/arrowFile.ts',
  'src/service/export/excelFile.ts',
];

/** Turns `import('…/embedded.ts')` into a require of dist/embedded.js, so that activation never reads it. */
const lazy = {
  name: 'lazy-parts',
  setup(build) {
    build.onResolve({ filter: /\.ts$/ }, args => {
      const part = lazyParts.find(path => join(args.resolveDir, args.path) === join(__dirname, path));
      return part && args.kind === 'dynamic-import'
        ? { path: `./${basename(part, '.ts')}.js`, external: true }
        : undefined;
    });
  },
};

const builds = [
  {
    ...shared,
    // The sandbox's command line is for `node dist/sandbox.js`, without VS Code.
    entryPoints: [
      'src/extension.ts',
      { in: 'src/sandbox/cli.ts', out: 'sandbox' },
      // Started as threads.
      'src/service/export/excelWorker.ts',
      'src/service/client/answerWorker.ts',
      ...lazyParts,
    ],
    outdir: 'dist',
    outbase: 'src',
    entryNames: '[name]',
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    // jsonc-parser's CommonJS build hides its requires from any bundler.
    mainFields: ['module', 'main'],
    external: ['vscode'],
    supported: { 'dynamic-import': false },
    define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
    plugins: [lazy],
  },
  {
    ...shared,
    entryPoints: { webview: 'src/webview/main.ts' },
    outdir: 'dist',
    platform: 'browser',
    format: 'iife',
    target: 'chrome142',
    tsconfig: 'src/webview/tsconfig.json',
  },
];

async function main() {
  rmSync('dist', { recursive: true, force: true });
  mkdirSync('dist', { recursive: true });
  for (const file of ['codicon.css', 'codicon.ttf'])
    cpSync(join('node_modules/@vscode/codicons/dist', file), join('dist', file));
  cpSync('src/sandbox/dashboard/page', 'dist/page', {
    recursive: true,
    filter: path => !path.endsWith('tsconfig.json'),
  });
  if (!watch) {
    const results = await Promise.all(builds.map(options => esbuild.build(options)));
    // What each file was made of, for the notices of the package (scripts/package/notices.ts).
    writeFileSync('dist/meta.json', JSON.stringify(results.map(({ metafile }) => metafile)));
    return;
  }
  const contexts = await Promise.all(builds.map(options => esbuild.context({ ...options, logLevel: 'info' })));
  // Both builds are there before watching says that one is finished, which is what F5 waits for.
  await Promise.allSettled(contexts.map(context => context.rebuild()));
  return Promise.all(contexts.map(context => context.watch()));
}

main().catch(() => process.exit(1));
