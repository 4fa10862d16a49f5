import type { NetworkRequest } from '#core/metrics/network-request.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import { makeSnapshot } from './make-snapshot.ts';

interface Page {
  url: string;
  totalMs: number;
}

/** A page of a document and `images`, fetched over six connections one after another, the last one at `totalMs`; the first few are in the viewport, one is missing. */
export function makePageSnapshot({ url, totalMs }: Page, images: number): Snapshot {
  const baseMs = totalMs / 4;
  const page = makeSnapshot({ url, totalMs: baseMs });
  const main = page.frames[0]!;
  const at = (ms: number) => main.timeOrigin + ms;
  const stepMs = (totalMs - baseMs) / Math.ceil(images / 6);

  const document: NetworkRequest = {
    ...shared,
    id: 'document',
    url,
    type: 'document',
    isMainDocument: true,
    connectionId: 'c0',
    status: 200,
    receivedBytes: 700,
    decodedBytes: 400,
    startEpochMs: at(0),
    sentEpochMs: at(5),
    responseEpochMs: at(baseMs - 10),
    endEpochMs: at(baseMs),
    exchange: { ...commonExchange, phases: { dns: [at(1), at(2)], connect: [at(2), at(4)], tls: null, send: null } },
  };
  const objects = Array.from({ length: images }, (_, index): NetworkRequest => {
    const startMs = baseMs + Math.floor(index / 6) * stepMs;
    const isFirst = index > 0 && index < 6;
    return {
      ...shared,
      id: `image-${index}`,
      url: imageUrl(url, index),
      connectionId: `c${index % 6}`,
      status: index === 3 ? 404 : 200,
      receivedBytes: 4000 + 37 * index,
      decodedBytes: 3800 + 37 * index,
      startEpochMs: at(startMs),
      sentEpochMs: at(startMs + 0.3 * stepMs),
      responseEpochMs: at(startMs + 0.7 * stepMs),
      endEpochMs: at(startMs + stepMs),
      exchange: {
        ...commonExchange,
        phases: {
          dns: null,
          connect: isFirst ? [at(startMs + 0.05 * stepMs), at(startMs + 0.28 * stepMs)] : null,
          tls: isFirst ? [at(startMs + 0.15 * stepMs), at(startMs + 0.28 * stepMs)] : null,
          send: null,
        },
      },
    };
  });
  const viewportNeeds = objects.slice(0, 4).map((object) => ({
    kind: 'image' as const,
    url: object.url,
    areaPx: 5000,
    elementEventMs: null,
    failed: false,
    pending: false,
    frameIndex: null,
  }));
  return {
    ...page,
    takenEpochMs: at(totalMs + 600),
    frames: [
      {
        ...main,
        viewportNeeds,
        firstContentfulPaintMs: baseMs * 1.2,
        largestContentfulPaintMs: baseMs * 1.7,
        navigation: { ...main.navigation!, loadEventStart: totalMs, loadEventEnd: totalMs },
      },
    ],
    requests: [document, ...objects],
  };
}

const imageUrl = (pageUrl: string, index: number) => new URL(`/images/${index}.png?<b>=${index}`, pageUrl).href;

const shared = {
  hop: 0,
  type: 'image',
  isMainDocument: false,
  isRenderBlocking: null,
  initiatorUrl: null,
  failure: null,
  protocol: 'http/1.1',
  fromCache: false,
} as const satisfies Partial<NetworkRequest>;

const commonExchange = {
  method: 'GET',
  statusText: 'OK',
  mimeType: null,
  serverAddress: '192.0.2.7',
  headers: null,
} as const;
