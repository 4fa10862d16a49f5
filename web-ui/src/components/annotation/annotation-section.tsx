import { Button, Group, Skeleton, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import type { Annotation, RunAnnotation } from '#core/protocol/api/annotation.ts';
import type { RunLabels } from '#core/protocol/api/run-labels.ts';
import { NeedsRole } from '../../access/needs-role.tsx';
import { loadPage } from '../../api/load-page.ts';
import { FormDialog } from '../form-dialog.tsx';
import { AnnotationView } from './annotation-view.tsx';

/** Its fields are loaded when they are needed. */
const AnnotationForm = lazy(async () => ({
  default: (await loadPage(() => import('./annotation-form.tsx'))).AnnotationForm,
}));

interface AnnotationSectionProps {
  annotation: Annotation;
  /** Of a Run; an Evaluation has none. */
  labels?: RunLabels;
  /** Stores it and refreshes what shows it. */
  store: (annotation: RunAnnotation) => Promise<unknown>;
}

/** Tags, note and labels of a Run, or tags and note of an Evaluation, and the way to change them. */
export function AnnotationSection({ annotation: { tags, note }, labels, store }: AnnotationSectionProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const hasLabels = Object.keys(labels ?? {}).length > 0;
  const invitation = labels ? 'Add tags, labels or a note' : 'Add tags or a note';
  const what = labels ? 'tags, labels and note' : 'tags and note';
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
            {isEmpty && !hasLabels ? invitation : `Edit ${what}`}
          </Button>
        </NeedsRole>
      </div>
      <FormDialog title={`${what.charAt(0).toUpperCase()}${what.slice(1)}`} isOpen={isOpen} onClose={close}>
        <Suspense fallback={<Skeleton height={220} />}>
          <AnnotationForm annotation={{ tags, note, ...(labels && { labels }) }} store={store} onDone={close} />
        </Suspense>
      </FormDialog>
    </Group>
  );
}
