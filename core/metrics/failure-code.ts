import { z } from 'zod';

/** Why a Visit has no page. A failed Visit is a result, counted in every report. */
export const FailureCodeSchema = z.enum([
  'dns-failure',
  'connection-refused',
  'connection-reset',
  'connection-failed',
  'tls-failure',
  'timeout',
  'http-client-error',
  'http-server-error',
  'empty-response',
  'redirect-loop',
  'aborted',
  'navigated-away',
  'proxy-failure',
  'too-large',
  'unsupported-content',
  'protocol-not-used',
  'task-failed',
  'task-not-ended',
  'journey-step-failed',
  'journey-strayed',
  'journey-ended',
  'browser-crashed',
  'engine-error',
]);

export type FailureCode = z.infer<typeof FailureCodeSchema>;
