import type { Header } from '../metrics/network-request.ts';
import { isSecretHeader, redactUrl, redacted } from './redact-url.ts';

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
