/** When a process is ready, as one types it: a port, an address with a port, a URL, or a text that it prints. */
export function writeReady(value: unknown): string {
  if (typeof value !== 'object' || value === null) return wordOf(value);
  const { port, address, http, line } = value as Record<string, unknown>;
  if (port === undefined) return wordOf(http) || wordOf(line);
  const place = wordOf(address);
  if (place === '' || place === '127.0.0.1') return wordOf(port);
  return `${place.includes(':') ? `[${place}]` : place}:${wordOf(port)}`;
}

const wordOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

export function readReady(text: string): unknown {
  const typed = text.trim();
  if (/^\d{1,5}$/.test(typed)) return { port: Number(typed) };
  const place = /^(?:\[([\da-f:.]{2,45})\]|([\d.]{7,15})):(\d{1,5})$/i.exec(typed);
  if (place) return { port: Number(place[3]), address: place[1] ?? place[2] };
  return /^https?:\/\//i.test(typed) ? { http: typed } : { line: typed };
}
