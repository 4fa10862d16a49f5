import { describe, expect, test } from 'vitest';
import {
  chooseReferrer,
  readPolicy,
  readPolicyOfAnswer,
  readPolicyOfMeta,
  type ReferrerPolicy,
} from '#core/page-objects/choose-referrer.ts';
import { DocumentObjects } from '#core/page-objects/document-objects.ts';
import { readStyleSheet } from '#core/page-objects/style-rules.ts';

const page = 'https://me@a.test/dir/page?q=1#part';
const [full, origin] = ['https://a.test/dir/page?q=1', 'https://a.test/'];

/** To the same origin, to another one, and from https to http. */
test.each<[ReferrerPolicy, string | null, string | null, string | null]>([
  ['no-referrer', null, null, null],
  ['no-referrer-when-downgrade', full, full, null],
  ['same-origin', full, null, null],
  ['origin', origin, origin, origin],
  ['strict-origin', origin, origin, null],
  ['origin-when-cross-origin', full, origin, origin],
  ['strict-origin-when-cross-origin', full, origin, null],
  ['unsafe-url', full, full, full],
])('%s', (policy, ...expected) => {
  const targets = ['https://a.test/x', 'https://b.test/x', 'http://a.test/x'];
  expect(targets.map((to) => chooseReferrer({ url: page, policy }, new URL(to)))).toEqual(expected);
});

test.each([4096, 4097])('of an address of %d characters, more than 4096 are too many to be said', (length) => {
  const url = `${origin}${'x'.repeat(length - origin.length)}`;
  const said = chooseReferrer({ url, policy: 'unsafe-url' }, new URL('https://a.test/x'));
  expect(said).toBe(length > 4096 ? origin : url);
});

test('the last policy of an answer that is known counts, and older names only in a page', () => {
  expect(readPolicyOfAnswer(['Referrer-Policy', 'no-referrer, Origin', 'referrer-policy', 'new-one'])).toBe('origin');
  expect(readPolicyOfAnswer(['Referrer-Policy', 'never, __proto__'])).toBeNull();
  expect([readPolicy(' NO-REFERRER '), readPolicy('never'), readPolicy(undefined)]).toEqual([
    'no-referrer',
    null,
    null,
  ]);
  expect(readPolicyOfMeta('never')).toBe('no-referrer');
});

describe('a document', () => {
  const display = { widthPx: 1000, heightPx: 500, scaleRatio: 1 };
  const policiesOf = (html: string) => {
    const policies: string[] = [];
    const objects: DocumentObjects = new DocumentObjects({
      ...{ url: 'https://a.test/', contentType: 'text/html; charset=utf-8', display },
      referrerPolicy: 'origin',
      listener: {
        onWish: (_, { policy }) => policies.push(policy),
        onStyleText: (text) => objects.addStyles(readStyleSheet(text, display)),
        onStyleImage: (_, { url, policy }) => policies.push(`${url} ${policy}`),
        onFont: () => undefined,
      },
    });
    objects.write(Buffer.from(html));
    objects.end();
    objects.addStyles(readStyleSheet('p { background: url(/b) }', display), {
      url: 'https://b.test/s.css',
      policy: 'no-referrer',
    });
    return policies;
  };

  test('has the policy of its answer, until it names another one', () => {
    expect(
      policiesOf('<img src=a><meta name=REFERRER content=same-origin><img src=b><meta name=referrer content=?>'),
    ).toEqual(['origin', 'same-origin']);
  });

  test('may name one for an element, where that has such an attribute', () => {
    const html = `<img referrerpolicy=unsafe-url src=a><script referrerpolicy=no-referrer src=b></script>
      <link rel=stylesheet referrerpolicy=same-origin href=c><iframe referrerpolicy=strict-origin src=d></iframe>
      <img referrerpolicy=? src=e><video referrerpolicy=unsafe-url poster=f>`;
    expect(policiesOf(html)).toEqual(['unsafe-url', 'no-referrer', 'same-origin', 'strict-origin', 'origin', 'origin']);
  });

  test('asks for the images of a style sheet as that sheet says', () => {
    expect(policiesOf('<style>p { background: url(a) }</style><p>x')).toEqual([
      'https://a.test/ origin',
      'https://b.test/s.css no-referrer',
    ]);
  });
});
