/** Follows a pressed mouse until it is let go: `moved` hears of every move in pixels, right is positive; `done` once, if there was any. */
export function followMouse(down: MouseEvent, moved: (pixels: number) => void, done: () => void): void {
  let last = down.clientX;
  let hasMoved = false;
  const stop = new AbortController();
  const { signal } = stop;
  const move = (event: MouseEvent): void => {
    hasMoved = true;
    moved(event.clientX - last);
    last = event.clientX;
  };
  const release = (): void => {
    stop.abort();
    if (hasMoved) done();
  };
  document.addEventListener('mousemove', move, { signal });
  document.addEventListener('mouseup', release, { signal });
}
