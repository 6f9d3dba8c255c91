// Builds dist/: the extension in parts, and the page. Flags: --watch, --production.
const esbuild = require('esbuild');
const { cpSync, rmSync, writeFileSync } = require('node:fs');
const { basename } = require('node:path');

const [production, watch] = ['--production', '--watch'].map(flag => process.argv.includes(flag));

const shared = {
  bundle: true,
  outdir: 'dist',
  minify: production,
  sourcemap: production ? false : 'linked',
  logLevel: watch ? 'info' : 'warning',
  legalComments: 'none',
  metafile: true,
};

const node = {
  ...shared,
  platform: 'node',
  target: 'node22',
  format: 'esm',
  external: ['vscode'],
  // jsonc-parser's CommonJS build hides its requires from any bundler.
  mainFields: ['module', 'main'],
  define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
  sourcemap: production ? false : 'inline',
};

/** esbuild splits ES modules only, and VS Code loads one in tens of milliseconds, CommonJS in two: makes each file CommonJS by itself. */
const asCommonJs = {
  name: 'as-commonjs',
  setup(build) {
    build.initialOptions.write = false;
    build.onEnd(async ({ outputFiles = [] }) => {
      for (const { path, text } of outputFiles) {
        // Each import of `vscode` would copy its two hundred names.
        const module = text.replace(/\bimport ?\* ?as ([\w$]+) from ?"vscode"/g, 'const $1 = require("vscode")');
        const { minify, platform, target, sourcemap } = node;
        const supported = { 'dynamic-import': false };
        const options = { minify, platform, target, sourcemap, supported, format: 'cjs', sourcefile: path };
        const { code } = await esbuild.transform(module, options);
        writeFileSync(path, code);
      }
    });
  },
};

const builds = [
  // What VS Code loads in every window: one file.
  { ...node, entryPoints: ['src/extension.ts'], plugins: [asCommonJs] },
  {
    ...node,
    entryPoints: {
      background: 'src/background.ts',
      app: 'src/app.ts',
      sandbox: 'src/sandbox/cli.ts', // For `node dist/sandbox.js`, without VS Code.
      readerMain: 'src/service/reader/readerMain.ts', // The process that reads what comes from outside, and its thread.
      memoryReports: 'src/service/reader/memoryReports.ts',
    },
    // What is imported by `import()` has a file of its own, which is loaded at its first use.
    splitting: true,
    plugins: [asCommonJs],
  },
  {
    ...shared,
    entryPoints: ['src/webview/main.ts', 'media/webview.css'].map(file => ({ in: file, out: 'webview' })),
    target: 'chrome142',
    // Chromium then compiles the page's functions beside its thread as the script comes in, not one by one as the first view is drawn.
    banner: { js: '//# allFunctionsCalledOnLoad' },
    tsconfig: 'src/webview/tsconfig.json',
  },
];

/** What is read as it is: the icons of the page, and what makes a picture of a chart. */
const copied = [
  'node_modules/@fontsource/arimo/files/arimo-greek-400-normal.woff2',
  'node_modules/@fontsource/arimo/files/arimo-latin-400-normal.woff2',
  'node_modules/@fontsource/arimo/files/arimo-latin-600-normal.woff2',
  'node_modules/@resvg/resvg-wasm/index_bg.wasm',
  'node_modules/@vscode/codicons/dist/codicon.css',
  'node_modules/@vscode/codicons/dist/codicon.ttf',
];

async function main() {
  rmSync('dist', { recursive: true, force: true });
  for (const file of copied) cpSync(file, `dist/${basename(file)}`);
  if (watch) {
    const contexts = await Promise.all(builds.map(options => esbuild.context(options)));
    // All builds are there before watching says that one is finished, which is what F5 waits for.
    await Promise.allSettled(contexts.map(context => context.rebuild()));
    await Promise.all(contexts.map(context => context.watch()));
    return;
  }
  const results = await Promise.all(builds.map(options => esbuild.build(options)));
  // What each file was made of, for the notices of the package (scripts/package/notices.ts).
  writeFileSync('dist/meta.json', JSON.stringify(results.map(({ metafile }) => metafile)));
}

void main();
