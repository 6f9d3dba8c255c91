import { join } from 'node:path';
import { screenshots } from '../../scripts/paths.ts';

/** Where the picture of that name is left for people to look at. */
export function picturePath(name: string): string {
  return join(screenshots, 'view', `${name}.png`);
}
