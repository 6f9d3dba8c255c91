/** What of desktop VS Code's command line a test run depends on. */
interface LaunchFlags {
  readonly extension: string;
  readonly tests: string;
  readonly folder?: string;
  readonly userData?: string;
  readonly extensions?: string;
}

/** Reads the flags that @vscode/test-electron passes; others are ignored. Throws an Error when a path is missing. */
export function parseLaunchFlags(args: readonly string[]): LaunchFlags {
  const value = (name: string) => args.find(arg => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  const extension = value('extensionDevelopmentPath');
  const tests = value('extensionTestsPath');
  if (!extension || !tests) throw new Error('--extensionDevelopmentPath= and --extensionTestsPath= are both needed.');
  const folder = args.find(arg => !arg.startsWith('-'));
  const userData = value('user-data-dir');
  const extensions = value('extensions-dir');
  return {
    extension,
    tests,
    ...(folder && { folder }),
    ...(userData && { userData }),
    ...(extensions && { extensions }),
  };
}
