import { Container } from '@mantine/core';
import { RowsSkeleton } from '../components/rows-skeleton.tsx';

/** What stands in the window until the first page's code has come. */
export function PageLoading() {
  return (
    <Container size={1240} pt={96}>
      <RowsSkeleton />
    </Container>
  );
}
