import { TagsInput, Textarea } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AnnotationSchema, mostTags, type Annotation, type RunAnnotation } from '#core/protocol/api/annotation.ts';
import { listLabels, mostLabels, readLabels } from '#core/protocol/api/run-labels.ts';
import { tagsQuery } from '../../api/annotation-requests.ts';
import { DialogForm } from '../form-dialog.tsx';

interface AnnotationFormProps {
  /** With labels, if it is that of a Run. */
  annotation: RunAnnotation;
  store: (annotation: RunAnnotation) => Promise<unknown>;
  onDone: () => void;
}

/** A comma may come with pasted text. */
const splitTags = (text: string) =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

/** Edits tags and note, and the labels of a Run. Enter ends both, and a comma a tag: the value of a label may have one. */
export function AnnotationForm({ annotation, store, onDone }: AnnotationFormProps) {
  const { data: used = [] } = useQuery(tagsQuery);
  const [tags, setTags] = useState(annotation.tags);
  const [note, setNote] = useState(annotation.note);
  const [labels, setLabels] = useState(() => listLabels(annotation.labels ?? {}));
  const read = readLabels(labels);
  const checked = AnnotationSchema.safeParse({ tags, note });
  const problemOf = (field: keyof Annotation) =>
    checked.error?.issues.find(({ path }) => path[0] === field)?.message ?? null;
  const storing = useMutation({
    mutationFn: () => store({ tags, note, ...(annotation.labels && read.kind === 'read' && { labels: read.labels }) }),
    meta: { showsProblem: true },
    onSuccess: onDone,
  });
  return (
    <DialogForm
      onSubmit={() => storing.mutate()}
      submitLabel="Save"
      isComplete={checked.success && read.kind === 'read'}
      isPending={storing.isPending}
      error={storing.error}
      errorTitle="Not saved"
    >
      <TagsInput
        label="Tags"
        description={`At most ${mostTags}. Enter or a comma ends a tag.`}
        data={used.map(({ tag }) => tag)}
        value={tags}
        onChange={(next) => setTags(next.flatMap(splitTags))}
        maxTags={mostTags}
        acceptValueOnBlur
        openOnFocus={false}
        error={problemOf('tags')}
        data-autofocus
      />
      {annotation.labels && (
        <TagsInput
          label="Labels"
          description="Each a key and a value, such as build=1234; Enter ends it. The trend of the Evaluation can be drawn by a key."
          value={labels}
          onChange={setLabels}
          splitChars={[]}
          maxTags={mostLabels}
          acceptValueOnBlur
          openOnFocus={false}
          error={read.kind === 'wrong' && read.problem}
        />
      )}
      <Textarea
        label="Note"
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        autosize
        minRows={3}
        maxRows={12}
        error={problemOf('note')}
      />
    </DialogForm>
  );
}
