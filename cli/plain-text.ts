import { stripVTControlCharacters } from 'node:util';

/** Names, labels and problems come from files and other hosts: no character of theirs may steer the terminal. */
export function showPlainly(text: string): string {
  return stripVTControlCharacters(text).replace(/\p{Cc}/gu, ' ');
}

/** `2 h 5 min`, `12 min`, `40 s`: as exact as an estimate is. */
export function formatRoughDuration(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
