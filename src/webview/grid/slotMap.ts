/**
 * Assigns the slots of a pool of reusable elements to the visible rows or columns (the keys). A key keeps its slot as
 * long as it is visible, so that a focused element is never moved and only new keys have to be drawn.
 */
export class SlotMap {
  /** The key of each slot; -1 for a free one. */
  keys = new Int32Array(0);
  #slotByOffset = new Int32Array(0);

  /** Assigns slots to the keys from `first` up to, but without, `end`, and to `extra` unless it is -1. */
  assign(first: number, end: number, extra: number): void {
    const count = Math.max(0, end - first);
    this.#grow(count + 1);
    this.#slotByOffset.fill(-1, 0, count);
    let extraMissing = extra >= 0 && (extra < first || extra >= end);
    for (let slot = 0; slot < this.keys.length; slot++) {
      const key = this.keys[slot] ?? -1;
      if (key >= first && key < end) this.#slotByOffset[key - first] = slot;
      else if (key >= 0 && key === extra) extraMissing = false;
      else this.keys[slot] = -1;
    }
    let free = 0;
    const assignSlot = (key: number) => {
      while (this.keys[free] !== -1) free++;
      this.keys[free] = key;
    };
    for (let offset = 0; offset < count; offset++) if (this.#slotByOffset[offset] === -1) assignSlot(first + offset);
    if (extraMissing) assignSlot(extra);
  }

  /** Returns the slot of a key, or -1 if it has none. */
  findSlot(key: number): number {
    return this.keys.indexOf(key);
  }

  /** Forgets all keys. */
  clear(): void {
    this.keys.fill(-1);
  }

  #grow(capacity: number): void {
    if (capacity <= this.keys.length) return;
    const keys = new Int32Array(capacity).fill(-1);
    keys.set(this.keys);
    this.keys = keys;
    this.#slotByOffset = new Int32Array(capacity);
  }
}
