import { Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { catalogue, type MetricId } from '#core/metrics/catalogue.ts';
import { glossary, type GlossaryEntry } from './glossary.ts';
import classes from './term.module.css';

type TermProps = { of: GlossaryEntry; children: ReactNode } | { metric: MetricId; children?: ReactNode };

/** A word of the vocabulary with its definition one hover (or focus) away. */
export function Term(props: TermProps) {
  const definition = 'metric' in props ? catalogue[props.metric].definition : glossary[props.of];
  const word = 'metric' in props ? (props.children ?? catalogue[props.metric].label) : props.children;
  return (
    <Tooltip label={definition}>
      <span className={classes.term} tabIndex={0}>
        {word}
      </span>
    </Tooltip>
  );
}
