import type { NetworkRequest } from '#core/metrics/snapshot.ts';

/**
 * Firefox asks whether a picture that an earlier document showed is still right, as on a page that reloads itself, or the next of a journey. It names no element for it, as for an icon. Within one
 * document, it does not ask.
 */
export class ShownPictures {
  #documentCount = 0;
  /** By address: the document that showed it last. */
  readonly #lastShown = new Map<string, number>();

  /** Of each request as it begins: calls that for what an earlier document showed no icon. */
  note(request: NetworkRequest): void {
    const { isMainDocument, hop, url } = request;
    if (isMainDocument && hop === 0) this.#documentCount++;
    if (request.type === 'icon' && this.#isOfEarlierDocument(url)) request.type = 'image';
    if (request.type === 'image') this.#lastShown.set(url, this.#documentCount);
  }

  #isOfEarlierDocument(url: string): boolean {
    const shown = this.#lastShown.get(url);
    return shown !== undefined && shown < this.#documentCount;
  }
}
