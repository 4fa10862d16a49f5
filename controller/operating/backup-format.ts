import { z } from 'zod';

/** What the first file of a backup says, `manifest.json`. */
export const BackupManifestSchema = z.object({
  kind: z.literal('http-ae backup'),
  format: z.literal(1),
  httpAeVersion: z.string(),
  madeAt: z.iso.datetime(),
  /** Of its database, in order. */
  migrations: z.array(z.string()),
  /** The next ids of tables: a Run does not get the id of one that was deleted. */
  sequences: z.array(z.object({ table: z.string(), column: z.string(), lastValue: z.string(), isCalled: z.boolean() })),
});
export type BackupManifest = z.infer<typeof BackupManifestSchema>;

/** What its last file says, `end.json`: without it, the backup was cut. */
export const BackupEndSchema = z.object({ rows: z.record(z.string(), z.int()), artefacts: z.int() });
export type BackupEnd = z.infer<typeof BackupEndSchema>;

/** Which Controllers and lines there are, and what they have for each other, is not kept. */
export const leftOutTables = ['migration', 'controller', 'agent_line', 'controller_message'];

/** `tables/visit/000007.jsonl.zst`: rows as JSON, a line each, compressed by zstd. */
export const tableFile = /^tables\/([a-z_]+)\/\d{6}\.jsonl\.zst$/;
/** A file of artefacts, named by its SHA-256, in one of their folders. */
export const artefactFile = /^artefacts\/(screenshots\/|sites\/)?([0-9a-f]{2})\/([0-9a-f]{62})$/;
/** By which the database knows the folder. */
export const storeIdFile = 'artefacts/store-id';

/** Of one file of rows before compression. One row may be longer. */
export const chunkBytes = 4 * 1024 ** 2;
/** PostgreSQL reads a JSON text of at most this. */
export const mostChunkBytes = 512 * 1024 ** 2;
