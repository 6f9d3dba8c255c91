import type { GridError } from '../core/errors.ts';
import { describeFailure } from '../host/messages/failures.ts';

/** Describes a failure in one sentence for the command line, whose remedies differ from those of VS Code. */
export function describeCliFailure(error: GridError): string {
  if (error.reason === 'noKey' || error.reason === 'noConnection')
    return 'No API key, so nothing was sent. Set GRID_DATA_API_KEY, use --key-file FILE, or read only the archive by --offline.';
  return describeFailure(error)?.sentence ?? 'Canceled.';
}
