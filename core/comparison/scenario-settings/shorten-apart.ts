const longest = 2000;
/** Of what both have, before the place where they part. */
const shownBefore = 200;

/** Two texts that differ, each cut to what a report has room for, around the place where they part. */
export function shortenApart(one: string, other: string): [string, string] {
  if (one.length <= longest && other.length <= longest) return [one, other];
  const parting = findParting(one, other);
  const start = parting < longest - shownBefore ? 0 : parting - shownBefore;
  return [cut(one, start), cut(other, start)];
}

/** A text cut to what a report has room for. */
export function shorten(text: string): string {
  return cut(text, 0);
}

function findParting(one: string, other: string): number {
  let place = 0;
  while (place < one.length && one[place] === other[place]) place++;
  return place;
}

function cut(text: string, start: number): string {
  const shown = text.slice(start, start + longest);
  return `${start > 0 ? '… ' : ''}${shown}${start + shown.length < text.length ? ' …' : ''}`;
}
