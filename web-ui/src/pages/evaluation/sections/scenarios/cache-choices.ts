/** What may be kept from one Visit to the next. */
export const cacheChoices = [
  { value: 'cold', label: 'cold: new for every Visit' },
  { value: 'warm', label: 'warm: kept, each URL loaded once before' },
  { value: 'per-pass', label: 'per Pass: empty at its start, then kept' },
];
