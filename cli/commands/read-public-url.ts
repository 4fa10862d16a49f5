import { InvalidArgumentError } from 'commander';

/** The address of a site: scheme, host and port, without a path, because the web UI lives at its root. */
export function readPublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || `${url.origin}/` !== url.href) {
    throw new InvalidArgumentError(
      'Write scheme, host and port only, such as https://http-ae.example or http://192.0.2.7:8420',
    );
  }
  return url.origin;
}
