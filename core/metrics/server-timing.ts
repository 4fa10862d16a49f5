/** What a Snapshot takes of a header. */
const mostCharacters = 8192;

/**
 * How long the server says that it took for an answer, in ms: the metric `total` of its `Server-Timing`, else the longest one; null where it names none.
 * A page's own entry gives the same (`probe/page-probe.ts`). https://www.w3.org/TR/server-timing/
 */
export function readServerTiming(header: string | string[] | undefined): number | null {
  if (header === undefined) return null;
  const text = [header].flat().join().slice(0, mostCharacters);
  const metrics = splitOutsideQuotes(text, ',').map(readMetric);
  const said = metrics.filter(({ durationMs }) => durationMs > 0);
  const total = said.find(({ name }) => name === 'total');
  const longest = Math.max(0, ...said.map(({ durationMs }) => durationMs));
  return total?.durationMs ?? (longest > 0 ? longest : null);
}

/** `name;dur=12.3;desc="words"`, in any order. */
function readMetric(text: string): { name: string; durationMs: number } {
  const [name = '', ...parameters] = splitOutsideQuotes(text, ';').map((part) => part.trim().toLowerCase());
  const duration = parameters.map((each) => /^dur\s*=\s*"?(\d{1,12}(?:\.\d{1,12})?)"?$/.exec(each)?.[1]);
  return { name, durationMs: Number(duration.find((each) => each !== undefined) ?? 0) };
}

function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = [];
  let from = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    if (isQuoted && text[at] === '\\') at++;
    else if (text[at] === '"') isQuoted = !isQuoted;
    else if (!isQuoted && text[at] === separator) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)];
}
