/**
 * Arrow keys, Home and End among the buttons of a group of which one is the tab stop (ARIA Authoring Practices, tabs and
 * radio groups): moves the keyboard and chooses what it comes to.
 */
export function rove(event: KeyboardEvent): void {
  const group = event.currentTarget;
  if (!(group instanceof HTMLElement)) return;
  const buttons = [...group.querySelectorAll<HTMLElement>('button')];
  const index = buttons.findIndex(button => button === event.target);
  const target = targetOf(event.key, index, buttons.length);
  if (index < 0 || target === undefined) return;
  event.preventDefault();
  const button = buttons[target];
  button?.focus();
  button?.click();
}

function targetOf(key: string, index: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
    case 'ArrowDown':
      return (index + 1) % count;
    case 'ArrowLeft':
    case 'ArrowUp':
      return (index + count - 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
