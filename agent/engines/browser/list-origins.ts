/** Of all that are over TLS, each once. */
export function listOrigins(urls: readonly string[]): URL[] {
  const all = urls.filter((url) => URL.canParse(url)).map((url) => new URL(url));
  const origins = all.filter(({ protocol }) => protocol === 'https:').map(({ origin }) => origin);
  return [...new Set(origins)].map((origin) => new URL(origin));
}
