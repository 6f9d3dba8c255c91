/** A rectangle in CSS pixels, as of `getBoundingClientRect`. */
export interface ScreenBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const margin = 4;

/** Where a popup stands: below its anchor if it fits there, else above, else where most room is; never outside the view. */
export function popupPlace(
  anchor: ScreenBox,
  popup: { readonly width: number; readonly height: number },
  view: { readonly width: number; readonly height: number },
): { readonly left: number; readonly top: number; readonly maxHeight: number } {
  const below = anchor.top + anchor.height;
  const roomBelow = view.height - margin - below;
  const roomAbove = anchor.top - margin;
  const under = popup.height <= roomBelow || roomBelow >= roomAbove;
  const maxHeight = Math.max(0, under ? roomBelow : roomAbove);
  const height = Math.min(popup.height, maxHeight);
  return {
    left: Math.max(margin, Math.min(anchor.left, view.width - margin - popup.width)),
    top: under ? below : anchor.top - height,
    maxHeight,
  };
}
