import { pino, stdSerializers, stdTimeFunctions, type Logger } from 'pino';
import { z } from 'zod';
import { readLogContext } from '#controller/operating/log-context.ts';
import { AppError } from '#core/app-error.ts';
import { showPlainly } from './plain-text.ts';

const ErrorSchema = z.looseObject({
  message: z.string(),
  stack: z.string().optional(),
  get cause() {
    return ErrorSchema.optional();
  },
});
type LoggedError = z.infer<typeof ErrorSchema>;

const LineSchema = z.looseObject({
  time: z.number(),
  level: z.number(),
  msg: z.string().default(''),
  err: ErrorSchema.optional(),
});
const ownFields = ['time', 'level', 'msg', 'err', 'pid', 'hostname'];

/** One line per event on standard error, so that standard output stays the command's result: for people, or in JSON where `HTTP_AE_LOG` says so. Throws `invalid-input`. */
export function createLog(level: 'debug' | 'info' | 'warn', environment: NodeJS.ProcessEnv = process.env): Logger {
  const serializers = { err: stdSerializers.errWithCause };
  if (isJsonLog(environment)) {
    return pino(
      {
        level,
        serializers,
        timestamp: stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
        mixin: () => ({ ...readLogContext() }),
        // A line may give the id of its Round: in JSON, `round` is always its place in the plan.
        mixinMergeStrategy: (fields, context) => ({ ...fields, ...context }),
      },
      { write: (line: string) => process.stderr.write(line) },
    );
  }
  return pino(
    { level, serializers },
    { write: (line: string) => process.stderr.write(formatLine(line, level === 'debug')) },
  );
}

/** Whether logs are for programs. Throws `invalid-input`. */
export function isJsonLog({ HTTP_AE_LOG: form = 'text' }: NodeJS.ProcessEnv): boolean {
  if (form === 'json' || form === 'text' || form === '') return form === 'json';
  throw new AppError('invalid-input', `HTTP_AE_LOG is ${JSON.stringify(form)}: set it to "text" or "json"`);
}

function formatLine(line: string, isVerbose: boolean): string {
  const event = LineSchema.parse(JSON.parse(line));
  const time = new Date(event.time).toTimeString().slice(0, 8);
  const mark = event.level >= 50 ? 'ERROR ' : event.level >= 40 ? 'warning ' : '';
  const fields = Object.entries(event).filter(([name]) => !ownFields.includes(name));
  const details = fields
    .map(([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('');
  const error = event.err ? `: ${isVerbose ? describeStacks(event.err) : describeMessages(event.err)}` : '';
  // The text may come from others: each line after the first is indented, so that none looks like an entry.
  const lines = `${event.msg}${error}${details}`.split('\n').map(showPlainly);
  return `${time} ${mark}${lines.join('\n    ')}\n`;
}

/** Its message, and those of its causes that say something else. */
function describeMessages({ message, cause }: LoggedError): string {
  return cause && !message.includes(cause.message) ? `${message}: ${describeMessages(cause)}` : message;
}

function describeStacks({ message, stack = message, cause }: LoggedError): string {
  return cause ? `${stack}\ncaused by ${describeStacks(cause)}` : stack;
}
