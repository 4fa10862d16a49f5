/** What a URL of a request names. */
export interface Target {
  isSecure: boolean;
  /** A name in lower case, or an address: IPv6 without brackets. */
  host: string;
  port: number;
  /** The Host field. */
  authority: string;
  /** From the first `/` or `?` on, as it came: RFC 9110, 7.7. Empty where the URL has none. */
  path: string;
}

/** How many origins are remembered: each request is read several times. */
const maxKnown = 1000;
const known = new Map<string, Omit<Target, 'path'> | null>();

/** Null for what is no absolute URL of http or https. A user and password in it are left out. */
export function readTarget(url: string): Target | null {
  const parts = /^(https?:\/\/[^/?#\\]*)((?:[/?#\\].*)?)$/is.exec(url);
  if (!parts) return null;
  const [, origin, path] = parts as unknown as [string, string, string];
  let place = known.get(origin);
  if (place === undefined) {
    place = readOrigin(origin);
    if (known.size >= maxKnown) known.clear();
    known.set(origin, place);
  }
  return place && { ...place, path };
}

function readOrigin(text: string): Omit<Target, 'path'> | null {
  const start = text.indexOf('//') + 2;
  const plain = text.slice(0, start) + text.slice(Math.max(start, text.lastIndexOf('@') + 1));
  const url = /[^!-~]/.test(plain) ? null : URL.parse(plain);
  if (!url) return null;
  const { protocol, hostname, port, host } = url;
  const isSecure = protocol === 'https:';
  return {
    isSecure,
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
    authority: host,
  };
}

/** What is asked of the web server: RFC 9112, 3.2.1 and 3.2.4. */
export function formatTarget({ path }: Target, method: string): string {
  if (path === '' && method === 'OPTIONS') return '*';
  return path.startsWith('/') ? path : `/${path}`;
}
