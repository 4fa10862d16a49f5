/** Something that the palette finds. */
export interface PaletteEntry {
  /** Unique. */
  id: string;
  kind: 'Page' | 'Evaluation' | 'Run' | 'Host' | 'Study' | 'Setting' | 'Help';
  label: string;
  /** Smaller, below it. */
  detail?: string;
  /** What else it is found by. */
  keywords?: string;
  to: string;
}
