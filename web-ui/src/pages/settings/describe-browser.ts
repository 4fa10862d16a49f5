/** The later names are in the texts of others, too: each is looked for before those that carry it along. */
const browsers = [
  ['Edge', /Edg\//],
  ['Opera', /OPR\//],
  ['Firefox', /Firefox\//],
  ['Chrome', /Chrom(e|ium)\//],
  ['Safari', /Safari\//],
] as const;
const systems = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
] as const;

/** What a browser says of itself (`User-Agent`), in two words: `Firefox on Linux`. */
export function describeBrowser(userAgent: string | null): string {
  if (userAgent === null) return 'unknown';
  const browser = browsers.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? 'another program';
  const system = systems.find(([, pattern]) => pattern.test(userAgent))?.[0];
  return system === undefined ? browser : `${browser} on ${system}`;
}
