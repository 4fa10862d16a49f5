import type { Header } from '../metrics/network-request.ts';
import { redactUrl, redacted } from './redact-url.ts';

/** Names of headers whose value lets any reader act as the user: cookies, passwords, keys, tokens. docs/security.md lists the same. */
const secretName =
  /^x-forwarded-client-cert$|^x-auth(-|$)|cookie|authorization|authentication|token|secret|passw|(api|access|auth|subscription|master|functions)[-_]?key|csrf|xsrf|session|assertion|signature|credential|jwt/i;

/** Whether the value of a header may let any reader act as the user. */
export function isSecretHeader(name: string): boolean {
  return secretName.test(name);
}

const maximumHeaders = 1000;
const maximumNameCharacters = 256;
const maximumValueCharacters = 8192;

/**
 * Headers as they may be stored and shown: secret values are left out, those of parameters of URLs too (`location`, `referer`), very long ones cut.
 * Called before they leave the Agent.
 */
export function redactHeaders(headers: readonly Header[]): Header[] {
  return headers.slice(0, maximumHeaders).map(({ name, value }) => ({
    name: name.slice(0, maximumNameCharacters),
    value: isSecretHeader(name) ? redacted : redactUrl(value.slice(0, maximumValueCharacters)),
  }));
}
