import { Button, Group, Image, Paper, Select, Stack, Text, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { StudySummary } from '#core/protocol/api/studies.ts';
import { studyHash, studyPicture } from '../../api/study-requests.ts';

/** A study with its picture; one of its parts becomes the draft of an Evaluation. */
export function StudyCard({ study, onChoose }: { study: StudySummary; onChoose: (yaml: string) => void }) {
  const { name, title, summary, papers, parts } = study;
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
