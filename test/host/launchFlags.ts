/** The command line flags of desktop VS Code that a test run needs. */
interface LaunchFlags {
  readonly extension: string;
  readonly tests: string;
  readonly folder?: string;
  readonly userData?: string;
  readonly extensions?: string;
}

/** Reads the flags that @vscode/test-electron passes; others are ignored. Throws an Error when a path is missing. */
export function parseLaunchFlags(args: readonly string[]): LaunchFlags {
  const findFlag = (name: string) => args.find(arg => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  const extension = findFlag('extensionDevelopmentPath');
  const tests = findFlag('extensionTestsPath');
  if (!extension || !tests) throw new Error('--extensionDevelopmentPath= and --extensionTestsPath= are both needed.');
  const folder = args.find(arg => !arg.startsWith('-'));
  const userData = findFlag('user-data-dir');
  const extensions = findFlag('extensions-dir');
  return {
    extension,
    tests,
    ...(folder && { folder }),
    ...(userData && { userData }),
    ...(extensions && { extensions }),
  };
}
