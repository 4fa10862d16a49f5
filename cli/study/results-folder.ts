import path from 'node:path';

/** The table of findings and the figures, which are small enough to be kept with a text. Everything else is in a folder for each part. */
export const findingsFile = 'findings.md';
export const figuresFolder = 'figures';

export function bundleFile(output: string, part: string): string {
  return path.join(output, part, 'run.bundle.gz');
}

export function reportFile(output: string, part: string): string {
  return path.join(output, part, 'report.html');
}
