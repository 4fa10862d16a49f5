import { expect, test } from 'vitest';
import { EvaluationDocumentSchema, EvaluationInputSchema } from '#core/evaluation/evaluation-document.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';

const [user] = makeEvaluation().userAgents;
const gold = { ...user!, name: 'gold user', userClass: 'gold', sourceAddress: '198.18.0.1', osUser: 20_001 };
const silver = { ...user!, name: 'silver user', userClass: 'silver', sourceAddress: '198.18.0.2', osUser: 20_002 };

const documentOf = (scenario: object, userAgents: object[]) => ({
  ...makeEvaluation(),
  userAgents,
  scenarios: [{ name: 'first', baseline: true, network: { link: 'geo-1m' } }, scenario],
});

function explain(network: object, userAgents: object[] = [gold, silver], more: object = {}): string[] {
  const document = documentOf({ name: 'shared', network, ...more }, userAgents);
  // Those that are stored stay readable.
  expect(EvaluationDocumentSchema.safeParse(document).success).toBe(true);
  const { error } = EvaluationInputSchema.safeParse(document);
  return (error?.issues ?? []).map(({ path, message }) => `${path.slice(1).join('.')}: ${message}`);
}

test('shares of a link are refused where the testbed cannot enforce them', () => {
  const classes = { gold: 0.6, silver: 0.4 };
  expect(explain({ link: 'geo-1m', classes })).toEqual([]);
  expect(explain({ link: 'none', classes })).toEqual(
    ['forward', 'return'].map(
      (side) =>
        `1.network.classes: share a constant rate, and the ${side} direction of the link has none: set its "rateKbps"`,
    ),
  );
  expect(explain({ link: { preset: 'geo-1m', return: { queue: 'codel' } }, classes })).toEqual([
    '1.network.classes: make users wait before the link, where "queue: codel" of its return direction does nothing: remove one',
  ]);
  expect(explain({ link: 'geo-1m', classes: { gold: 1 } })).toEqual([
    '1.network.classes: have no share for "silver", the class of User Agent "silver user": add one',
  ]);
});

test('the users of each share must be known by an address of one class', () => {
  const classes = { gold: 0.6, silver: 0.4 };
  expect(explain({ link: 'geo-1m', classes }, [gold, { ...silver, sourceAddress: undefined }])).toEqual([
    '1.network.classes.silver: has no User Agent with a "sourceAddress", by which the link knows users: give it one',
  ]);
  expect(explain({ link: 'geo-1m', classes }, [gold, { ...silver, sourceAddress: gold.sourceAddress }])).toEqual([
    '1.network.classes: User Agents "gold user" and "silver user" have one "sourceAddress", and so must have one class',
  ]);
});

test('shares of a link are refused where HTTPEP sends what is the users’', () => {
  const classes = { gold: 0.6, silver: 0.4 };
  expect(explain({ link: 'geo-1m', classes }, [gold, silver], { httpep: {} })).toEqual([
    '1.network.classes: know users by their addresses, and HTTPEP sends what is theirs from its own: write them as "httpep: { classes }", or remove one',
  ]);
  expect(explain({ link: 'geo-1m' }, [gold, silver], { httpep: { classes } })).toEqual([]);
});

test('packets that the link does not carry are refused', () => {
  const tcp = { ground: { mtuBytes: 9000 }, remote: { mtuBytes: 1500 } };
  expect(explain({ link: 'geo-1m', tcp })).toEqual([
    '1.network.tcp.ground.mtuBytes: must be at most 1500: the emulated link carries no larger packets',
  ]);
});

test('of a sweep, the fault of all its Scenarios is reported once, where they are written', () => {
  const scenario = {
    name: 'over {link}',
    sweep: { link: ['geo-2m', 'bod-cra', 'bod-rbdc'] },
    network: { link: '{link}', classes: { gold: 0.6, silver: 0.4 } },
  };
  const { error } = EvaluationInputSchema.safeParse(documentOf(scenario, [gold, silver]));
  expect(error?.issues.map(({ path, message }) => [path, message])).toEqual([
    [['scenarios', 1, 'network', 'classes'], expect.stringContaining('the return direction of the link has none')],
  ]);
});
