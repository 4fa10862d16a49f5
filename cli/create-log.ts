import { pino, stdSerializers, type Logger } from 'pino';
import { z } from 'zod';
import { showPlainly } from './show-plainly.ts';

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

/** A log for people, one line per event on standard error, so that standard output stays the command's result. */
export function createLog(level: 'debug' | 'info' | 'warn'): Logger {
  return pino(
    { level, serializers: { err: stdSerializers.errWithCause } },
    { write: (line: string) => process.stderr.write(formatLine(line, level === 'debug')) },
  );
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
