/** What `npm run demo` was asked for. */
export interface DemoOptions {
  /** Of VS Code's server; 0 is any free one. */
  readonly port: number;
  /** Whether to open the machine's browser. */
  readonly open: boolean;
  /** The last seven days there are if left out. */
  readonly range?: string;
  /** Absolute path of a file for the sandbox to replay. */
  readonly replay?: string;
  /** Whether its hours are moved to the present. */
  readonly shift: boolean;
  /** The address of a service to use instead of a sandbox. */
  readonly service?: string;
}

/** What the command line asks for; `wrong` holds the sentence for the person. */
export type DemoRequest =
  | { readonly kind: 'start'; readonly options: DemoOptions }
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly sentence: string };

export const usage: string;

export function readDemoOptions(args: readonly string[], isFile?: (path: string) => boolean): DemoRequest;
