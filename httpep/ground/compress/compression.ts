import type { Coding } from '../../exchange/body-coder.ts';
import { findHeader } from '#core/http1/header-list.ts';
import type { OriginAnswer } from '../origin-request.ts';

const text =
  /^(text\/|image\/svg\+xml|image\/bmp|application\/(.*\+)?(json|xml|javascript|ecmascript|manifest)\b|font\/(ttf|otf))/i;

export const imageFormats = ['jpeg', 'webp'] as const;
export type ImageFormat = (typeof imageFormats)[number];

export interface Compression {
  /** How text is compressed in the tunnel, without a loss; null for not at all. */
  text: Coding | null;
  /** What images become, with a loss; null for what they are. */
  images: { format: ImageFormat; /** 1 to 100. */ quality: number } | null;
}

/** Places that users share. One user alone has two thirds of them at most, and each finds one while any is free. */
export class SharedPlaces {
  readonly #ofUsers = new Map<string, number>();
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** A place, to be disposed of once; null where the user has twice as many as are free. */
  take(user: string): Disposable | null {
    const own = this.#ofUsers.get(user) ?? 0;
    if (own >= 2 * this.#free) return null;
    this.#add(user, 1);
    return { [Symbol.dispose]: () => this.#add(user, -1) };
  }

  #add(user: string, count: 1 | -1): void {
    const own = (this.#ofUsers.get(user) ?? 0) + count;
    if (own === 0) this.#ofUsers.delete(user);
    else this.#ofUsers.set(user, own);
    this.#free -= count;
  }
}

/** Whether an answer becomes shorter by compression: its type says so, and the web server has not compressed it. */
export function isText({ headers }: OriginAnswer): boolean {
  const coding = findHeader(headers, 'content-encoding')?.trim().toLowerCase() ?? 'identity';
  return coding === 'identity' && text.test(findHeader(headers, 'content-type') ?? '');
}
