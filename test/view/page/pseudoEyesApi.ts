/** What a test can ask a page whose texts are in the pseudo language. */
export interface PseudoEyesApi {
  /** Texts, tooltips and labels that did not go through the translation; `known` are the host's words and the data. */
  unmarked(known: readonly string[]): readonly string[];
  /** Texts of which a part is out of sight with no way to see it. */
  cutOff(): readonly string[];
}
