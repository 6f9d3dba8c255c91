// Builds dist/: the extension in parts, the page. Flags: --watch, --production.
const esbuild = require('esbuild');
const { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const terser = require('terser');

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

const node = {
  ...shared,
  outdir: 'dist',
  outbase: 'src',
  entryNames: '[name]',
  platform: 'node',
  target: 'node22',
  // jsonc-parser's CommonJS build hides its requires from any bundler.
  mainFields: ['module', 'main'],
  external: ['vscode'],
  define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
  format: 'esm',
  sourcemap: production ? false : 'inline',
};

/**
 * Makes CommonJS of ESM output, each file by itself. Only ESM is split, so that what several files need is there once, and what is
 * imported by `import()` has a file of its own, read at its first use. VS Code and `node dist/sandbox.js` load CommonJS, and only that
 * can be loaded in one go.
 */
const asCommonJs = {
  name: 'as-commonjs',
  setup(build) {
    build.initialOptions.write = false;
    build.onEnd(async ({ outputFiles = [] }) => {
      for (const { path, text } of outputFiles.filter(file => file.path.endsWith('.js'))) {
        // As it is: esbuild would make a copy of its two hundred names for each file of the source that imports it.
        const module = text.replace(/\bimport ?\* ?as ([\w$]+) from ?"vscode"/g, 'const $1 = require("vscode")');
        const { code } = await esbuild.transform(module, {
          format: 'cjs',
          platform: node.platform,
          target: node.target,
          supported: { 'dynamic-import': false },
          minify: production,
          sourcemap: production ? false : 'inline',
          sourcefile: path,
        });
        writeFileSync(path, code);
      }
    });
  },
};

const unusedAxios = /axios[\\/]lib[\\/]helpers[\\/](formDataTo\w+|fromDataURI|estimateDataURL\w+|Http2Sessions)\.js$/;

/**
 * Leaves out what never runs of axios, and cannot be named by `alias`: the ways to send that are not Node's, and the rules for
 * proxies of the environment. `false` says that the environment does not have it. Of forms, HTTP/2 and addresses with the data in
 * themselves, classes that do nothing.
 */
const withoutUnused = {
  name: 'without-unused',
  setup(build) {
    build.onLoad({ filter: /axios[\\/]lib[\\/](adapters[\\/](xhr|fetch)|helpers[\\/]shouldBypassProxy)\.js$/ }, () => ({
      contents: 'export default false; export const getFetch = () => false;',
    }));
    build.onLoad({ filter: unusedAxios }, () => ({
      contents: 'export default class {} export const estimateDataURLBufferAllocation = undefined;',
    }));
  },
};

const builds = [
  // What VS Code loads in every window: one file.
  { ...node, entryPoints: ['src/extension.ts'], plugins: [asCommonJs] },
  {
    ...node,
    entryPoints: [
      'src/background.ts',
      'src/app.ts',
      // For `node dist/sandbox.js`, without VS Code.
      { in: 'src/sandbox/cli.ts', out: 'sandbox' },
      // The process that reads what comes from outside, and its thread.
      'src/service/reader/readerMain.ts',
      'src/service/reader/memoryReports.ts',
    ],
    splitting: true,
    chunkNames: '[name]-[hash]',
    external: [...node.external, './temporal.js'],
    alias: {
      // The page has the same file.
      'temporal-polyfill': './temporal.js',
      // axios takes it where there is no FormData, with a table of all media types; Node has one.
      'form-data': 'data:text/javascript,export default FormData',
      // What axios is made of writes addresses to stderr with it, where the environment says so.
      debug: 'data:text/javascript,export default () => () => {}',
      // axios takes them where it follows redirects or looks for a proxy by itself; it does neither here (transport.ts).
      'follow-redirects': 'data:text/javascript,export default {}',
      'https-proxy-agent': 'data:text/javascript,export default undefined',
      'proxy-from-env': 'data:text/javascript,export const getProxyForUrl = undefined',
    },
    plugins: [withoutUnused, asCommonJs],
  },
  {
    ...shared,
    entryPoints: [
      { in: 'src/webview/main.ts', out: 'webview' },
      { in: 'media/webview.css', out: 'webview' },
    ],
    outdir: 'dist',
    alias: { 'temporal-polyfill': 'data:text/javascript,export const { Temporal } = globalThis.temporalPolyfill' },
    platform: 'browser',
    format: 'iife',
    target: 'chrome142',
    tsconfig: 'src/webview/tsconfig.json',
  },
  // For the host and the page, which would each have one: loaded by `require` in the former, by a script of its own in the latter.
  {
    ...shared,
    entryPoints: { temporal: 'temporal-polyfill' },
    outdir: 'dist',
    platform: 'neutral',
    target: ['node22', 'chrome142'],
    format: 'iife',
    globalName: 'temporalPolyfill',
    footer: { js: "if (typeof module === 'object') module.exports = temporalPolyfill;" },
  },
];

/** The page's icons; those that it cannot show stay out of a package. */
async function writeIcons() {
  const { keepIcons } = await import('./scripts/build/keepIcons.mjs');
  const styles = readdirSync('media').filter(file => file.endsWith('.css'));
  const code = ['dist/webview.js', ...styles.map(file => join('media', file))].map(file => readFileSync(file, 'utf8'));
  const { css, font } = keepIcons(
    readFileSync('dist/codicon.css', 'utf8'),
    readFileSync('dist/codicon.ttf'),
    code.join(),
  );
  writeFileSync('dist/codicon.css', css);
  writeFileSync('dist/codicon.ttf', font);
}

/** Makes them smaller once more, by what knows more ways than esbuild: that is a twentieth of the package. */
async function shrinkScripts() {
  for (const file of readdirSync('dist', { recursive: true }).filter(name => name.endsWith('.js'))) {
    const path = join('dist', file);
    // Of names outside all functions only that of what the page and the host share is used elsewhere.
    const options = { ecma: 2020, compress: { passes: 2 }, toplevel: file !== 'temporal.js' };
    // Chromium then compiles the page's functions beside its thread as the script comes in, not one by one as the first view is drawn.
    if (file === 'webview.js') options.format = { preamble: '//# allFunctionsCalledOnLoad' };
    const { code } = await terser.minify(readFileSync(path, 'utf8'), options);
    // The lines of the page's templates are indented as its source is; no other text of it has a line of its own.
    writeFileSync(path, file === 'webview.js' ? code.replace(/\n\s+/g, '\n') : code);
  }
}

async function main() {
  rmSync('dist', { recursive: true, force: true });
  mkdirSync('dist', { recursive: true });
  for (const file of ['codicon.css', 'codicon.ttf'])
    cpSync(join('node_modules/@vscode/codicons/dist', file), join('dist', file));
  if (!watch) {
    const results = await Promise.all(builds.map(options => esbuild.build(options)));
    // What each file was made of, for the notices of the package (scripts/package/notices.ts).
    writeFileSync('dist/meta.json', JSON.stringify(results.map(({ metafile }) => metafile)));
    if (!production) return;
    await writeIcons();
    await shrinkScripts();
    return;
  }
  const contexts = await Promise.all(builds.map(options => esbuild.context({ ...options, logLevel: 'info' })));
  // All builds are there before watching says that one is finished, which is what F5 waits for.
  await Promise.allSettled(contexts.map(context => context.rebuild()));
  await Promise.all(contexts.map(context => context.watch()));
}

main().catch(error => {
  // esbuild has said what is wrong itself.
  if (!error.errors) console.error(error);
  process.exit(1);
});
