import { Argument, Command, Option } from 'commander';
import { linkPresetNames } from '#core/evaluation/network/link-profile-presets.ts';
import { readControllerUrl, readUserCount, extensionOption } from './option-parsers.ts';
import { testbedActions, type TestbedAction, type TestbedOptions } from '../testbed/testbed-options.ts';

const actionsHelp = `
Actions:
  up PROFILE     create the network namespaces ground, satellite and remote with the link between them, until Ctrl-C
  check PROFILE  create them, measure round trip, rate and loss, and exit: 0 if they match the profile
  shell PROFILE  create them and open a shell in one; they end with the shell
  down           end other testbeds that "up" holds, and remove what killed testbeds left

A PROFILE is the name of a preset or a YAML file. Presets: ${linkPresetNames.join(', ')}.
In the file:
  preset: geo-1m               # the values that are not given below
  forward: { lossRatio: 0.01 } # ground to remote; rateKbps, delayMs, jitterMs, lossRatio, lossBurstPackets, queueBytes
  return: { rateKbps: 256 }    # remote to ground; or rateTrace: { file: rain.csv }, of lines "seconds,kbps"
docs/testbed.md describes each key. The testbed needs Linux, and root or user namespaces.`;

/** `testbed ACTION [PROFILE]`: the emulated link alone. */
export function testbedCommand(): Command {
  return new Command('testbed')
    .summary('Emulate a satellite link on this machine')
    .description('An emulated satellite link on this machine: two hosts, ground and remote, and the link between them.')
    .addArgument(new Argument('<ACTION>', 'what to do').choices(testbedActions))
    .argument('[PROFILE]', 'the link to emulate')
    .addOption(new Option('--in <PLACE>', 'where the shell is').choices(['ground', 'remote']).default('remote'))
    .addOption(
      new Option(
        '--backend <KIND>',
        'how to emulate the link (default: netem if the kernel has it and no rate varies, else userspace)',
      ).choices(['netem', 'userspace']),
    )
    .option(
      '--users <NUMBER>',
      'number of users behind remote, each with a namespace and an address: user1 at 198.19.1.1, …',
      readUserCount,
    )
    .option(
      '--ipv6',
      'IPv6 beside IPv4: ground at 2001:2:0:19::1, remote at 2001:2:0:19::2, user1 at 2001:2:0:19::1:1, …',
    )
    .option(
      '--nodes',
      'up: let the terminal (198.19.255.2) and the gateway (198.19.255.1) of paths join the Controller too, for captures and processes there',
    )
    .option(
      '--origin',
      'up: serve pages in ground, at 198.19.0.1, on the ports that docs/testbed.md lists. Scenarios trust it by "trustedKeys: testbed"',
    )
    .option(
      '--http3',
      'up: --origin with HTTP/3 on a port beside the others, by the program caddy (installed if this is root on a Debian)',
    )
    .option(
      '--join',
      'up: join the Controller that you run on this machine, as the Agents "testbed", "ground", "remote", one per user of --users, and those of --nodes',
    )
    .addOption(
      new Option('--controller <URL>', 'up: join this Controller, which may be on another machine')
        .env('HTTP_AE_CONTROLLER')
        .argParser(readControllerUrl),
    )
    .addOption(new Option('--token <TOKEN>', 'up: an agent token of that Controller').env('HTTP_AE_TOKEN'))
    .option('--allow-scripts', 'up: let the Controller run scripts in ground and remote, as your OS user')
    .addOption(extensionOption('up: let remote and the users run the browser extension (engine extension) too'))
    .option(
      '--json',
      'print one JSON document: for up the namespaces and addresses, for check the figures, for down what was removed',
    )
    .addHelpText('after', actionsHelp)
    .action(async (action: TestbedAction, profile: string | undefined, options: TestbedOptions) => {
      const { runTestbed } = await import('../testbed/run-testbed.ts');
      await runTestbed({ action, profile }, options);
    });
}
