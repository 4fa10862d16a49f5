import { Argument, Command } from 'commander';

const actions = ['build', 'package', 'lint'] as const;
type ExtensionAction = (typeof actions)[number];

/** `extension ACTION`: the browser extension from its source. */
export function extensionCommand(): Command {
  return new Command('extension')
    .summary('Build and check the browser extension')
    .description(
      'Build the browser extension into extension/dist/chrome (Chrome, Edge) and extension/dist/firefox, package each as one file, or check it with web-ext. The file docs/extension.md describes the installation.',
    )
    .addArgument(new Argument('<ACTION>', 'package and lint build it first').choices(actions))
    .action(async (action: ExtensionAction) => {
      const { buildExtension } = await import('../extension/build-extension.ts');
      await buildExtension();
      if (action === 'build') return;
      const { packageExtension, lintExtension } = await import('../extension/web-ext.ts');
      await (action === 'package' ? packageExtension() : lintExtension());
    });
}
