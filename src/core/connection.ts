import * as v from 'valibot';

/** What is known of a key from the last answer to it. `rejected`: 401; `forbidden`: 403. */
const connectionStates = ['unchecked', 'works', 'rejected', 'forbidden'] as const;
export type ConnectionState = (typeof connectionStates)[number];

export const limitSchema = v.object({
  requests: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000)),
  seconds: v.pipe(v.number(), v.minValue(1), v.maxValue(86_400)),
});

/** A service and a name for it. The key is not in here: it lives in the secret store, under the service's origin. */
export const connectionSchema = v.object({
  id: v.pipe(v.string(), v.nonEmpty()),
  name: v.pipe(v.string(), v.nonEmpty()),
  /** `sandbox` is the embedded service: its address is known only while it runs. */
  service: v.picklist(['sandbox', 'powerSignals', 'other']),
  /** Base address without a trailing slash; empty for the sandbox. */
  baseUrl: v.string(),
  /** What may be shown of the key. */
  keyPrefix: v.string(),
  state: v.picklist(connectionStates),
  /** Its last answer said that it is Sample Data: a sandbox that was added by its address. */
  isSample: v.optional(v.literal(true)),
  /** What the provider granted beyond the documented limits, by scope. */
  limits: v.optional(v.record(v.string(), limitSchema)),
});
export type Connection = v.InferOutput<typeof connectionSchema>;

/** Whether its data is Sample Data, as far as is known: of the embedded service, or as its answers said. */
export function isSampleConnection({ service, isSample }: Pick<Connection, 'service' | 'isSample'>): boolean {
  return service === 'sandbox' || isSample === true;
}

/** The services a person can pick by name. `dashboard` is where keys are made. */
export const powerSignals = {
  name: 'Power Signals',
  baseUrl: 'https://api.powersignals.co.za',
  dashboard: 'https://powersignals.co.za',
} as const;
