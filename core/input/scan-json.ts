const quote = 0x22;
const backslash = 0x5c;

/** What a text of JSON has too much of; null where it has not. Looked for before it is parsed, which would take memory for all of it. */
export function findExcess(
  json: string,
  { mostDepth, mostValues }: { mostDepth: number; mostValues: number },
): string | null {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case quote:
        at = findEndOfText(json, at);
        break;
      case 0x5b: // [
      case 0x7b: // {
        values++;
        if (++depth > mostDepth) return `has more than ${mostDepth} objects and lists within each other`;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
      case 0x2c: // ,
        if (++values > mostValues) return `has more than ${mostValues} values`;
        break;
      default:
    }
  }
  return null;
}

/** Where the text that begins there ends: its quote, or the end of all where it has none. */
function findEndOfText(json: string, start: number): number {
  for (let at = start + 1; ;) {
    const end = json.indexOf('"', at);
    if (end === -1) return json.length;
    let escapes = 0;
    while (json.charCodeAt(end - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return end;
    at = end + 1;
  }
}
