import { z } from 'zod';

/**
 * What a reader should know before believing an interval: a short name and a sentence. Flags never remove a value. When each is raised, and how often it is
 * in simulations, stands in docs/statistics.md.
 */
export const flags = {
  'few-rounds': { label: 'few Rounds', explanation: 'Fewer than 5 Rounds: the interval rests on the values being about normally distributed, which so few cannot show.' },
  constant: { label: 'constant', explanation: 'All values are equal, so the interval has no width: usual for a clock that is too coarse, strange for a network.' },
  skewed: { label: 'skewed', explanation: 'The values have a long tail on one side, and there are too few Rounds for the interval of the mean to be trusted (Cochran’s rule, n > 25·G₁²): prefer the median.' },
  bimodal: { label: 'perhaps two modes', explanation: 'The bimodality coefficient is above 5/9: there may be two kinds of loads, such as hit and miss, whose mean describes neither. Look at the distribution.' },
  autocorrelated: { label: 'autocorrelated', explanation: 'Values follow those of the Rounds before them more than chance explains, so the interval of the mean is too narrow. The reduction, paired by Block, is less affected.' },
  trend: { label: 'trend', explanation: 'Values rise or fall over the Blocks (Mann–Kendall, p < 0.01): the conditions drifted. The reduction, paired by Block, compares what was measured close in time.' },
  censored: { label: 'censored', explanation: 'Some Visits did not load or settle in time. The mean and the median are those of the others, and so too low for all.' },
  'busy-host': { label: 'busy host', explanation: 'A host that measured was busier in some Rounds than in others, or under this Scenario than under the baseline: latencies have in them what programs waited for each other.' },
} as const;
export type Flag = keyof typeof flags;
export const FlagSchema = z.enum(Object.keys(flags) as [Flag, ...Flag[]]);
