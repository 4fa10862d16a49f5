import { listValues, type HeaderList } from '../http1/header-list.ts';

/** What names an object, and what the web server of that object may learn of it. */
export interface Referrer {
  /** The document or style sheet that names it. */
  url: string;
  policy: ReferrerPolicy;
}

/** How much is said: of the same origin, of others, and whether nothing by http of what came by https. */
interface Rule {
  same: 'url' | 'origin' | null;
  other: 'url' | 'origin' | null;
  isStrict: boolean;
}

/** https://w3c.github.io/webappsec-referrer-policy/#referrer-policies */
const rules = {
  'no-referrer': { same: null, other: null, isStrict: false },
  'no-referrer-when-downgrade': { same: 'url', other: 'url', isStrict: true },
  'same-origin': { same: 'url', other: null, isStrict: false },
  origin: { same: 'origin', other: 'origin', isStrict: false },
  'strict-origin': { same: 'origin', other: 'origin', isStrict: true },
  'origin-when-cross-origin': { same: 'url', other: 'origin', isStrict: false },
  'strict-origin-when-cross-origin': { same: 'url', other: 'origin', isStrict: true },
  'unsafe-url': { same: 'url', other: 'url', isStrict: false },
} as const satisfies Record<string, Rule>;

export type ReferrerPolicy = keyof typeof rules;

/** Of browsers, where nothing else is said. */
export const usualPolicy: ReferrerPolicy = 'strict-origin-when-cross-origin';

/** Of what is longer, only the origin is said. https://w3c.github.io/webappsec-referrer-policy/#determine-requests-referrer */
const maximumCharacters = 4096;

/** What a `Referer` field says; null for none. */
export function chooseReferrer({ url, policy }: Referrer, to: URL): string | null {
  if (!/^https?:/.test(url)) return null;
  const source = new URL(url);
  const rule: Rule = rules[policy];
  if (rule.isStrict && source.protocol === 'https:' && to.protocol === 'http:') return null;
  const said = source.origin === to.origin ? rule.same : rule.other;
  if (said === null) return null;
  const whole = source.origin + source.pathname + source.search;
  return said === 'url' && whole.length <= maximumCharacters ? whole : `${source.origin}/`;
}

/** The policy that an attribute names; null for none, and for one that is not known. */
export function readPolicy(text: string | undefined): ReferrerPolicy | null {
  const name = (text ?? '').trim().toLowerCase();
  return isPolicy(name) ? name : null;
}

/** Of `<meta name=referrer>`, which knows older names too: https://html.spec.whatwg.org/multipage/semantics.html#meta-referrer */
export function readPolicyOfMeta(text: string | undefined): ReferrerPolicy | null {
  return oldNames.get((text ?? '').trim().toLowerCase()) ?? readPolicy(text);
}

const oldNames = new Map<string, ReferrerPolicy>([
  ['never', 'no-referrer'],
  ['default', usualPolicy],
  ['always', 'unsafe-url'],
  ['origin-when-crossorigin', 'origin-when-cross-origin'],
]);

/** Of an answer. The last one that is known counts: web servers name older ones before. */
export function readPolicyOfAnswer(headers: HeaderList): ReferrerPolicy | null {
  return (
    listValues(headers, 'referrer-policy')
      .flatMap((value) => readPolicy(value) ?? [])
      .at(-1) ?? null
  );
}

function isPolicy(name: string): name is ReferrerPolicy {
  return Object.hasOwn(rules, name);
}
