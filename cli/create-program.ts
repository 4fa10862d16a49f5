import { Command } from 'commander';
import { agentCommand } from './commands/agent.ts';
import { backupCommand, restoreCommand } from './commands/backup.ts';
import { capinfoCommand } from './commands/capinfo.ts';
import { compareCommand } from './commands/compare.ts';
import { addRoundsCommand, againCommand } from './commands/continue-run.ts';
import { demoCommand } from './commands/demo.ts';
import { devCommand } from './commands/dev.ts';
import { evaluateCommand } from './commands/evaluate.ts';
import { exportCommand } from './commands/export.ts';
import { extensionCommand } from './commands/extension.ts';
import { hostsCommand } from './commands/hosts.ts';
import { linkCommand } from './commands/link.ts';
import { openCommand } from './commands/open.ts';
import { originCommand } from './commands/origin.ts';
import { pepCommand } from '#httpep/command/pep-command.ts';
import { watchInterrupts } from './watch-interrupts.ts';
import { reportCommand } from './commands/report.ts';
import { runsCommand } from './commands/runs.ts';
import { schemaCommand } from './commands/schema.ts';
import { siteCommand } from './commands/site-command.ts';
import { studyCommand } from './commands/study.ts';
import { trendCommand } from './commands/trend.ts';
import { testbedCommand } from './commands/testbed.ts';
import { testCommand } from './commands/test.ts';
import { tokenCommand } from './commands/token.ts';
import { upCommand } from './commands/up.ts';
import { exitStatusHelp } from './report-error.ts';
import { readVersion } from './installation.ts';

/** The command line. A command's file holds its options; what does the work is imported only when it is run. */
export function createProgram(): Command {
  const program = new Command('http-ae')
    .description('Measures what several simultaneous web users experience, and compares Scenarios.')
    .version(readVersion(), '--version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show the help of a command')
    .configureHelp({ subcommandTerm })
    .showSuggestionAfterError()
    .showHelpAfterError('(see http-ae COMMAND --help)')
    .addHelpText('after', exitStatusHelp);

  for (const command of [
    demoCommand(),
    upCommand(),
    openCommand(),
    linkCommand(),
    tokenCommand(),
    agentCommand(),
    hostsCommand(),
    evaluateCommand(),
    runsCommand(),
    addRoundsCommand(),
    againCommand(),
    compareCommand(),
    trendCommand(),
    exportCommand(),
    reportCommand(),
    siteCommand(),
    studyCommand(),
    backupCommand(),
    restoreCommand(),
    schemaCommand(),
    capinfoCommand(),
    extensionCommand(),
    testbedCommand(),
    originCommand(),
    pepCommand(watchInterrupts),
    devCommand(),
    testCommand(),
  ]) {
    for (const each of [command, ...command.commands]) complete(each, program);
    program.addCommand(command);
  }
  program.exitOverride();
  return program;
}

/** A command and its arguments: a list of one line each has no room to say that every command has options. */
function subcommandTerm(command: Command): string {
  const terms = command.registeredArguments.map((each) => {
    const name = each.name() + (each.variadic ? '...' : '');
    return each.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...terms].join(' ');
}

function complete(command: Command, program: Command): void {
  const name = [command.parent?.name(), command.name()].filter((part) => part !== undefined).join(' ');
  command
    .copyInheritedSettings(program)
    .showHelpAfterError(`(see http-ae ${name} --help)`)
    .addHelpText('after', exitStatusHelp);
  if (command.commands.length === 0) command.option('--verbose', 'print more, and the stack of each error');
  // Throws instead of ending the process, so that the exit status is decided in one place.
  command.exitOverride();
}
