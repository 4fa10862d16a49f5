import type { ArtefactPlace } from '#controller/artefacts/artefact-store.ts';
import { openBucket } from '#controller/artefacts/bucket/open-bucket.ts';
import { openFolder } from '#controller/artefacts/open-folder.ts';
import { chooseArtefacts } from '../up/choose-artefacts.ts';

/** The traces and pictures that `up` keeps with the same environment. */
export function openArtefacts(options: {
  homeFolder: string;
  environment: NodeJS.ProcessEnv;
}): AsyncDisposable & { place: ArtefactPlace } {
  const { folder, bucket: address } = chooseArtefacts(options);
  if (!address) return { place: openFolder(folder), [Symbol.asyncDispose]: () => Promise.resolve() };
  const bucket = openBucket(address, { folder });
  return { place: bucket, [Symbol.asyncDispose]: () => bucket[Symbol.asyncDispose]() };
}
