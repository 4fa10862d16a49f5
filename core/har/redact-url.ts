/** Replaces a secret value. */
export const redacted = '[redacted]';

const secretParameter =
  /token|secret|passw|api-?_?key|access-?_?key|auth-?_?key|csrf|xsrf|session|signature|credential|assertion|jwt|^(auth|authorization|bearer|code|key|otp|pass|pwd|sid|sig|ticket)$/i;
const maximumNameCharacters = 256;

/**
 * A URL, or a text with URLs in it, without passwords and without the values of parameters that let any reader act as the user.
 * A parameter has the form NAME=VALUE after "?", "&", ";" or "#".
 */
export function redactUrl(text: string): string {
  let isHidden = false;
  return text
    .replace(/(:\/\/)[^/?#@\s]*@/g, `$1${redacted}@`)
    .split(/([?&;#])/)
    .map((part, index, parts) => {
      const separator = index % 2 === 1 ? part : parts[index - 1];
      // A question mark within a value is a part of it.
      if (isHidden && separator === '?') return '';
      if (index % 2 === 1 || separator === undefined) return part;
      const end = part.indexOf('=');
      isHidden = end !== -1 && secretParameter.test(decode(part.slice(0, end)).trim().slice(-maximumNameCharacters));
      return isHidden ? `${part.slice(0, end)}=${redacted}` : part;
    })
    .join('');
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // what is no percent encoding is what it is
  }
}
