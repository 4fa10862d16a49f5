import { maximumUrlCharacters, type NetworkRequest } from './snapshot.ts';

type Known = Pick<NetworkRequest, 'id' | 'hop' | 'url' | 'type' | 'isMainDocument' | 'startEpochMs' | 'exchange'> &
  Partial<Pick<NetworkRequest, 'isRenderBlocking' | 'initiatorUrl'>>;

/** A request that has begun, of which nothing more is known. A page chooses its addresses as it likes: they are cut to what a Snapshot takes. */
export function beginRequest({ url, initiatorUrl = null, isRenderBlocking = null, ...known }: Known): NetworkRequest {
  return {
    ...known,
    url: url.slice(0, maximumUrlCharacters),
    isRenderBlocking,
    initiatorUrl: initiatorUrl?.slice(0, maximumUrlCharacters) ?? null,
    sentEpochMs: null,
    responseEpochMs: null,
    endEpochMs: null,
    failure: null,
    status: null,
    protocol: null,
    connectionId: null,
    fromCache: false,
    receivedBytes: null,
    decodedBytes: null,
  };
}
