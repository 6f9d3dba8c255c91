const smallest = 262_144;

/** Memory for one file after the other: what it gave is good until it is asked again. */
export class Scratch {
  #bytes: Uint8Array = new Uint8Array();

  /** So many bytes, with anything in them; they begin on 8 bytes. */
  take(length: number): Uint8Array {
    if (this.#bytes.length < length) this.#bytes = Buffer.allocUnsafeSlow(Math.max(smallest, length));
    return this.#bytes.subarray(0, length);
  }

  /** All there is, at least `length` bytes. */
  takeAll(length = smallest): Uint8Array {
    return this.take(Math.max(length, this.#bytes.length));
  }
}
