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

/** Null for what is no absolute URL of http or https. A user and password in it are left out. */
export function readTarget(url: string): Target | null {
  const parts = /^(https?):\/\/([^/?#\\]*)((?:[/?#\\].*)?)$/is.exec(url);
  const origin = parts && `${parts[1]!.toLowerCase()}://${parts[2]!.slice(parts[2]!.lastIndexOf('@') + 1)}`;
  if (!origin || !URL.canParse(origin) || /[^!-~]/.test(origin)) return null;
  const { protocol, hostname, port, host } = new URL(origin);
  const isSecure = protocol === 'https:';
  return {
    isSecure,
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
    authority: host,
    path: parts[3]!,
  };
}

/** What is asked of the web server: RFC 9112, 3.2.1 and 3.2.4. */
export function formatTarget({ path }: Target, method: string): string {
  if (path === '' && method === 'OPTIONS') return '*';
  return path.startsWith('/') ? path : `/${path}`;
}
