import { Anchor, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { studiesQuery } from '../../api/queries.ts';
import { QueryContent } from '../../components/query-content.tsx';
import { RowsSkeleton } from '../../components/rows-skeleton.tsx';
import { StudyCard } from './study-card.tsx';

/** About as much as the cards take. */
const placeOfCards = <RowsSkeleton rows={15} heightPx={150} />;

/** The studies that come with HTTP-AE, each to start an Evaluation from. */
export function StudyList({ onChoose }: { onChoose: (yaml: string) => void }) {
  const query = useQuery(studiesQuery);
  return (
    <Stack component="section" gap="xs" maw={820} mt={32}>
      <Title order={2}>Or start from a study</Title>
      <Text size="sm" c="dimmed">
        Case studies of the papers. They need a testbed with an origin.{' '}
        <Anchor component={Link} to="/help/studies/README" size="sm" underline="always">
          One command runs a whole study
        </Anchor>
      </Text>
      <QueryContent query={query} what="The studies" skeleton={placeOfCards}>
        {(studies) => (
          <Stack gap="xs">
            {studies.map((study) => (
              <StudyCard key={study.name} study={study} onChoose={onChoose} />
            ))}
          </Stack>
        )}
      </QueryContent>
    </Stack>
  );
}
