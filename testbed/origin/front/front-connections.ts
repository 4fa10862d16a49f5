import type { ConnectionTruth, TruthRecorder } from '../truth-log.ts';
import type { FrontedRequest } from './front-headers.ts';

const capacity = 50_000;

/** The connections to the front, as far as its requests show them. */
export class FrontConnections {
  readonly #recorder: Pick<TruthRecorder, 'addConnection'>;
  /** Oldest first. */
  readonly #known = new Map<string, ConnectionTruth>();

  constructor(recorder: Pick<TruthRecorder, 'addConnection'>) {
    this.#recorder = recorder;
  }

  of({ listener, protocol, client, tls }: FrontedRequest): ConnectionTruth {
    const key = `${listener} ${protocol} ${client.address} ${client.port}`;
    const known = this.#known.get(key);
    if (known) return known;
    const added = this.#recorder.addConnection({ listener, openedEpochMs: null, closedEpochMs: null, tls });
    this.#known.set(key, added);
    if (this.#known.size > capacity) this.#known.delete(this.#known.keys().next().value!);
    return added;
  }
}
