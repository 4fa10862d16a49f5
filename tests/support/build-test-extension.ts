import { buildExtension } from '#cli/extension/build-extension.ts';

/** Builds the extension once for a run of the tests, from the source as it is now, unless `./http-ae test` has done so. */
export default async function buildTestExtension(): Promise<void> {
  if (!process.env.HTTP_AE_TEST_BUILT) await buildExtension();
}
