import { readFileSync } from 'node:fs';

/** Whether there can be such a user where this process is: in a user namespace (user_namespaces(7)) there are only those that are mapped into it. */
export function hasUserId(uid: number, uidMap = readFileSync('/proc/self/uid_map', 'utf8')): boolean {
  const ranges = uidMap
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  return ranges.some(([first, , count]) => uid >= first! && uid < first! + count!);
}
