import { z } from 'zod';

/**
 * What a reader should know before trusting an interval: a short name and an explanation. Flags never remove a value.
 * docs/statistics.md says when each is raised, and how often it is in simulations.
 */
export const flags = {
  'few-rounds': {
    label: 'few Rounds',
    explanation:
      'There are fewer than 5 Rounds. The interval assumes values that are about normally distributed. Fewer than 5 cannot show that.',
  },
  constant: {
    label: 'constant',
    explanation:
      'All values are equal, so the interval has no width. This is usual with a clock that is too coarse, and strange for a network.',
  },
  skewed: {
    label: 'skewed',
    explanation:
      'The values have a long tail on one side. There are too few Rounds to trust the interval of the mean (Cochran’s rule, n > 25·G₁²). Use the median.',
  },
  bimodal: {
    label: 'perhaps two modes',
    explanation:
      'The bimodality coefficient is above 5/9. There may be two kinds of loads, such as hit and miss, and the mean describes neither. Look at the distribution.',
  },
  autocorrelated: {
    label: 'autocorrelated',
    explanation:
      'Values depend on those of earlier Rounds more than chance explains. The interval of the mean is therefore too narrow. The reduction, paired by Block, is less affected.',
  },
  trend: {
    label: 'trend',
    explanation:
      'Values rise or fall over the Blocks (Mann–Kendall, p < 0.01): the conditions drifted. The reduction, paired by Block, compares values measured close in time.',
  },
  censored: {
    label: 'censored',
    explanation:
      'Some Visits did not load or settle in time. The mean and the median cover only the others, so they are too low.',
  },
  'busy-host': {
    label: 'busy host',
    explanation:
      'A measuring host was not equally busy in all Rounds, or not as busy as under the baseline, or busy throughout. Run again when nothing else uses the host.',
  },
} as const;
export type Flag = keyof typeof flags;
export const FlagSchema = z.enum(Object.keys(flags) as [Flag, ...Flag[]]);
