/** The key that opens the palette, as `useHotkeys` writes it. */
export const findKey = 'mod+K';

/** As the keyboard in use names it. */
export function nameFindKey(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K';
}

/** The element that holds what the palette found. */
export const paletteListId = 'palette-entries';
