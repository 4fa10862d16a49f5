import { FigureChoiceSchema } from '../../../core/evaluation/figures/figure-choice.ts';
import { completeChoice, type CompleteChoice } from './complete-choice.ts';
import type { FigureDesign } from '../../../core/figures/figure-design.ts';

/** The figures with which a report opens: those that the Evaluation declares, or the one that fits its design. */
export function firstChoices(design: FigureDesign): CompleteChoice[] {
  const declared = design.figures.map((figure) => completeChoice(design, figure));
  return declared.length > 0 ? declared : [chooseByDesign(design)];
}

/** The primary metric by what is varied: a line where that is a number, bars of Scenarios where nothing is. */
export function chooseByDesign(design: FigureDesign): CompleteChoice {
  const choice = completeChoice(design, FigureChoiceSchema.parse({}));
  return choice.x === 'scenario' ? { ...choice, kind: 'bars' } : choice;
}
