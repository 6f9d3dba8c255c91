/** One small text that all windows of a profile share. */
export interface SharedText {
  /** Undefined where there is none yet. */
  read(): Promise<string | undefined>;
  /**
   * Gives the text to `update`, alone among all windows, and replaces it by the answer, whole or not at all; undefined
   * leaves it. `update` is asked again where the text changed all the same. Rejects with the file system's errors.
   */
  change(update: (text: string | undefined) => Promise<string | undefined>): Promise<void>;
  /** Keeps a text that could not be read for the person, and says where. */
  keepAside(text: string): Promise<string>;
}
