/** What happens during a drag. */
interface DragSteps {
  /** The pointer is elsewhere, or time has passed with it outside the element. */
  readonly move: (clientX: number, clientY: number) => void;
  /** The button is up; `cancelled` after Escape or when the system took the pointer away. */
  readonly end: (cancelled: boolean) => void;
  /** Called each frame; scrolls while the pointer is outside. Returns whether it did. */
  readonly scroll?: (clientX: number, clientY: number) => boolean;
}

/** Follows a pointer from its press to its release, wherever it goes, and keeps scrolling while it rests outside. */
export function startDrag(target: HTMLElement, press: PointerEvent, steps: DragSteps): void {
  const controller = new AbortController();
  const { signal } = controller;
  let { clientX, clientY } = press;
  let frame = 0;
  const tick = () => {
    if (steps.scroll?.(clientX, clientY)) steps.move(clientX, clientY);
    frame = requestAnimationFrame(tick);
  };
  const finish = (cancelled: boolean) => {
    controller.abort();
    cancelAnimationFrame(frame);
    if (target.hasPointerCapture(press.pointerId)) target.releasePointerCapture(press.pointerId);
    steps.end(cancelled);
  };
  target.setPointerCapture(press.pointerId);
  if (steps.scroll) frame = requestAnimationFrame(tick);
  target.addEventListener(
    'pointermove',
    event => {
      ({ clientX, clientY } = event);
      steps.move(clientX, clientY);
    },
    { signal },
  );
  target.addEventListener('pointerup', () => finish(false), { signal });
  target.addEventListener('pointercancel', () => finish(true), { signal });
  window.addEventListener(
    'keydown',
    event => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      finish(true);
    },
    { signal, capture: true },
  );
}
