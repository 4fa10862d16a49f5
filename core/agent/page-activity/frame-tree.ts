/** Which frames are in which, and which document each shows, as far as the browser has reported it. */
export class FrameTree {
  readonly #parents = new Map<string, string>();
  readonly #shownIds = new Map<string, string>();
  readonly #replacedIds = new Set<string>();
  readonly #viewerIds = new Set<string>();

  /** Without the page itself. */
  get size(): number {
    return this.#parents.size;
  }

  add(frameId: string, parentFrameId: string): void {
    this.#parents.set(frameId, parentFrameId);
  }

  /** Whether the document was shown, and another is in its place, or nothing. */
  isReplaced(documentId: string | null): boolean {
    return documentId !== null && this.#replacedIds.has(documentId);
  }

  /** Whether a document with an id came into the frame. */
  hasShown(frameId: string): boolean {
    return this.#shownIds.has(frameId);
  }

  /** Whether it is in a frame in which the browser shows something by a program of its own, as a PDF: that is no part of the page. */
  isInViewer(frameId: string | null): boolean {
    const parentId = frameId === null ? undefined : this.#parents.get(frameId);
    return parentId !== undefined && (this.#viewerIds.has(parentId) || this.isInViewer(parentId));
  }

  /** Takes away all frames in this one, at any depth, and returns them. The id is null where the browser does not say it. */
  replaceDocument(frameId: string, documentId: string | null, url: string): Set<string> {
    if (isOfViewer(url)) this.#viewerIds.add(frameId);
    else this.#viewerIds.delete(frameId);
    const below = this.#removeBelow(frameId);
    this.#forgetDocument(frameId);
    if (documentId !== null) {
      this.#shownIds.set(frameId, documentId);
      // It may be shown again.
      this.#replacedIds.delete(documentId);
    }
    return below;
  }

  /** Takes the frame away with all in it, at any depth, and returns them. */
  remove(frameId: string): Set<string> {
    const gone = this.#removeBelow(frameId).add(frameId);
    this.#parents.delete(frameId);
    this.#forgetDocument(frameId);
    return gone;
  }

  #removeBelow(frameId: string): Set<string> {
    const below = new Set<string>();
    const collect = (parentId: string): void => {
      for (const [childId, itsParentId] of this.#parents) {
        if (itsParentId !== parentId || below.has(childId)) continue;
        below.add(childId);
        collect(childId);
      }
    };
    collect(frameId);
    for (const childId of below) {
      this.#parents.delete(childId);
      this.#forgetDocument(childId);
    }
    return below;
  }

  #forgetDocument(frameId: string): void {
    const shownId = this.#shownIds.get(frameId);
    if (shownId !== undefined) this.#replacedIds.add(shownId);
    this.#shownIds.delete(frameId);
  }
}

/** Of Chrome. That of Firefox has one process and one document with what it shows. */
export function isOfViewer(url: string): boolean {
  return url.startsWith('chrome-extension:');
}
