import { stripVTControlCharacters } from 'node:util';

/** Names, labels and problems come from files and other hosts: no character of theirs may steer the terminal. */
export function showPlainly(text: string): string {
  return stripVTControlCharacters(text).replace(/\p{Cc}/gu, ' ');
}
