import { Argument, Command, Option } from 'commander';
import type { HostsAction, HostsOptions } from '../hosts/run-hosts-up.ts';
import { readControllerUrl, readHostCount } from './option-parsers.ts';

const hostsActions: readonly HostsAction[] = ['up', 'status', 'down'];

const actionsHelp = `
Actions:
  up      join the hosts as Agents, until Ctrl-C or for good. Each gets HTTP-AE
  status  list what runs on each host
  down    end the Agents, and remove what "up" has put on the hosts

The inventory is a YAML file of Ansible's form:
  all:
    vars: { ansible_user: lab }
    hosts:
      lab-1: { ansible_host: 192.0.2.7 }
      lab-2: { ansible_host: 192.0.2.8, ansible_become: true } # the Agent runs as root
docs/hosts.md describes each key. The system's ssh is used, with its configuration.`;

/** `hosts ACTION`: Agents on other machines, over SSH. */
export function hostsCommand(): Command {
  return new Command('hosts')
    .summary('Join other machines as Agents, over SSH')
    .description(
      'Join other machines as Agents, over SSH. Run this command as the OS user who runs the Controller, or give --controller and --token.',
    )
    .addArgument(new Argument('<ACTION>', 'what to do').choices(hostsActions))
    .option('--inventory <FILE>', 'the hosts, and how ssh reaches them', 'hosts.yaml')
    .option('--limit <GROUP>', 'only the hosts of this group, or this host; several with commas')
    .option('--service', 'up: let the Agents stay, as services of systemd')
    .option('--tunnel', 'up: let all hosts reach the Controller through ssh (default: those that do not reach it)')
    .option('--parallel <NUMBER>', 'at how many hosts to work at a time', readHostCount, 10)
    .addOption(
      new Option('--controller <URL>', 'the Controller (default: the one that "./http-ae up" runs on this machine)')
        .env('HTTP_AE_CONTROLLER')
        .argParser(readControllerUrl),
    )
    .addOption(
      new Option('--token <TOKEN>', 'up: an agent token of that Controller, for any name').env('HTTP_AE_TOKEN'),
    )
    .option('--json', 'print one JSON document: the state of each host')
    .addHelpText('after', actionsHelp)
    .action(async (action: HostsAction, options: HostsOptions) => {
      const { runHosts } = await import('../hosts/run-hosts.ts');
      await runHosts(action, options);
    });
}
