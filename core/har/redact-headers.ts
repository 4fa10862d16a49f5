import type { Header } from '../metrics/snapshot.ts';

/** Names of headers whose value lets whoever reads it act as the user: cookies, passwords, keys, tokens. */
const secretName = /^(cookie2?|set-cookie2?|authorization|proxy-authorization|authentication-info)$|token|secret|password|api-?key|csrf|xsrf|session/i;

/** What stands in place of a secret value. */
export const redacted = '[redacted]';

const maximumHeaders = 1000;
const maximumNameCharacters = 256;
const maximumValueCharacters = 8192;

/** Headers as they may be stored and shown: secret values are left out, very long ones cut. Called before they leave the Agent. */
export function redactHeaders(headers: readonly Header[]): Header[] {
  return headers.slice(0, maximumHeaders).map(({ name, value }) => ({
    name: name.slice(0, maximumNameCharacters),
    value: secretName.test(name) ? redacted : value.slice(0, maximumValueCharacters),
  }));
}
