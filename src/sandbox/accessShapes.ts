import * as v from 'valibot';
import { scopes } from './scopes.ts';

const limit = v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(0)));

/** What a key may read, as files and forms say it. */
export const scopesShape = v.array(v.picklist(scopes));
/** Limits of a key's own, as files and forms say them. */
export const limitsShape = v.partial(v.strictObject({ normalized_data: limit, features: limit }));
