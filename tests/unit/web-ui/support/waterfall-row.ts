import type { WaterfallRow } from '#web-ui/src/waterfall/build-waterfall.ts';

export const rowOrigin = 'http://origin.test';

let made = 0;

/** An image of `rowOrigin` that took 10 ms over HTTP/1.1, but for `change`. */
export function waterfallRow(path: string, change: Partial<WaterfallRow> = {}): WaterfallRow {
  return {
    key: String(made++),
    url: `${rowOrigin}${path}`,
    type: 'image',
    startMs: 0,
    endMs: 10,
    phases: [],
    viewportNeed: null,
    frameUrl: null,
    failure: null,
    status: 200,
    protocol: 'http/1.1',
    fromCache: false,
    connection: 1,
    serverAddress: null,
    initiatorUrl: null,
    receivedBytes: 10_000,
    decodedBytes: 9000,
    ...change,
  };
}
