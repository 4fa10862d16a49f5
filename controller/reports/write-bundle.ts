import { createHash } from 'node:crypto';
import { metricsVersion } from '#core/metrics/catalogue.ts';
import { bundleVersion, bundleVersionWithAdded, type BundleLine } from '#core/record/bundle-line.ts';

/** A bundle as text, line by line: a first line that says what it is, the lines of the Run, and a last one by which the reader knows that none is missing or changed. `hasAdded`: whether Rounds were added to the Run. */
export async function* writeBundle(
  lines: AsyncIterable<string>,
  { httpAeVersion, hasAdded = false }: { httpAeVersion: string; hasAdded?: boolean },
): AsyncGenerator<string> {
  const hash = createHash('sha256');
  let count = 0;
  const write = (line: string) => {
    const text = `${line}\n`;
    hash.update(text);
    count++;
    return text;
  };
  yield write(
    JSON.stringify({
      kind: 'bundle',
      version: hasAdded ? bundleVersionWithAdded : bundleVersion,
      httpAeVersion,
      metricsVersion,
    } satisfies BundleLine),
  );
  for await (const line of lines) yield write(line);
  yield `${JSON.stringify({ kind: 'end', lines: count, sha256: hash.digest('hex') } satisfies BundleLine)}\n`;
}
