import { filmstripLimits } from '#core/protocol/filmstrip.ts';

/** A picture of the viewport as the browser sends it. */
export interface FilmFrame {
  shownEpochMs: number;
  base64: string;
}

/**
 * Chooses the frames of a filmstrip while they come: the first of each look. Where there is no room for all, those that were shown for the shortest times are
 * left out, as of an animation, never the first or the last. It decodes nothing: the page is loading.
 */
export class FrameChoice {
  leftOut = 0;
  readonly #frames: FilmFrame[] = [];
  readonly #limits: { frames: number; bytes: number };
  #bytes = 0;

  constructor(limits = filmstripLimits) {
    this.#limits = limits;
  }

  get frames(): readonly FilmFrame[] {
    return this.#frames;
  }

  /** Frames that are near in time come in any order: the browser makes pictures of several at once. */
  add(frame: FilmFrame): void {
    const place = this.#frames.findLastIndex(({ shownEpochMs }) => shownEpochMs <= frame.shownEpochMs) + 1;
    const [before, after] = [this.#frames[place - 1], this.#frames[place]];
    if (before?.base64 === frame.base64) return;
    if (after?.base64 === frame.base64) this.#frames[place] = frame;
    else {
      this.#frames.splice(place, 0, frame);
      this.#bytes += countBytes(frame);
    }
    while (this.#frames.length > 1 && (this.#frames.length > this.#limits.frames || this.#bytes > this.#limits.bytes))
      this.#leaveOut();
  }

  /** What came until now is one look: the one that is there. */
  begin(): void {
    this.#frames.splice(0, this.#frames.length - 1);
    this.#bytes = this.#frames.reduce((sum, frame) => sum + countBytes(frame), 0);
    this.leftOut = 0;
  }

  #leaveOut(): void {
    const index = this.#findShortest();
    this.#remove(index);
    this.leftOut++;
    // What it parted was one look.
    if (index > 0 && this.#frames[index - 1]!.base64 === this.#frames[index]!.base64) this.#remove(index);
  }

  #remove(index: number): void {
    const [removed] = this.#frames.splice(index, 1);
    this.#bytes -= countBytes(removed!);
  }

  /** The position of the look between the first and the last that was shown for the shortest time; that of the first where there is none between. */
  #findShortest(): number {
    let [shortest, leastMs] = [0, Infinity];
    for (let index = 1; index < this.#frames.length - 1; index++) {
      const shownForMs = this.#frames[index + 1]!.shownEpochMs - this.#frames[index]!.shownEpochMs;
      if (shownForMs < leastMs) [shortest, leastMs] = [index, shownForMs];
    }
    return shortest;
  }
}

function countBytes({ base64 }: FilmFrame): number {
  return Buffer.byteLength(base64, 'base64');
}
