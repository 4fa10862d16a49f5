/** Which frames are in which, as far as the browser has reported it. */
export class FrameTree {
  readonly #parents = new Map<string, string>();

  /** Without the page itself. */
  get size(): number {
    return this.#parents.size;
  }

  add(frameId: string, parentFrameId: string): void {
    this.#parents.set(frameId, parentFrameId);
  }

  remove(frameId: string): void {
    this.#parents.delete(frameId);
  }

  /** Takes away all frames in this one, at any depth, and returns them. */
  removeBelow(frameId: string): Set<string> {
    const below = new Set<string>();
    const collect = (parentId: string): void => {
      for (const [childId, itsParentId] of this.#parents) {
        if (itsParentId !== parentId || below.has(childId)) continue;
        below.add(childId);
        collect(childId);
      }
    };
    collect(frameId);
    for (const childId of below) this.#parents.delete(childId);
    return below;
  }
}
