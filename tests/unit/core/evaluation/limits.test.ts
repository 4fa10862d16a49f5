import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { PasswordRequestSchema, TokenRequestSchema } from '#core/protocol/api/access.ts';
import { TryRequestSchema } from '#core/protocol/api/try.ts';
import { makeEvaluation } from '../../../support/sample-evaluation.ts';

interface Limit {
  path: string;
  /** What is reported of a value beyond it. */
  message: string | null;
}

/** Every upper bound of what people write, by its place in the schema. */
function listLimits(schema: z.core.$ZodType, path = '', seen = new Set<unknown>()): Limit[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const { def } = schema._zod as unknown as { def: Record<string, unknown> };
  const checks = (def.checks ?? []) as {
    _zod: { def: { check: string; maximum?: unknown; value?: unknown; error?: (issue: object) => unknown } };
  }[];
  const own = checks.flatMap(({ _zod: { def: check } }): Limit[] => {
    if (check.check !== 'max_length' && check.check !== 'less_than') return [];
    const found = check.error?.({ code: 'too_big', maximum: check.maximum ?? check.value, input: 1e12 });
    return [
      {
        path: path || '(itself)',
        message: typeof found === 'string' ? found : found ? (found as { message: string }).message : null,
      },
    ];
  });
  const below: [string, unknown][] = [
    ...Object.entries(def.shape ?? {}),
    ...((def.options ?? []) as unknown[]).map((each, index): [string, unknown] => [`|${index}`, each]),
    ...((def.items ?? []) as unknown[]).map((each, index): [string, unknown] => [`${index}`, each]),
    ...['element', 'innerType', 'in', 'out', 'keyType', 'valueType', 'left', 'right'].flatMap(
      (key): [string, unknown][] => (def[key] ? [[key === 'element' ? '[]' : '', def[key]]] : []),
    ),
  ];
  return [
    ...own,
    ...below.flatMap(([name, each]) =>
      listLimits(each as z.core.$ZodType, [path, name].filter(Boolean).join('.'), seen),
    ),
  ];
}

describe('what is too long or too many', () => {
  it.each([
    ['an Evaluation', EvaluationSchema, 40],
    ['a password', PasswordRequestSchema, 1],
    ['a token', TokenRequestSchema, 1],
    ['a try', TryRequestSchema, 1],
  ] as const)('is reported with the limit, in every field of %s', (_, schema, least) => {
    const limits = listLimits(schema);
    expect(limits.length).toBeGreaterThanOrEqual(least);
    // The identity of an OS user has one message for all that is wrong with it, which says what it may be.
    const unclear = limits.filter(({ message }) => message === null || !/at most|OS user|characters/.test(message));
    expect(unclear).toEqual([]);
  });

  it('is reported so for User Agents, of which there may be 5,000', () => {
    const evaluation = makeEvaluation();
    const userAgents = Array.from({ length: 5001 }, (_, index) => ({
      ...evaluation.userAgents[0]!,
      name: `user ${index}`,
    }));
    const { error } = EvaluationSchema.safeParse({ ...evaluation, userAgents });
    expect(error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
      ['userAgents', 'must have at most 5000 User Agents'],
    ]);
  });
});
