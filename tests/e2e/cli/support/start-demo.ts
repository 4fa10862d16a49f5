import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { findBrowser } from '#cli/find-browser.ts';
import { commandOf, hasVariable, listProcesses, readOfProcess } from '#tests/support/list-processes.ts';

const main = path.resolve(import.meta.dirname, '../../../../cli/main.ts');

/** The OS users of the demo's User Agents: nothing of the Agent's environment reaches their browsers. */
const demoUsers = [20_001, 20_002];

/** Each Run that is ordered has one user, one Round of each Scenario, pages of few images, and a link with a short delay where it has one. */
export const smallDemo = `
  create function make_small() returns trigger language plpgsql as $$ begin
    new.document = replace(replace(new.document::text, '"delayMs": 250', '"delayMs": 10'), '{4,20}', '{4,5}')::jsonb #- '{userAgents,1}'
      || jsonb_build_object('repetition', new.document -> 'repetition' || '{ "rounds": 1, "warmUp": false }');
    new.rounds_planned = 2;
    return new;
  end $$;
  create trigger make_small before insert on run for each row execute function make_small()`;

/** The processes that were started with this home folder, and those of the demo's users: the demo and all that it started. */
export function processesOf(homeFolder: string): string[] {
  return listProcesses((pid) => isOfDemoUser(pid) || hasVariable(pid, `HTTP_AE_TEST_HOME=${homeFolder}`)).map(
    commandOf,
  );
}

function isOfDemoUser(pid: string): boolean {
  const uid = /^Uid:\s+(\d+)/m.exec(readOfProcess(pid, 'status'))?.[1];
  return demoUsers.includes(Number(uid));
}

/** With a database of its own, unless there is a URL of one. `prefix`: the words before the command. */
export async function startDemo(
  homeFolder: string,
  {
    prefix = [],
    words = [],
    databaseUrl = '',
  }: { prefix?: readonly string[]; words?: string[]; databaseUrl?: string } = {},
): Promise<{ demo: ChildProcess; until: (text: string) => Promise<void>; said: () => string; printed: () => string }> {
  const { env: environment, platform } = process;
  const chrome = await findBrowser({
    environment,
    platform,
    homeFolder,
    say: console.error,
    signal: AbortSignal.timeout(60_000),
  });
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', main];
  const [program, ...args] = [...prefix, ...node, 'demo', ...words] as [string, ...string[]];
  const demo = spawn(program, args, {
    env: {
      ...environment,
      HTTP_AE_HOME: homeFolder,
      HTTP_AE_TEST_HOME: homeFolder,
      HTTP_AE_CHROME: chrome,
      DATABASE_URL: databaseUrl,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  onTestFinished(() => void demo.kill('SIGKILL'));
  let [errors, printed] = ['', ''];
  demo.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  demo.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const until = (text: string) => expect.poll(() => errors, { timeout: 150_000 }).toContain(text);
  return { demo, until, said: () => errors, printed: () => printed };
}
