import { requireVariant } from '#testbed/tcp/set-congestion-control.ts';
import { ProvidedVariants } from '#testbed/tcp/variants/provided-variants.ts';
import { findMissingVariantPackages } from '#testbed/tcp/variants/variant-tools.ts';
import { tryInstallPackages } from '../install-packages.ts';

/**
 * Finds out, by trying, whether this machine can have TCP variants. Installs what compiles them when it is missing, one of them needs it, and this is root on a
 * Debian. Throws `testbed-refused` or `testbed-failed`.
 */
export async function prepareVariants(
  variants: Iterable<string>,
  progress: { say: (line: string) => void; signal: AbortSignal },
): Promise<void> {
  await using provided = new ProvidedVariants({
    beforeCompiling: async () => {
      const missing = findMissingVariantPackages(process.env.PATH ?? '');
      if (missing.length > 0) await tryInstallPackages(missing, progress);
    },
  });
  for (const variant of variants) {
    await provided.provide(variant);
    await requireVariant([], variant);
  }
}
