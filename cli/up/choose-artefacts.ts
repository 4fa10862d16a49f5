import path from 'node:path';
import { readArtefactsUrl } from '#controller/artefacts/artefacts-url.ts';
import type { BucketAddress } from '#controller/artefacts/bucket/bucket-address.ts';

export interface ArtefactsChoice {
  /** Where traces and pictures are kept, or are on their way to the bucket. */
  folder: string;
  bucket?: BucketAddress;
}

/** Where ARTEFACTS_URL says; in the home folder without it. Throws `invalid-input`. */
export function chooseArtefacts({
  homeFolder,
  environment,
}: {
  homeFolder: string;
  environment: NodeJS.ProcessEnv;
}): ArtefactsChoice {
  const folder = path.join(homeFolder, 'artefacts');
  const chosen = readArtefactsUrl(environment);
  if (chosen === null) return { folder };
  return chosen.kind === 'folder' ? { folder: chosen.folder } : { folder, bucket: chosen.address };
}
