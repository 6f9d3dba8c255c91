import * as v from 'valibot';
import { readLimit } from './limitList.ts';
import { scopes } from './scopes.ts';

const limit = v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(0)));

/** What a key may read, as files and forms say it. */
export const scopesShape = v.array(v.picklist(scopes));
/** Limits of a key's own, as files say them. */
export const limitsShape = v.partial(v.strictObject({ normalized_data: limit, features: limit }));

const limitText = v.pipe(v.string(), v.trim(), v.transform(readLimit), v.nullable(v.number()));

/** Limits of a key's own, as they are typed: `100` or `none`. */
export const limitTextsShape = v.partial(v.strictObject({ normalized_data: limitText, features: limitText }));
