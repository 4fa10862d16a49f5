import { readDocumentFailure } from '../../metrics/page-failure.ts';
import type { FrameSnapshot } from '../../metrics/frame-snapshot.ts';
import type { NetworkRequest } from '../../metrics/network-request.ts';
import { VisitFailure } from '../visit-failure.ts';
import type { PageDocument } from './page-documents.ts';

interface Recorder {
  readonly documents: readonly PageDocument[];
  readonly mainDocument: NetworkRequest | null;
}

/** Throws a VisitFailure where the page led itself to something that is no page of the web. One that did not come has a failure of its own. */
export function requireWebPage({ documents, mainDocument }: Recorder): void {
  const url = documents.at(-1)?.url;
  if (url === undefined || /^https?:/.test(url) || readDocumentFailure(mainDocument) !== null) return;
  throw new VisitFailure('unsupported-content', `The page led itself to ${shorten(url)}, which is no page of the web`);
}

/**
 * Throws a VisitFailure where the page was left while it was read out: the requests would be of one document and the frames of another. `documentCount`: how many documents there had been when its
 * requests were taken.
 */
export function requireOnePage(
  { documents }: Recorder,
  {
    documentCount,
    frames,
    takenEpochMs,
  }: { documentCount: number; frames: readonly FrameSnapshot[]; takenEpochMs: number },
): void {
  const main = frames.find(({ path }) => path.length === 0);
  const isLater = main !== undefined && main.timeOrigin > takenEpochMs;
  if (documents.length <= documentCount && !isLater) return;
  const [from, to] = [documents[documentCount - 1]?.url, documents.at(-1)?.url ?? main?.url];
  throw new VisitFailure(
    'navigated-away',
    `The page ${shorten(from ?? '')} left for ${shorten((isLater ? main.url : to) ?? '')} while it was read out`,
  );
}

/** Chrome answers nothing about a page that is about to leave. */
export function explainLeaving({ documents }: Pick<Recorder, 'documents'>): VisitFailure {
  return new VisitFailure(
    'navigated-away',
    `The page ${shorten(documents.at(-1)?.url ?? '')} was leaving for another, which had not come, while it was read out`,
  );
}

function shorten(url: string): string {
  return url.length > 1000 ? `${url.slice(0, 1000)}…` : url;
}
