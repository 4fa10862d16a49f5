import { z } from 'zod';

/** As `KeyboardEvent.key` has them. https://w3c.github.io/uievents-key/ */
export const namedKeys = [
  'Enter',
  'Tab',
  'Escape',
  'Backspace',
  'Delete',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'ArrowUp',
  'Home',
  'End',
  'PageDown',
  'PageUp',
] as const;
export type NamedKey = (typeof namedKeys)[number];

/** A key that has a name, or the one that writes a character. With the first fault the union has only its own message. */
export const JourneyKeySchema = z.union([z.enum(namedKeys), z.string().regex(/^[^\p{Cc}]$/u, { abort: true })], {
  error: `must be one character, or one of ${namedKeys.join(', ')}`,
});
export type JourneyKey = z.infer<typeof JourneyKeySchema>;

export function isNamedKey(key: JourneyKey): key is NamedKey {
  return (namedKeys as readonly string[]).includes(key);
}
