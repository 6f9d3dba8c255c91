/** Callbacks during a drag. */
interface DragHandlers {
  /** Called when the pointer has moved, and after each scroll while it rests outside the element. */
  readonly move: (clientX: number, clientY: number) => void;
  /** Called when the button is released; `isCanceled` after Escape or if the system ended the drag. */
  readonly end: (isCanceled: boolean) => void;
  /** Called in each frame to scroll while the pointer is outside. Returns whether it scrolled. */
  readonly scroll?: (clientX: number, clientY: number) => boolean;
}

/** Captures the pointer from its press to its release, and keeps scrolling while it rests outside the element. */
export function startDrag(target: HTMLElement, press: PointerEvent, handlers: DragHandlers): void {
  const controller = new AbortController();
  const { signal } = controller;
  let { clientX, clientY } = press;
  let frame = 0;
  const onFrame = () => {
    if (handlers.scroll?.(clientX, clientY)) handlers.move(clientX, clientY);
    frame = requestAnimationFrame(onFrame);
  };
  const finish = (isCanceled: boolean) => {
    controller.abort();
    cancelAnimationFrame(frame);
    if (target.hasPointerCapture(press.pointerId)) target.releasePointerCapture(press.pointerId);
    handlers.end(isCanceled);
  };
  target.setPointerCapture(press.pointerId);
  if (handlers.scroll) frame = requestAnimationFrame(onFrame);
  target.addEventListener(
    'pointermove',
    event => {
      ({ clientX, clientY } = event);
      handlers.move(clientX, clientY);
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
