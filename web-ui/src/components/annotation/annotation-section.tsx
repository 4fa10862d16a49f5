import { Button, Group, Skeleton, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import type { Annotation } from '#core/protocol/api/annotation.ts';
import { NeedsRole } from '../../access/needs-role.tsx';
import { loadPage } from '../load-page.ts';
import { FormDialog } from '../form-dialog.tsx';
import { AnnotationView } from './annotation-view.tsx';

/** Its fields are loaded when they are needed. */
const AnnotationForm = lazy(async () => ({
  default: (await loadPage(() => import('./annotation-form.tsx'))).AnnotationForm,
}));

interface AnnotationSectionProps {
  annotation: Annotation;
  /** Stores it and refreshes what shows it. */
  store: (annotation: Annotation) => Promise<unknown>;
}

/** Tags and note of a Run or an Evaluation, and the way to change them. */
export function AnnotationSection({ annotation: { tags, note }, store }: AnnotationSectionProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const isEmpty = tags.length === 0 && note === '';
  return (
    <Group gap="sm" align="flex-start">
      {!isEmpty && (
        <Stack gap={4}>
          <AnnotationView tags={tags} note={note} />
        </Stack>
      )}
      <div className="no-print">
        <NeedsRole role="evaluator">
          <Button size="compact-sm" variant="subtle" fw={400} px={isEmpty ? 0 : 8} onClick={open}>
            {isEmpty ? 'Add tags or a note' : 'Edit tags and note'}
          </Button>
        </NeedsRole>
      </div>
      <FormDialog title="Tags and note" isOpen={isOpen} onClose={close}>
        <Suspense fallback={<Skeleton height={220} />}>
          <AnnotationForm annotation={{ tags, note }} store={store} onDone={close} />
        </Suspense>
      </FormDialog>
    </Group>
  );
}
