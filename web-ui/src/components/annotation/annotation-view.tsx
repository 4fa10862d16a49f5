import { Badge, Group, Text } from '@mantine/core';
import type { Annotation } from '#core/protocol/api/annotation.ts';

interface AnnotationViewProps extends Annotation {
  /** In a list, a long note is cut. */
  isShort?: boolean;
}

/** Tags and note; nothing where nothing was written. */
export function AnnotationView({ tags, note, isShort = false }: AnnotationViewProps) {
  return (
    <>
      {tags.length > 0 && (
        <Group gap={4} role="list" aria-label="Tags">
          {tags.map((tag) => (
            <Badge key={tag} role="listitem" variant="default" size="sm" tt="none" fw={500}>
              {tag}
            </Badge>
          ))}
        </Group>
      )}
      {note !== '' && (
        <Text
          size="sm"
          c="dimmed"
          maw={760}
          style={{ whiteSpace: isShort ? 'normal' : 'pre-line', overflowWrap: 'anywhere' }}
          {...(isShort && { lineClamp: 1, title: note })}
        >
          {note}
        </Text>
      )}
    </>
  );
}
