/** The options of `npm run demo`. */
export interface DemoOptions {
  /** The port of VS Code's server; 0 for any free one. */
  readonly port: number;
  /** Whether to open the machine's browser. */
  readonly open: boolean;
  /** The range to show; by default the last seven days of the data. */
  readonly range?: string;
  /** Absolute path of a file for the sandbox to replay. */
  readonly replay?: string;
  /** Whether the file's hours are moved to the present. */
  readonly shift: boolean;
  /** The address of a service to use instead of a sandbox. */
  readonly service?: string;
}

/** The parsed command line; `invalid` has a message for the user. */
export type DemoRequest =
  | { readonly kind: 'start'; readonly options: DemoOptions }
  | { readonly kind: 'help' }
  | { readonly kind: 'invalid'; readonly message: string };

export const usage: string;

export function readDemoOptions(args: readonly string[], isFile?: (path: string) => boolean): DemoRequest;
