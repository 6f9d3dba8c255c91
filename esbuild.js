// Builds dist/: the extension, split into chunks, and the panel's page. Flags: --watch, --production.
const esbuild = require('esbuild');
const { cpSync, rmSync, writeFileSync } = require('node:fs');
const { basename } = require('node:path');

const [production, watch] = ['--production', '--watch'].map(flag => process.argv.includes(flag));

const sharedOptions = {
  bundle: true,
  outdir: 'dist',
  minify: production,
  sourcemap: production ? false : 'linked',
  logLevel: watch ? 'info' : 'warning',
  legalComments: 'none',
  metafile: true,
};

const nodeOptions = {
  ...sharedOptions,
  platform: 'node',
  target: 'node22',
  format: 'esm',
  external: ['vscode'],
  // jsonc-parser's CommonJS build hides its requires from any bundler.
  mainFields: ['module', 'main'],
  define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
  sourcemap: production ? false : 'inline',
};

/** Converts each output to CommonJS: esbuild splits ES modules only, and VS Code loads CommonJS ten times as fast. */
const toCommonJs = {
  name: 'as-commonjs',
  setup(build) {
    build.initialOptions.write = false;
    build.onEnd(async ({ outputFiles = [] }) => {
      for (const { path, text } of outputFiles) {
        // esbuild's interop would copy the two hundred exports of `vscode` for each import.
        const module = text.replace(/\bimport ?\* ?as ([\w$]+) from ?"vscode"/g, 'const $1 = require("vscode")');
        const { minify, platform, target, sourcemap } = nodeOptions;
        const supported = { 'dynamic-import': false };
        const options = { minify, platform, target, sourcemap, supported, format: 'cjs', sourcefile: path };
        const { code } = await esbuild.transform(module, options);
        writeFileSync(path, code);
      }
    });
  },
};

const builds = [
  // The only file that VS Code loads in every window.
  { ...nodeOptions, entryPoints: ['src/extension.ts'], plugins: [toCommonJs] },
  {
    ...nodeOptions,
    entryPoints: {
      background: 'src/background.ts',
      app: 'src/app.ts',
      readerMain: 'src/service/reader/readerMain.ts', // The process that parses data files and long responses.
      memoryReports: 'src/service/reader/memoryReports.ts',
    },
    // Modules imported by `import()` get a file of their own, which is loaded on first use.
    splitting: true,
    plugins: [toCommonJs],
  },
  {
    // The command line, `node dist/grid.js`, in one file: sharing chunks with the extension would split both into twice as many files.
    ...nodeOptions,
    entryPoints: { grid: 'src/cli/grid.ts', gridMain: 'src/cli/main.ts' },
    format: 'cjs',
    supported: { 'dynamic-import': false },
  },
  {
    ...sharedOptions,
    entryPoints: ['src/webview/main.ts', 'media/webview.css'].map(file => ({ in: file, out: 'webview' })),
    target: 'chrome142',
    // Makes Chromium compile all functions off the main thread while the script loads, not one by one during the first paint.
    banner: { js: '//# allFunctionsCalledOnLoad' },
    tsconfig: 'src/webview/tsconfig.json',
  },
];

/** Files that are copied unchanged: the page's icons, and the fonts and renderer for chart pictures. */
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
    // All builds finish before the first watch message, which F5 waits for.
    await Promise.allSettled(contexts.map(context => context.rebuild()));
    await Promise.all(contexts.map(context => context.watch()));
    return;
  }
  const results = await Promise.all(builds.map(options => esbuild.build(options)));
  // The third-party notices (scripts/package/notices.ts) list the packages that each file contains.
  writeFileSync('dist/meta.json', JSON.stringify(results.map(({ metafile }) => metafile)));
}

void main();
