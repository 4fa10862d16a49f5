import type { ReactNode } from 'react';
import { catalogue, type MetricId } from '#core/metrics/catalogue.ts';
import { Defined } from './defined.tsx';
import { glossary, type GlossaryEntry } from './glossary.ts';

type TermProps = { of: GlossaryEntry; children: ReactNode } | { metric: MetricId; children?: ReactNode };

/** A word of the vocabulary with its definition one hover (or focus) away. */
export function Term(props: TermProps) {
  const definition = 'metric' in props ? catalogue[props.metric].definition : glossary[props.of];
  const word = 'metric' in props ? (props.children ?? catalogue[props.metric].label) : props.children;
  return <Defined definition={definition}>{word}</Defined>;
}
