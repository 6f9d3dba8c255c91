/** Runs the last of many calls, once nothing came for a while: for what would only be overtaken. */
export class Later {
  readonly #delay: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `delay`: milliseconds. */
  constructor(delay: number) {
    this.#delay = delay;
  }

  run(act: () => void): void {
    this.cancel();
    this.#timer = setTimeout(act, this.#delay);
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
