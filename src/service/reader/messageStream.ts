import type { Writable } from 'node:stream';
import { Deserializer, Serializer } from 'node:v8';

/**
 * The format of messages between this process and the reader, over a pipe: the length of the head (32 bits), the head, and the bytes of its typed
 * arrays. The arrays are written and read without a copy.
 */
const arrayTypes = [Uint8Array, Uint32Array, Int32Array, Float64Array] as const;
type ArrayView = InstanceType<(typeof arrayTypes)[number]>;

class HeadSerializer extends Serializer {
  readonly views: ArrayView[] = [];
  /** Node's types do not have this method. */
  declare _setTreatArrayBufferViewsAsHostObjects: (flag: boolean) => void;

  constructor() {
    super();
    this._setTreatArrayBufferViewsAsHostObjects(true);
  }

  _writeHostObject(view: ArrayView): void {
    this.writeUint32(
      Math.max(
        0,
        arrayTypes.findIndex(kind => view instanceof kind),
      ),
    );
    this.writeUint32(view.length);
    this.views.push(view);
  }
}

class HeadDeserializer extends Deserializer {
  readonly views: ArrayView[] = [];

  _readHostObject(): ArrayView {
    const Kind = arrayTypes[this.readUint32()] ?? Uint8Array;
    const view = new Kind(this.readUint32());
    this.views.push(view);
    return view;
  }
}

/** Writes a message. Resolves once the stream accepts more data. Typed arrays must not change until they are written. */
export async function writeMessage(stream: Writable, message: unknown): Promise<void> {
  const serializer = new HeadSerializer();
  serializer.writeHeader();
  serializer.writeValue(message);
  const head = serializer.releaseBuffer();
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  const parts = serializer.views.map(view => new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  for (const part of [length, head, ...parts]) stream.write(part);
  if (stream.writableNeedDrain) await new Promise(resolve => stream.once('drain', resolve).once('close', resolve));
}

/** Assembles messages from the chunks of a stream. */
export class MessageParser {
  readonly #onMessage: (message: unknown) => void;
  #stage: 'length' | 'head' | 'views' = 'length';
  /** The buffers to fill, and the number of bytes in the first of them. */
  #targets: Uint8Array[] = [new Uint8Array(4)];
  #filled = 0;
  #received: unknown;

  constructor(onMessage: (message: unknown) => void) {
    this.#onMessage = onMessage;
  }

  push(chunk: Uint8Array): void {
    for (let offset = 0; offset < chunk.length;) {
      const [target = new Uint8Array()] = this.#targets;
      const count = Math.min(target.length - this.#filled, chunk.length - offset);
      target.set(chunk.subarray(offset, offset + count), this.#filled);
      this.#filled += count;
      offset += count;
      if (this.#filled === target.length) this.#handleFilled(target);
    }
  }

  #handleFilled(filled: Uint8Array): void {
    this.#filled = 0;
    this.#targets.shift();
    if (this.#stage === 'length') {
      this.#expect('head', [new Uint8Array(new DataView(filled.buffer).getUint32(0, true))]);
    } else if (this.#stage === 'head') {
      const deserializer = new HeadDeserializer(filled);
      deserializer.readHeader();
      this.#received = deserializer.readValue();
      const parts = deserializer.views.map(view => new Uint8Array(view.buffer));
      this.#expect(
        'views',
        parts.filter(({ length }) => length > 0),
      );
    }
    if (this.#stage !== 'views' || this.#targets.length > 0) return;
    this.#expect('length', [new Uint8Array(4)]);
    this.#onMessage(this.#received);
    this.#received = undefined;
  }

  #expect(part: 'length' | 'head' | 'views', targets: Uint8Array[]): void {
    this.#stage = part;
    this.#targets = targets;
  }
}
