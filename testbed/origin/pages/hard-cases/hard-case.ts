import type { Counts } from '../../object-query.ts';

/** An object of the page of hard cases. */
export interface HardObject {
  /** Which latencies count it, regardless of any probe. */
  counts: Counts;
  /** How long its answer is held back; the delays set the classes of objects apart. */
  delayMs: number;
  /** Where it is; a document that the case itself holds is found under its own name. */
  path?: string;
  /** On the foreign origin. */
  isForeign?: boolean;
}

type UrlOf<Name extends string> = (name: Name) => string;

/** A frame's or a style sheet's content. */
export interface HardDocument<Name extends string> {
  type: 'text/html; charset=utf-8' | 'text/css; charset=utf-8';
  render: (urlOf: UrlOf<Name>) => string;
}

/** One thing that a probe may get wrong: the objects that show it, and what they need in the page. */
export interface HardCase<Name extends string = string> {
  objects: Record<Name, HardObject>;
  documents?: Partial<Record<Name, HardDocument<Name>>>;
  /** For the head, for the part within every viewport, and for the part below any viewport. */
  render: (urlOf: UrlOf<Name>) => { head?: string; top?: string; below?: string };
}

/** Lets the compiler hold the names in a case to one another. */
export function defineHardCase<Name extends string>(
  hardCase: HardCase<Name> & { documents?: Partial<Record<NoInfer<Name>, HardDocument<NoInfer<Name>>>> },
): HardCase {
  return hardCase;
}

export function renderImage(url: string, attributes = ''): string {
  return `<img src="${url}" width=60 height=60 alt="" ${attributes}>`;
}

/** Each case takes numbers of its own, so that no two objects are the same image. */
export function imagePath(n: number): string {
  return `/image/${n}.jpg`;
}
