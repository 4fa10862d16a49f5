import { TagsInput, Textarea } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AnnotationSchema, mostTags, type Annotation } from '#core/protocol/api/annotation.ts';
import { tagsQuery } from '../../api/annotation-requests.ts';
import { DialogForm } from '../form-dialog.tsx';

interface AnnotationFormProps {
  annotation: Annotation;
  store: (annotation: Annotation) => Promise<unknown>;
  onDone: () => void;
}

/** A comma may come with pasted text. */
const splitTags = (text: string) =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

/** Edits tags and note. Enter or a comma ends a tag. */
export function AnnotationForm({ annotation, store, onDone }: AnnotationFormProps) {
  const { data: used = [] } = useQuery(tagsQuery);
  const [tags, setTags] = useState(annotation.tags);
  const [note, setNote] = useState(annotation.note);
  const checked = AnnotationSchema.safeParse({ tags, note });
  const problemOf = (field: keyof Annotation) =>
    checked.error?.issues.find(({ path }) => path[0] === field)?.message ?? null;
  const storing = useMutation({
    mutationFn: () => store({ tags, note }),
    meta: { showsProblem: true },
    onSuccess: onDone,
  });
  return (
    <DialogForm
      onSubmit={() => storing.mutate()}
      submitLabel="Save"
      isComplete={checked.success}
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
