/** A VS Code that the demo has opened. */
export interface VsCodeWindow {
  /** The address to open in a browser; absent for desktop VS Code. */
  readonly url?: string;
  /** Resolves when VS Code exits. */
  readonly ended: Promise<void>;
  /** Closes a window that would outlive this process. */
  closeNow(): void;
}
