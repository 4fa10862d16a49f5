/** Which frames are in which, and which document each shows, as far as the browser has reported it. */
export class FrameTree {
  readonly #parents = new Map<string, string>();
  readonly #shownIds = new Map<string, string>();
  readonly #replacedIds = new Set<string>();

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

  /** Takes away all frames in this one, at any depth, and returns them. The id is null where the browser does not say it. */
  replaceDocument(frameId: string, documentId: string | null): Set<string> {
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
