import { z } from 'zod';
import type { EngineOnHost } from '../evaluation/browser/engine-settings.ts';
import { EngineSchema, type Engine } from '../evaluation/users/user-agent.ts';
import { HostOriginSchema } from './host-origin.ts';

/** Of an Agent that `./http-ae hosts up` started: it ends with the channel of ssh, or stays as a service. */
export const sshLifetimes = ['channel', 'service'] as const;

/** What an Agent reports about the machine it runs on. */
export const HostFactsSchema = z.object({
  hostname: z.string().max(255),
  /** Of the kernel that it runs on, the same in every container there; null where it is not known, as in an extension. */
  machineId: z.string().max(64).nullable().default(null),
  platform: z.string().max(64),
  architecture: z.string().max(64),
  release: z.string().max(255),
  cpuCount: z.number().int().positive(),
  /** Null where the Agent is an extension, and its browser does not report it. */
  memoryBytes: z.number().positive().nullable(),
  /** Null where the Agent is an extension. */
  nodeVersion: z.string().max(64).nullable(),
  interfaces: z.array(z.object({ name: z.string().max(64), addresses: z.array(z.string().max(64)).max(64) })).max(256),
  engines: z
    .array(
      z.object({
        engine: EngineSchema,
        version: z.string().max(255),
        /** The settings of a Scenario that it obeys there: of the engine extension only, whose hosts differ in them. */
        settings: z.array(z.string().max(64)).max(64).optional(),
      }),
    )
    .max(16),
  /** Whether the operator started the Agent with `--allow-scripts`. */
  scriptsAllowed: z.boolean(),
  /** Whether the operator started the Agent with `--allow-any-preference`. */
  anyPreferenceAllowed: z.boolean().default(false),
  /** That of the testbed that the host is in, or of `up --agent`; null where there is none. `trustedKeys: testbed` means its key. */
  origin: HostOriginSchema.nullable().default(null),
  /** The emulated network that it holds and sets when asked; null when it holds none. */
  testbed: z
    .object({ backend: z.enum(['netem', 'userspace']) })
    .nullable()
    .default(null),
  /** Left out: it was not started over SSH. */
  bySsh: z.enum(sshLifetimes).optional(),
});
export type HostFacts = z.infer<typeof HostFactsSchema>;

/** What an engine obeys on the host of these facts. An extension that reports nothing is an older one, which obeys nothing. */
export function findEngineOnHost(engine: Engine, facts: Pick<HostFacts, 'engines'> | null | undefined): EngineOnHost {
  const found = facts?.engines.find((each) => each.engine === engine);
  if (!found || engine !== 'extension') return { engine };
  return { engine, settings: found.settings ?? [] };
}
