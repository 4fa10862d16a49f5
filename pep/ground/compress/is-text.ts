import type { IncomingMessage } from 'node:http';

const text =
  /^(text\/|image\/svg\+xml|image\/bmp|application\/(.*\+)?(json|xml|javascript|ecmascript|manifest)\b|font\/(ttf|otf))/i;

/** Whether an answer becomes shorter by compression: its type says so, and the web server has not compressed it. */
export function isText({ headers }: IncomingMessage): boolean {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  return coding === 'identity' && text.test(headers['content-type'] ?? '');
}
