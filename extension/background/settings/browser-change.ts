/** Something of the browser that is other than the person has it. */
export interface BrowserChange {
  /** What, for the person. */
  words: string;
  undo: () => Promise<void>;
}
