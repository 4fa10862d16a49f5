import path from 'node:path';
import { AppError } from '#core/app-error.ts';
import { readRelayTarget } from '../testbed/read-relay-target.ts';
import { startInUserNamespace } from '../testbed/start-in-user-namespace.ts';
import { StageReportSchema, type StageOrder } from './stage-messages.ts';
import type { StageOptions, Stage } from './stage.ts';

/** In namespaces that a process of its own makes, as root of a user namespace. Database, Controller and web UI stay outside. */
export async function openStageInUserNamespace({
  subject,
  controllerUrl,
  token,
  chromePath,
  homeFolder,
  isVerbose,
  signal,
}: StageOptions): Promise<Stage> {
  await using resources = new AsyncDisposableStack();
  const inside = resources.use(
    startInUserNamespace([path.join(import.meta.dirname, 'stage-process.ts')], {
      target: readRelayTarget(controllerUrl),
    }),
  );
  const ready = Promise.withResolvers<string>();
  const failing = new AbortController();
  const fail = (error: unknown) => {
    failing.abort(error);
    ready.reject(error);
  };
  inside.onMessage((message) => {
    const report = StageReportSchema.parse(message);
    if (report.kind === 'ready') ready.resolve(report.evaluationYaml);
    else fail(new AppError(report.code, report.problem));
  });
  void inside.exited.then((status) =>
    fail(new AppError('testbed-failed', `The process in the user namespace ended with status ${status}`)),
  );
  const giveUp = () => ready.reject(signal.reason);
  signal.addEventListener('abort', giveUp, { once: true });
  resources.defer(() => signal.removeEventListener('abort', giveUp));
  inside.send({ subject, controllerUrl, token, chromePath, homeFolder, isVerbose } satisfies StageOrder);
  const evaluationYaml = await ready.promise;
  const stack = resources.move();
  return { evaluationYaml, failed: failing.signal, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
