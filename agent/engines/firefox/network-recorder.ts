import { ActivityRecorder } from '#core/agent/page-activity/activity-recorder.ts';
import { VisitFailure } from '#core/agent/visit-failure.ts';
import { describeExcess } from '#core/metrics/read-document-failure.ts';
import type { NetworkRequest } from '#core/metrics/snapshot.ts';
import type { PageRecorder } from '../browser/browser-page.ts';
import type { ErrorEvent, RequestEvent, ResponseEvent } from './network-events.ts';
import { beginRecord, describeEnd, describeFailure, describeResponse } from './request-record.ts';

/** Translates the network events of one page, of all its frames and workers. */
export class NetworkRecorder extends ActivityRecorder implements PageRecorder {
  readonly #place: { mainContextId: string; recordsHeaders: boolean };
  readonly #excess = new AbortController();

  constructor(place: { mainContextId: string; recordsHeaders: boolean }) {
    super(place.mainContextId, () => performance.now());
    this.#place = place;
  }

  get excess(): AbortSignal {
    return this.#excess.signal;
  }

  noteRequest(event: RequestEvent): void {
    if (!/^https?:/.test(event.request.url)) return;
    this.apply({
      kind: 'request-began',
      request: beginRecord(event, this.#place),
      place: { frameId: event.context },
    });
  }

  noteResponse(event: ResponseEvent): void {
    const record = this.#recordOf(event);
    if (!record) return;
    const { id, hop } = record;
    const length = event.response.headers.get('content-length');
    this.apply({ kind: 'answer-came', id, hop, fields: describeResponse(record, event) });
    this.#checkLength(record, Number(length ?? 0));
  }

  noteEnd(event: ResponseEvent): void {
    const record = this.#recordOf(event);
    if (!record) return;
    const { id, hop } = record;
    this.apply({ kind: 'request-ended', id, hop, end: describeEnd(record, event) });
    this.#checkLength(record, event.response.bodySize ?? 0);
    if (this.#isReportedAgain(record)) this.apply({ kind: 'request-withdrawn', id, hop });
  }

  noteFailure(event: ErrorEvent): void {
    const record = this.#recordOf(event);
    if (!record) return;
    const { id, hop } = record;
    this.apply({ kind: 'request-ended', id, hop, end: describeFailure(record, event) });
  }

  /** What a second element takes from memory is reported once more, but is the same object. */
  #isReportedAgain({ fromCache, url, id }: NetworkRequest): boolean {
    return fromCache && this.requests.some((other) => other.url === url && other.id !== id);
  }

  #checkLength({ isMainDocument }: NetworkRequest, bytes: number): void {
    const failure = isMainDocument ? describeExcess(bytes) : null;
    if (failure) this.#excess.abort(new VisitFailure(failure.code, failure.detail));
  }

  #recordOf({ request, redirectCount }: Pick<RequestEvent, 'request' | 'redirectCount'>): NetworkRequest | null {
    return this.find(request.request, redirectCount);
  }
}
