import { expect, test } from 'vitest';
import { hasFailed, outcomeOf } from '#core/metrics/request-outcome.ts';
import type { NetworkRequest } from '#core/metrics/network-request.ts';

type Ended = Pick<NetworkRequest, 'failure' | 'status' | 'type' | 'endedBy'>;

/** What Chrome 156 and Firefox 153 report of each, and the extension in both (puppeteer/puppeteer#1879, puppeteer/puppeteer#11297). */
const cases: [string, boolean, Partial<Ended>[]][] = [
  ['an answer of 200', false, [{ status: 200 }]],
  ['a status of 404', true, [{ status: 404 }]],
  ['a password request', true, [{ status: 401 }]],
  [
    'a frame that is answered by 204',
    false,
    [
      { type: 'document', status: 204, failure: 'net::ERR_ABORTED' },
      { type: 'document', status: 204, failure: 'NS_BINDING_ABORTED' },
      { type: 'document', status: 204 },
    ],
  ],
  ['a download in a frame', false, [{ type: 'document', status: 200, failure: 'net::ERR_ABORTED' }]],
  [
    'a frame that its header forbids',
    false,
    [
      { type: 'document', status: 200, failure: 'net::ERR_BLOCKED_BY_RESPONSE (other)' },
      { type: 'document', status: 200, failure: 'net::ERR_BLOCKED_BY_RESPONSE' },
      { type: 'document', status: 200, failure: 'NS_ERROR_XFO_VIOLATION' },
      { type: 'document', status: 200, failure: 'NS_ERROR_CSP_FRAME_ANCESTOR_VIOLATION' },
    ],
  ],
  [
    'an image that CORP withholds',
    true,
    [
      { type: 'image', status: 200, failure: 'net::ERR_BLOCKED_BY_RESPONSE.NotSameOrigin (corp-not-same-origin)' },
      { type: 'image', status: 200, failure: 'net::ERR_BLOCKED_BY_RESPONSE' },
      { type: 'image', status: 200, failure: 'NS_ERROR_DOM_CORP_FAILED' },
    ],
  ],
  [
    'an answer that a script may not read',
    false,
    [{ status: 200, failure: 'net::ERR_FAILED (cors)' }, { failure: 'net::ERR_FAILED (cors)' }, { status: 200 }],
  ],
  [
    'a request that the answer to its preflight refuses',
    false,
    [{ failure: 'net::ERR_FAILED (cors)' }, { failure: 'NS_ERROR_DOM_BAD_URI' }],
  ],
  [
    'a redirect that CORS does not let a script follow',
    false,
    [
      { failure: 'net::ERR_FAILED (cors)' },
      { failure: 'NS_ERROR_UNEXPECTED' },
      { status: 0, failure: 'NS_ERROR_UNEXPECTED' },
      { status: 0, failure: 'NS_ERROR_NET_ON_RECEIVING_FROM' },
    ],
  ],
  [
    'an error status that a script may not read',
    true,
    [{ status: 500, failure: 'net::ERR_FAILED (cors)' }, { status: 500 }],
  ],
  [
    'a page of such an error',
    true,
    [
      { type: 'document', failure: 'NS_ERROR_UNEXPECTED' },
      { type: 'document', failure: 'net::ERR_FAILED' },
    ],
  ],
  [
    'a redirect that a policy of the page forbids to follow, or its script',
    false,
    [
      { type: 'image', status: 302, failure: ' (csp)' },
      { status: 302, failure: 'net::ERR_FAILED' },
      { type: 'image', status: 302, failure: 'NS_ERROR_DOM_BAD_URI' },
      { status: 302 },
    ],
  ],
  [
    'what a service worker fails to answer',
    true,
    [
      { type: 'image', failure: 'net::ERR_FAILED' },
      { failure: 'net::ERR_FAILED' },
      { type: 'image', failure: 'NS_ERROR_INTERCEPTION_FAILED' },
    ],
  ],
  [
    'a script that names itself HTML, and is not run',
    false,
    [
      { type: 'script', status: 200, failure: 'net::ERR_ABORTED' },
      { type: 'script', status: 200, failure: 'NS_ERROR_CORRUPTED_CONTENT' },
      { type: 'style-sheet', status: 200, failure: 'NS_ERROR_CORRUPTED_CONTENT' },
    ],
  ],
  ['an image that comes damaged', true, [{ type: 'image', status: 200, failure: 'NS_ERROR_CORRUPTED_CONTENT' }]],
  [
    'what the page gave up',
    false,
    [
      { failure: 'net::ERR_ABORTED' },
      { failure: 'NS_BINDING_ABORTED' },
      { status: 200, failure: 'NS_BASE_STREAM_CLOSED' },
      { endedBy: 'document-replaced' },
      { endedBy: 'target-gone', failure: 'The frame or worker went away' },
    ],
  ],
  [
    'a connection that is reset, before the answer or in it',
    true,
    [
      { failure: 'net::ERR_CONNECTION_RESET' },
      { status: 200, failure: 'net::ERR_CONNECTION_RESET' },
      { status: 200, failure: 'NS_ERROR_NET_RESET' },
    ],
  ],
  [
    'a name that does not exist',
    true,
    [{ failure: 'net::ERR_NAME_NOT_RESOLVED' }, { failure: 'NS_ERROR_UNKNOWN_HOST' }],
  ],
];

test.each(cases)('%s is a failed object: %s, in all engines', (_, isFailed, reports) => {
  for (const report of reports)
    expect(hasFailed({ type: 'fetch', status: null, failure: null, ...report }), JSON.stringify(report)).toBe(isFailed);
});

test('a frame that Firefox gave up before it was sent is no object', () => {
  expect(outcomeOf({ type: 'document', status: null, failure: 'NS_BINDING_ABORTED (not sent)' })).toBe('never-sent');
});

test.each([
  ' (csp)',
  ' (mixed-content)',
  'net::ERR_BLOCKED_BY_CLIENT',
  'net::ERR_UNSAFE_PORT',
  'connection-failed: No browser loads anything from port 9',
])('what the browser forbids before it asks for it is no object: %s', (failure) => {
  expect(outcomeOf({ type: 'image', status: null, failure })).toBe('never-sent');
});
