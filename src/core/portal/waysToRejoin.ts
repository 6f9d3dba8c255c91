const integer = /^-?\d+$/;
/** What can follow a decimal comma: three digits, or fewer without a closing zero. */
const trimmedFraction = /^(?:\d{3}|\d{0,1}[1-9])$/;
const anyFraction = /^\d{1,3}$/;
const mostWays = 5_000;

/**
 * All ways to join the halves of numbers written with a decimal comma (`8304,617`), which an unquoted row falls apart
 * into, so that `columns` fields remain. Empty where there is none; undefined where there are too many to try.
 */
export function waysToRejoin(fields: readonly string[], columns: number): readonly (readonly string[])[] | undefined {
  const trimmed = waysWith(trimmedFraction, fields, columns);
  return trimmed?.length === 0 ? waysWith(anyFraction, fields, columns) : trimmed;
}

/** Whether a field and the next one can be a number with a decimal comma. */
export function canBeSplit(field: string, next = ''): boolean {
  return integer.test(field) && anyFraction.test(next);
}

function waysWith(fraction: RegExp, fields: readonly string[], columns: number): string[][] | undefined {
  const joinable = fields.map((field, at) => integer.test(field) && fraction.test(fields[at + 1] ?? ''));
  const mostJoins = mostJoinsFrom(joinable);
  const ways: string[][] = [];
  const done: string[] = [];
  const walk = (at: number, joinsLeft: number): void => {
    if (joinsLeft > (mostJoins[at] ?? 0) || ways.length > mostWays) return;
    if (at >= fields.length) {
      ways.push([...done]);
      return;
    }
    const [here = '', next = ''] = [fields[at], fields[at + 1]];
    if (joinsLeft > 0 && joinable[at]) {
      done.push(`${here},${next}`);
      walk(at + 2, joinsLeft - 1);
      done.pop();
    }
    done.push(here);
    walk(at + 1, joinsLeft);
    done.pop();
  };
  walk(0, fields.length - columns);
  return ways.length > mostWays ? undefined : ways;
}

/** How many joins there is room for from each field on: the search leaves every way that cannot reach its count. */
function mostJoinsFrom(joinable: readonly boolean[]): number[] {
  const most: number[] = Array.from({ length: joinable.length + 2 }, () => 0);
  for (let at = joinable.length - 1; at >= 0; at--)
    most[at] = Math.max(most[at + 1] ?? 0, joinable[at] ? 1 + (most[at + 2] ?? 0) : 0);
  return most;
}
