import type { FigureChoice } from '#core/evaluation/figures/figure-choice.ts';
import { readChoice, writeChoice } from './choice-address.ts';

/** Which figure of a Comparison is shown: one of those with which its report opens, by its place, or one that was chosen there. */
export type ShownFigure = { kind: 'declared'; index: number } | { kind: 'own'; choice: FigureChoice };

const key = 'figure';

export function readShownFigure(search: URLSearchParams): ShownFigure {
  const choice = readChoice(search);
  if (choice) return { kind: 'own', choice };
  const place = /^\d{1,2}$/.exec(search.get(key) ?? '')?.[0];
  return { kind: 'declared', index: place === undefined ? 0 : Math.max(0, Number(place) - 1) };
}

/** The first figure needs no address. */
export function writeShownFigure(search: URLSearchParams, figure: ShownFigure): void {
  writeChoice(search, figure.kind === 'own' ? figure.choice : null);
  if (figure.kind === 'declared' && figure.index > 0) search.set(key, String(figure.index + 1));
}
