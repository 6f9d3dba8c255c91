/** A VS Code that the demo has opened. */
export interface VsCodeWindow {
  /** Where a browser finds it; desktop VS Code has no address. */
  readonly url?: string;
  /** Resolves when it has ended by itself. */
  readonly ended: Promise<void>;
  /** Ends at once what does not end with this process. */
  closeNow(): void;
}
