import { z } from 'zod';
import { MarkNameSchema } from '../pages/page-mark.ts';
import { wholeNumber } from '../units.ts';

/** As `KeyboardEvent.key` has them. https://w3c.github.io/uievents-key/ */
const namedKeys = [
  'Enter',
  'Tab',
  'Escape',
  'Backspace',
  'Delete',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'ArrowUp',
  'Home',
  'End',
  'PageDown',
  'PageUp',
] as const;
export type NamedKey = (typeof namedKeys)[number];

/** A key that has a name, or the one that writes a character. With the first fault the union has only its own message. */
const JourneyKeySchema = z.union([z.enum(namedKeys), z.string().regex(/^[^\p{Cc}]$/u, { abort: true })], {
  error: `must be one character, or one of ${namedKeys.join(', ')}`,
});
export type JourneyKey = z.infer<typeof JourneyKeySchema>;

export function isNamedKey(key: JourneyKey): key is NamedKey {
  return (namedKeys as readonly string[]).includes(key);
}

const longestSelector = 1000;
const deepestPath = 10;
const mostSelectors = 20;

const Selector = z
  .string({ error: 'must be a selector' })
  .min(1, 'must not be empty')
  .max(longestSelector, `must have at most ${longestSelector} characters`);

/** One way to find an element: a selector, or a path of them, each within the shadow root of the one before. */
const SelectorPathSchema = z.union(
  [Selector, z.array(Selector).min(1).max(deepestPath, `must have at most ${deepestPath} selectors`)],
  {
    error: `must be a selector of at most ${longestSelector} characters, or a list of at most ${deepestPath}`,
  },
);

/** The ways of a recording to find one element. The first that finds one counts. https://pptr.dev/guides/page-interactions#selectors */
const JourneySelectorsSchema = z
  .array(SelectorPathSchema, { error: 'must be a list of selectors' })
  .min(1, 'must have at least one selector')
  .max(mostSelectors, `must have at most ${mostSelectors} selectors`)
  .refine(
    (selectors) => readSelectorPaths(selectors).length > 0,
    'finds its element by "aria/" alone: add a selector of CSS, "xpath/", "pierce/" or "text/"',
  );

const longestText = 2000;
const longestUrl = 4096;
const longestTitle = 1000;
const longestTimeoutMs = 60_000;

const mostEvents = 20;
const mostPixels = 100_000;

const textOf = (most: number) =>
  z.string({ error: 'must be a text' }).max(most, `must have at most ${most} characters`);
const Pixels = z
  .number({ error: 'must be a number' })
  .min(-mostPixels, `must be at least ${-mostPixels}`)
  .max(mostPixels, `must be at most ${mostPixels}`);

/** What the page did in the recording. A Visit whose page has another address than this has strayed. */
const NavigationEventSchema = z.strictObject({
  type: z.literal('navigation', { error: 'must be "navigation"' }),
  url: textOf(longestUrl).optional(),
  title: textOf(longestTitle).optional(),
});

const ofAll = {
  timeout: wholeNumber({ min: 1, max: longestTimeoutMs }).optional(),
  assertedEvents: z.array(NavigationEventSchema).max(mostEvents, `must have at most ${mostEvents} events`).optional(),
  target: z.literal('main', { error: 'must be "main": a journey has one tab' }).optional(),
};
const ofElements = {
  ...ofAll,
  selectors: JourneySelectorsSchema,
  frame: z
    .array(z.number())
    .max(0, 'must have at most 0 entries: a journey acts in the page itself, not in its frames')
    .optional(),
};

const stepTypes = {
  navigate: z.strictObject({
    ...ofAll,
    type: z.literal('navigate'),
    url: textOf(longestUrl),
  }),
  click: z.strictObject({
    ...ofElements,
    type: z.literal('click'),
    button: z.literal('primary', { error: 'must be "primary"' }).optional(),
    deviceType: z.literal('mouse', { error: 'must be "mouse"' }).optional(),
    offsetX: Pixels.optional(),
    offsetY: Pixels.optional(),
  }),
  change: z.strictObject({
    ...ofElements,
    type: z.literal('change'),
    value: textOf(longestText),
  }),
  keyDown: z.strictObject({ ...ofAll, type: z.literal('keyDown'), key: JourneyKeySchema }),
  keyUp: z.strictObject({ ...ofAll, type: z.literal('keyUp'), key: JourneyKeySchema }),
  scroll: z.strictObject({
    ...ofElements,
    type: z.literal('scroll'),
    selectors: JourneySelectorsSchema.optional(),
    x: Pixels.default(0),
    y: Pixels.default(0),
  }),
  waitForElement: z.strictObject({ ...ofElements, type: z.literal('waitForElement') }),
  setViewport: z.strictObject({
    ...ofAll,
    type: z.literal('setViewport'),
    width: wholeNumber({ min: 200, max: 7680 }),
    height: wholeNumber({ min: 200, max: 4320 }),
    deviceScaleFactor: z.number().optional(),
    isMobile: z.literal(false, { error: 'must be false: engines are browsers of a desktop' }).optional(),
    hasTouch: z.literal(false, { error: 'must be false: engines are browsers of a desktop' }).optional(),
    isLandscape: z.boolean().optional(),
  }),
  customStep: z.strictObject({
    ...ofAll,
    type: z.literal('customStep'),
    name: z.literal('mark', { error: 'must be "mark"' }),
    parameters: z.strictObject({ name: MarkNameSchema }),
  }),
};

export const stepTypeNames = Object.keys(stepTypes);

/**
 * One step of a journey, in the format of Chrome’s Recorder and of Puppeteer Replay. `waitForExpression` is a script, and left out like all that a recording
 * can have besides. https://github.com/puppeteer/replay/blob/main/src/Schema.ts
 */
export const JourneyStepSchema = z.discriminatedUnion(
  'type',
  [
    stepTypes.navigate,
    stepTypes.click,
    stepTypes.change,
    stepTypes.keyDown,
    stepTypes.keyUp,
    stepTypes.scroll,
    stepTypes.waitForElement,
    stepTypes.setViewport,
    stepTypes.customStep,
  ],
  { error: `must be a step of a journey, with one of the types ${stepTypeNames.join(', ')}` },
);
export type JourneyStep = z.infer<typeof JourneyStepSchema>;

/** The navigation that a step begins, as the recording has it; null for a step that stays on its page. */
export function readNavigation(step: JourneyStep): { url?: string | undefined; title?: string | undefined } | null {
  const asserted = step.assertedEvents?.at(-1);
  if (step.type === 'navigate') return { url: step.url, title: asserted?.title };
  return asserted ?? null;
}

/** Those that are looked for: only a browser’s accessibility tree knows what `aria/` means, and recordings have other selectors beside it. */
export function readSelectorPaths(selectors: readonly z.infer<typeof SelectorPathSchema>[]): string[][] {
  return selectors
    .map((selector) => (typeof selector === 'string' ? [selector] : selector))
    .filter((path) => !path.some((part) => part.startsWith('aria/')));
}
