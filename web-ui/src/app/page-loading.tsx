import { Container } from '@mantine/core';
import { RowsSkeleton } from '../components/rows-skeleton.tsx';

/** Shown until the code of the first page is loaded. */
export function PageLoading() {
  return (
    <Container size={1240} pt={96}>
      <RowsSkeleton />
    </Container>
  );
}
