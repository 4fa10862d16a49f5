import { z } from 'zod';

/**
 * What no host may contain, apart from what ends it. The standard forbids it, but Chromium makes %20 of a space: the editor in a browser would call an
 * address valid that the Controller refuses. https://url.spec.whatwg.org/#forbidden-domain-code-point
 */
// oxlint-disable-next-line no-control-regex -- they are what is refused
const forbiddenInHost = /[\u0000-\u0020<>^|%\u007f]/;

/** White space and control characters: parsers take some of them out, and write others in another way. */
const oddCharacter = /[\s\p{Cc}]/u;

/** A URL that a User Agent can visit. Only http and https: an engine must never be sent to a file or a browser page. */
export const VisitUrlSchema = z
  .string({ error: 'must be a URL' })
  .max(4096, 'must have at most 4096 characters')
  .superRefine((text, context) => {
    const parsed = hasHost(text) && URL.canParse(text) ? new URL(text) : null;
    if (!parsed) {
      context.addIssue(
        `${JSON.stringify(text)} is not a URL: write the full URL, such as "http://origin.example/page"`,
      );
    } else if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') {
      context.addIssue(
        `${JSON.stringify(text)} starts with "${parsed.protocol}": only http: and https: can be measured`,
      );
    } else if (parsed.username || parsed.password) {
      context.addIssue('must not have a user name or password: it would be stored and shown in reports');
    }
  });

/** Whether its host has only characters that every engine takes as they are. What has no host is judged by its scheme. */
function hasHost(text: string): boolean {
  const [, authority = ''] = /^\s*[a-z][a-z\d+.-]*:[\\/]*([^\\/?#]*)/i.exec(text.replace(/[\t\n\r]/g, '')) ?? [];
  const host = authority.slice(authority.lastIndexOf('@') + 1).trim();
  return !forbiddenInHost.test(decodePercent(host));
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What is wrong with an address or a pattern as people write it now, though an engine would forgive it; null where nothing is. */
export function explainOddText(address: string): string | null {
  const [odd] = oddCharacter.exec(address) ?? [];
  if (odd !== undefined)
    return `${shorten(address)} has a ${odd === ' ' ? 'space' : 'character that cannot be seen'}: take it out, or write ${encodeURIComponent(odd)}`;
  return explainOpenBraces(address);
}

/** What is wrong with braces that have no other end; null where all have one. */
export function explainOpenBraces(pattern: string): string | null {
  let open = 0;
  for (const character of pattern) {
    if (character === '{') open += 1;
    else if (character === '}') open -= 1;
    if (open < 0) break;
  }
  if (open === 0) return null;
  const [has, lacks, code] = open > 0 ? ['{', '}', '%7B'] : ['}', '{', '%7D'];
  return `${shorten(pattern)} has ${has} without ${lacks}: complete the pattern, or write ${code} for the brace itself`;
}

function shorten(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
