import { Anchor, Button, Group, Image, Paper, Select, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import type { StudySummary } from '#core/protocol/api/studies.ts';
import { studiesQuery, studyHash, studyPicture } from '../../api/queries.ts';
import { QueryContent } from '../../components/query-content.tsx';
import { RowsSkeleton } from '../../components/rows-skeleton.tsx';
import { formatNumber } from '../../format/format-numbers.ts';
import classes from './study-list.module.css';

/** The studies that come with HTTP-AE, each to start an Evaluation from; folded, as most people come with pages of their own. */
export function StudyList({ onChoose }: { onChoose: (yaml: string) => void }) {
  const query = useQuery(studiesQuery);
  const { hash } = useLocation();
  // A link leads to one of them.
  const [isOpen, setIsOpen] = useState(hash.startsWith(studyHash('')));
  return (
    <Stack component="section" gap="xs" maw={820}>
      <Title order={2}>Or start from a study</Title>
      <QueryContent query={query} what="The studies" skeleton={<RowsSkeleton rows={1} />}>
        {(studies) => (
          <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
            <summary className={classes.summary}>{describeStudies(studies)}</summary>
            {isOpen && <Studies studies={studies} onChoose={onChoose} />}
          </details>
        )}
      </QueryContent>
    </Stack>
  );
}

/** How many there are, and how many of them this machine can run; where all the others have one reason, why not. */
export function describeStudies(studies: readonly Pick<StudySummary, 'obstacle'>[]): string {
  const obstacles = studies.flatMap(({ obstacle }) => obstacle ?? []);
  const able = studies.length - obstacles.length;
  const count = obstacles.length === 0 ? 'all' : formatNumber(able);
  const reasons = [...new Set(obstacles)];
  const reason = reasons.length === 1 ? ` Of the others: ${reasons[0]!}.` : '';
  return `${formatNumber(studies.length)} case studies of the papers. This machine can run ${count} of them.${reason}`;
}

function Studies({ studies, onChoose }: { studies: StudySummary[]; onChoose: (yaml: string) => void }) {
  return (
    <Stack gap="xs" mt="xs">
      <Text size="sm" c="dimmed">
        A draft from one needs a connected testbed with an origin.{' '}
        <Anchor component={Link} to="/help/studies/README" size="sm" underline="always">
          One command runs a whole study
        </Anchor>
      </Text>
      {studies.map((study) => (
        <StudyCard key={study.name} study={study} onChoose={onChoose} />
      ))}
    </Stack>
  );
}

/** A study with its picture; one of its parts becomes the draft of an Evaluation. */
function StudyCard({ study, onChoose }: { study: StudySummary; onChoose: (yaml: string) => void }) {
  const { name, title, summary, papers, parts, obstacle } = study;
  const [chosen, setChosen] = useState(parts[0]!.name);
  const { hash } = useLocation();
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (hash === studyHash(name)) card.current?.scrollIntoView();
  }, [hash, name]);
  const part = parts.find((each) => each.name === chosen)!;
  return (
    <Paper withBorder p="sm" ref={card}>
      <Group align="flex-start" wrap="nowrap">
        <Image src={studyPicture(name)} alt="" w={128} h={72} radius="sm" visibleFrom="xs" />
        <Stack gap={6} flex={1}>
          <Title order={3} size="h4">
            {title}
          </Title>
          <Text size="sm">{summary}</Text>
          <Text size="sm" c="dimmed">
            {papers.map((paper) => `${paper.name}, ${paper.figures}`).join('; ')}
            {obstacle !== null && `. Not on this machine: ${obstacle}`}
          </Text>
          <Group gap="xs">
            <Select
              aria-label={`Part of ${name}`}
              size="xs"
              w={240}
              data={parts.map((each) => ({ value: each.name, label: `${each.name}, about ${each.minutes} min` }))}
              value={chosen}
              onChange={(value) => value && setChosen(value)}
              allowDeselect={false}
            />
            <Button size="xs" variant="default" onClick={() => onChoose(part.evaluation)}>
              Create draft from this part
            </Button>
          </Group>
        </Stack>
      </Group>
    </Paper>
  );
}
