import { Command, InvalidArgumentError } from 'commander';
import { wholeNumber } from './option-parsers.ts';
import type { StudyValues } from '#core/study/study-definition.ts';
import type { RunStudyOptions } from '../study/run-study.ts';
import type { StudyReportOptions } from '../study/write-report.ts';

const maximumRounds = 1000;

/** `study list | run | check | report`: the case studies of the papers. */
export function studyCommand(): Command {
  const study = new Command('study')
    .summary('Repeat the case studies of the papers')
    .description(
      'Repeat the case studies of the papers: measure them on an emulated link, and hold what they found against the measurement.',
    );
  for (const command of [listCommand(), runCommand(), checkCommand(), reportCommand()]) study.addCommand(command);
  return study;
}

function listCommand(): Command {
  return new Command('list')
    .summary('List the studies')
    .description('List the studies, their parts, and how long they take.')
    .option('--json', 'print one JSON document')
    .action(async (options: { json?: true }) => {
      const { listStudies } = await import('../study/list-studies.ts');
      await listStudies(options);
    });
}

function runCommand(): Command {
  return new Command('run')
    .summary('Measure a study')
    .description(
      'Start all that a study needs, measure it, and write its results to a folder. Ctrl-C ends it. The same command then continues: what is measured is not measured again. It needs Linux and root.',
    )
    .argument('[NAMES...]', 'the studies; see "study list"')
    .option('--all', 'all studies; three at a time where a trial shows that no figure changes')
    .option('--quick', 'fewer pages and Rounds: a first look, with wide intervals')
    .option('--rounds <N>', 'Rounds of each Scenario, without the warm-up', wholeNumber(1, maximumRounds))
    .option(
      '--output <FOLDER>',
      'where the results go; of several studies, each in its own folder there (default: study-NAME, with --quick study-NAME-quick)',
    )
    .option('--part <PARTS...>', 'only these parts; see "study list" (default: all)')
    .option('--set <NAME=VALUE...>', 'replace values of the study, which its study.yaml lists', readStudyValue)
    .option('--json', 'print a JSON document of each study: { study, folder, closedForms, findings }')
    .action(async (names: string[], options: RunStudyOptions & { all?: true }) => {
      const { runStudies } = await import('../study/run-studies.ts');
      await runStudies(names, options);
    });
}

function reportCommand(): Command {
  return new Command('report')
    .summary('Write the results of studies as one document')
    .description('Write claims, figures, verdicts and limits of studies as one HTML file, which needs no other.')
    .argument('[NAMES...]', 'the studies; see "study list"')
    .option('--all', 'all studies that have results')
    .option(
      '--from <FOLDER>',
      'the folder with the results, in NAME/findings.md (default: those that come with HTTP-AE)',
    )
    .requiredOption('--to <FOLDER>', 'where studies.html goes')
    .action(async (names: string[], options: StudyReportOptions) => {
      const { writeStudyReport } = await import('../study/write-report.ts');
      await writeStudyReport(names, options);
    });
}

function checkCommand(): Command {
  return new Command('check')
    .summary('Check the findings of a study in its bundles')
    .description('Hold the findings of a study against bundles of its parts, which "study run" wrote.')
    .argument('<BUNDLE...>', 'bundles of one study, at most one of each part')
    .option('--json', 'print one JSON document: { study, closedForms, findings }')
    .action(async (files: string[], options: { json?: true }) => {
      const { checkBundles } = await import('../study/check-bundles.ts');
      await checkBundles(files, options);
    });
}

/** For an option that may be given several times: adds `NAME=VALUE` to the values so far. A number is one, as in study.yaml: figures have it as an axis. */
function readStudyValue(text: string, values: StudyValues = {}): StudyValues {
  const [, name, value] = /^([a-z][A-Za-z0-9]*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('It must be a name and a value, such as rounds=5.');
  const number = Number(value);
  return { ...values, [name]: value.trim() !== '' && Number.isFinite(number) ? number : value };
}
