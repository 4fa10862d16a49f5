/** What the page of `serve-user-pages.ts` needs. */
export const imagePaths = Array.from({ length: 8 }, (_, number) => `/image/${number}`);
const contentBytes = 10_000;

/** What this user, and no other, gets by this path. */
export function makeContent(user: string, path: string): string {
  const images = path === '/page' ? imagePaths.map((image) => `<img src="${image}">`).join('') : '';
  return `${images}<!-- ${path} of ${user} -->`.padEnd(contentBytes, `${user} `);
}

/** How a request ended. A page with all its images has a line of its own, with the path `all`. */
export interface LoadLine {
  user: string;
  path: string;
  /** Both of the monotonic clock, which all processes of a machine share. */
  startedMs: number;
  endedMs: number;
  /** `whole`, `broken` (broken off), `foreign` (not what is this user's), a status other than 200, or a code of Node. */
  outcome: string;
}

export const readMonotonicMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);
