import { nothing } from 'lit';
import { AsyncDirective } from 'lit/async-directive.js';
import { directive } from 'lit/directive.js';
import { t } from '@vscode/l10n';
import type { Silence } from '../../shared/protocol.ts';

/** Most answers are there by then. */
const unsaidMs = 5_000;

/** How long a wait lasts so far, and when the silence ends it; nothing in the first seconds. Changes by itself each second. */
class Elapsed extends AsyncDirective {
  #silence: Silence | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  render(silence: Silence | undefined): unknown {
    this.#silence = silence;
    this.reconnected();
    return this.#words();
  }

  protected override reconnected(): void {
    this.#timer ??= setInterval(() => this.setValue(this.#words()), 1_000);
  }

  protected override disconnected(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #words(): unknown {
    if (!this.#silence) return nothing;
    const { since, endsAfterMs } = this.#silence;
    const ms = Date.now() - since;
    if (ms < unsaidMs) return nothing;
    return t('{0} s so far. Requests time out after {1} s.', Math.floor(ms / 1_000), endsAfterMs / 1_000);
  }
}

export const elapsed = directive(Elapsed);
