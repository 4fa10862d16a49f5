import { mostBytesOfMessage, readMostBytes, type AgentMessage } from '#core/protocol/agent-messages.ts';
import { parseAgentMessage, type ParsedMessage, splitFrame, type SplitFrame } from '#core/protocol/read-message.ts';
import { parseStorableJson } from '../database/storable-json.ts';
import { ProcessLostError, ProcessPool } from './process-pool.ts';

/** More of JSON is parsed in another process: a megabyte of small values takes a tenth of a second. */
const mostBytesHere = 1024 * 1024;
/** A process for others beside one that has much to read. */
const mostProcesses = 2;
/** The largest message takes a few seconds. */
const limitMs = 60_000;
/** Several times what the largest message takes. */
const usualHeapMegabytes = 1024;
/** In what is before the name of a kind, and in that name. */
const mostBytesOfType = 100;

export type ReadMessage =
  | { kind: 'message'; message: AgentMessage; attached: Uint8Array<ArrayBuffer> }
  | { kind: 'problem'; problem: string };

/** Reads what Agents send. How much that is is looked at before anything of it is parsed. PostgreSQL stores every text of what is read. */
export class LineReader implements AsyncDisposable {
  readonly #processes: ProcessPool<Uint8Array, ParsedMessage>;

  constructor({ mostHeapMegabytes = usualHeapMegabytes }: { mostHeapMegabytes?: number } = {}) {
    const module = new URL('./message-process.ts', import.meta.url);
    this.#processes = new ProcessPool({ module, mostProcesses, mostHeapMegabytes, limitMs });
  }

  /** At once, but for a large message. Rejects only when the Controller shuts down. */
  read(data: Buffer<ArrayBuffer>, isBinary: boolean): ReadMessage | Promise<ReadMessage> {
    const frame = isBinary ? splitFrame(data) : { json: data, attached: new Uint8Array() };
    if (!frame) return { kind: 'problem', problem: 'its frame is cut off' };
    const type = readType(frame.json);
    const problem = explainSize(frame, type);
    if (problem !== null) return { kind: 'problem', problem };
    if (frame.json.length <= mostBytesHere)
      return complete(parseAgentMessage(frame.json, parseStorableJson), { frame, type });
    return this.#processes.ask(frame.json).then(
      (parsed) => complete(parsed, { frame, type }),
      (error: unknown) => {
        if (!(error instanceof ProcessLostError)) throw error;
        return { kind: 'problem', problem: `it cannot be read: ${error.message}` };
      },
    );
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#processes[Symbol.asyncDispose]();
  }
}

/** The kind of a message, by its first field; empty where that is another one. */
function readType(json: Uint8Array): string {
  const beginning = Buffer.from(json.buffer, json.byteOffset, Math.min(json.length, mostBytesOfType)).toString(
    'latin1',
  );
  return /^\s*\{\s*"type"\s*:\s*"([a-z-]+)"/.exec(beginning)?.[1] ?? '';
}

/** Why it is not parsed; null when it may be. */
function explainSize({ json, attached }: SplitFrame, type: string): string | null {
  const most = readMostBytes(type);
  if (json.length > most)
    return `a message ${type === '' ? 'whose first field is not its type' : `of type "${type}"`} has ${json.length} bytes, and may have ${most}`;
  if (attached.length > 0 && type !== 'visits') return 'only Visits have bytes beside them';
  return null;
}

function complete(parsed: ParsedMessage, { frame, type }: { frame: SplitFrame; type: string }): ReadMessage {
  if (parsed.kind === 'problem') return parsed;
  // The last of two fields of one name is the one that counts.
  if (parsed.message.type !== type && frame.json.length > mostBytesOfMessage)
    return { kind: 'problem', problem: `it begins as of type "${type}", and is of type "${parsed.message.type}"` };
  return { ...parsed, attached: frame.attached };
}
