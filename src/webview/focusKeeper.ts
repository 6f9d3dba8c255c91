/**
 * Keeps the keyboard where the person left it while the page changes under it: a button that comes back gets it back,
 * and until then the nearest thing that can take it.
 */
export class FocusKeeper {
  private readonly root: HTMLElement;
  private readonly takeGrid: () => void;
  /** A `data-action` or the grid. */
  private wanted: string | undefined;
  /** The page itself moves the focus: that says nothing about what the person wants. */
  private moving = false;

  constructor(root: HTMLElement, takeGrid: () => void) {
    this.root = root;
    this.takeGrid = takeGrid;
    root.addEventListener('focusin', event => this.came(event));
    root.addEventListener('focusout', event => this.left(event));
  }

  /** Runs a change of the page and then mends the focus. */
  around(render: () => void): void {
    this.moving = true;
    try {
      render();
    } finally {
      this.moving = false;
    }
    const target = this.targetNow();
    if (target) void this.give(target);
  }

  /** What should have the keyboard and has not; undefined where all is well. */
  private targetNow(): HTMLElement | undefined {
    if (this.wanted === undefined) return undefined;
    const focused = document.activeElement;
    const lost = !focused || focused === document.body || focused.closest('[inert]') !== null;
    const wanted = this.find(this.wanted);
    if (wanted) return wanted.contains(focused) ? undefined : wanted;
    return lost ? (this.find('action') ?? this.find('grid') ?? this.find('json') ?? undefined) : undefined;
  }

  private async give(target: HTMLElement & { readonly updateComplete?: Promise<unknown> }): Promise<void> {
    // A new button can take the keyboard only after it has drawn itself.
    await target.updateComplete;
    if (this.targetNow() !== target) return;
    this.moving = true;
    if (target.getAttribute('role') === 'grid') this.takeGrid();
    else (target.shadowRoot?.querySelector('button') ?? target).focus({ preventScroll: true });
    this.moving = false;
  }

  private find(name: string): HTMLElement | null {
    const places: Readonly<Record<string, string>> = { grid: '[role=grid]', json: '.json', action: '[data-action]' };
    const selector = places[name] ?? `[data-action="${name}"]`;
    const found = this.root.querySelector<HTMLElement>(selector);
    return found?.closest('[inert]') ? null : found;
  }

  private came(event: FocusEvent): void {
    if (this.moving || !(event.target instanceof HTMLElement)) return;
    const target = event.target;
    this.wanted =
      target.dataset['action'] ??
      (target.closest('[role=grid]') ? 'grid' : target.closest('.json') ? 'json' : undefined);
  }

  private left(event: FocusEvent): void {
    if (this.moving || event.relatedTarget !== null || !(event.target instanceof HTMLElement)) return;
    // Taken away by the page, or lent to another window: no change of mind.
    if (!event.target.isConnected || event.target.closest('[inert]') || !document.hasFocus()) return;
    this.wanted = undefined;
  }
}
