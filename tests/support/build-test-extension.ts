import { buildExtension } from '#cli/extension/build-extension.ts';

/** Builds the extension once for a run of the tests, from the source as it is now. */
export default buildExtension;
