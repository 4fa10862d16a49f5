import { Argument, Command, Option } from 'commander';
import { readControllerUrl } from './read-controller-url.ts';
import { readUserCount } from './read-user-count.ts';
import { testbedActions, type TestbedAction, type TestbedOptions } from '../testbed/testbed-options.ts';

const actionsHelp = `
Actions:
  up PROFILE     make the network namespaces ground, satellite and remote with the link between them, until Ctrl-C
  check PROFILE  the same, measure round trip, rate and loss, and end: 0 when they are as the profile says
  shell PROFILE  the same, with a shell in it; it ends with the shell
  down           end what "up" holds elsewhere, and remove what killed testbeds have left

A PROFILE is the name of a preset (geo-64k, geo-128k, geo-256k, geo-512k, geo-1m, geo-8m, cable, 3g, none), or a YAML file:
  preset: geo-1m               # what is not given below is the preset's
  forward: { lossRatio: 0.01 } # ground to remote; rateKbps, delayMs, jitterMs, lossRatio, queueBytes
  return: { rateKbps: 256 }    # remote to ground; or rateTrace: { file: rain.csv }, of lines "seconds,kbps"
docs/testbed.md tells what each means. The testbed needs Linux, and root or user namespaces.`;

/** `testbed ACTION [PROFILE]`: the emulated link by itself. */
export function testbedCommand(): Command {
  return new Command('testbed')
    .description('An emulated satellite link on this machine: two hosts, ground and remote, and the link between them.')
    .addArgument(new Argument('<ACTION>', 'what to do').choices(testbedActions))
    .argument('[PROFILE]', 'what the link is to be')
    .addOption(new Option('--in <PLACE>', 'where the shell is').choices(['ground', 'remote']).default('remote'))
    .addOption(new Option('--backend <KIND>', 'instead of netem where the kernel has it').choices(['netem', 'userspace']))
    .option('--users <NUMBER>', 'users with a namespace and an address each, behind remote: user1 at 198.19.1.1, …', readUserCount)
    .addOption(new Option('--controller <URL>', 'of up: join it as the Agents "testbed", "ground", "remote", and one of each of --users').env('HTTP_AE_CONTROLLER').argParser(readControllerUrl))
    .addOption(new Option('--token <TOKEN>', 'of up: an agent token of that Controller').env('HTTP_AE_TOKEN'))
    .option('--allow-scripts', 'of up: let the Controller run scripts in ground and remote, as the user you are now')
    .option('--extension', 'of up: let remote and the users run the browser extension too: the engine extension')
    .option('--json', 'print one JSON document: of up the namespaces and addresses, of check the figures, of down what was removed')
    .addHelpText('after', actionsHelp)
    .action(async (action: TestbedAction, profile: string | undefined, options: TestbedOptions) => {
      const { runTestbed } = await import('../testbed/run-testbed.ts');
      await runTestbed({ action, profile }, options);
    });
}
