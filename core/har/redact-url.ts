/** Replaces a secret value. */
export const redacted = '[redacted]';

/** Of headers and parameters: their value lets any reader act as the user. docs/security.md lists the same. */
const secretWord =
  /cookie|authorization|authentication|token|secret|passw|(api|access|auth|subscription|master|functions)[-_]?key|csrf|xsrf|session|assertion|signature|credential|jwt/i;
const secretHeader = /^x-forwarded-client-cert$|^x-auth(-|$)/i;
const secretParameter = /^(auth|bearer|code|key|otp|pass|pwd|sid|sig|ticket)$/i;
const maximumNameCharacters = 256;

/**
 * A URL, or a text with URLs in it, without passwords and without the values of parameters that let any reader act as the user.
 * A parameter has the form NAME=VALUE after "?", "&", ";" or "#".
 */
export function redactUrl(text: string): string {
  let isHidden = false;
  return (
    text
      // As parsers of URLs read them, all before the last @: passwords may have some.
      .replace(/(:\/\/)[^/?#\s]*@/g, `$1${redacted}@`)
      .split(/([?&;#])/)
      .map((part, index, parts) => {
        const separator = index % 2 === 1 ? part : parts[index - 1];
        // A question mark within a value is a part of it.
        if (isHidden && separator === '?') return '';
        if (index % 2 === 1 || separator === undefined) return part;
        const end = part.indexOf('=');
        isHidden = end !== -1 && isSecretParameter(decode(part.slice(0, end)).trim().slice(-maximumNameCharacters));
        return isHidden ? `${part.slice(0, end)}=${redacted}` : part;
      })
      .join('')
  );
}

/** Whether the value of a header may let any reader act as the user. Those of CORS, such as `access-control-allow-credentials`, say only what is allowed. */
export function isSecretHeader(name: string): boolean {
  if (/^access-control-/i.test(name)) return false;
  return secretHeader.test(name) || secretWord.test(name);
}

function isSecretParameter(name: string): boolean {
  return secretParameter.test(name) || secretWord.test(name);
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // what is no percent encoding is what it is
  }
}
